// A full life in C++, for memory checkers: batches, matches, cancels, polls, and tickets that still wait when
// the engine's object ends.
//
//   life COUNT
#include "expect.hpp"

int main(int count, char **arguments) {
  const std::uint64_t tickets_max = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 50000;
  evenmatch::engine engine = new_engine(0, 20000);
  const evenmatch::queue_id queue = taken(engine.add_queue(
      R"({ "name": "life", "players": 2, "timeout_s": 5, "undeclared": "keep",
           "attributes": { "skill": { "type": "number" }, "mode": { "type": "string" } }, "rules": [
             { "name": "mode", "type": "equality", "attribute": "mode" },
             { "name": "skill", "type": "difference", "attribute": "skill", "max": 3 },
             { "name": "ping", "type": "region", "max_ms": 80 } ] })"));
  const evenmatch::symbol skill = taken(engine.resolve("skill")), mode = taken(engine.resolve("mode"));
  const evenmatch::symbol eu = taken(engine.resolve("eu")), clan = taken(engine.resolve("clan"));
  evenmatch::batch batch;
  evenmatch::receipts receipts;
  evenmatch::events events(8, 1);
  std::uint64_t sent = 0, now = 0, dice = 88172645463325252u, polled = 0;
  while (sent < tickets_max) {
    batch.clear();
    for (int at = 0; at < 64; at++, sent++) {
      dice ^= dice << 13;
      dice ^= dice >> 7;
      dice ^= dice << 17;
      batch.ticket(queue, sent).ping(eu, 33.3).player(evenmatch::player_id(sent + 1));
      batch.number(skill, static_cast<double>(dice % 30000) / 10).string(mode, dice % 2 == 0 ? "koth" : "ctf");
      if (at % 7 == 0) {
        batch.json(clan, R"({"tag":"x"})");
      }
    }
    EXPECT_OK(engine.submit(now, batch, receipts));
    EXPECT(receipts.accepted() == 64);
    for (std::size_t at = 0; at < receipts.size(); at += 16) {
      EXPECT_OK(engine.cancel(now, receipts[at].ticket()));
    }
    now += 20;
    EXPECT_OK(engine.tick(now));
    do {
      EXPECT_OK(engine.poll(events));
      for (evenmatch::event event : events) {
        polled += event.is_match() ? event.tickets().size() : 1;
      }
    } while (!events.empty());
  }
  const evenmatch_stats stats = taken(engine.stats());
  EXPECT(stats.submitted == sent && stats.submitted == stats.waiting + stats.matched + stats.ended);
  EXPECT(stats.matched > sent / 4 && stats.waiting > 0 && polled == stats.matched + stats.ended);
  return 0;
}
