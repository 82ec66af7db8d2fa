// A small C++ program that uses the engine: two players meet.
#include <evenmatch.hpp>

int main() {
  auto engine = evenmatch::engine::make();
  if (!evenmatch::abi_fits() || !engine) {
    return 1;
  }
  const auto queue = engine->add_queue(R"({ "name": "duel", "players": 2, "timeout_s": 9, "rules": [] })");
  evenmatch::batch batch;
  evenmatch::receipts receipts;
  evenmatch::events events;
  if (!queue) {
    return 2;
  }
  batch.ticket(*queue).player(evenmatch::player_id(1));
  batch.ticket(*queue).player(evenmatch::player_id(2));
  const bool is_done = engine->submit(0, batch, receipts) && engine->tick(1) && engine->poll(events);
  return is_done && events.size() == 1 && events[0].is_match() && events[0].players().size() == 2 ? 0 : 3;
}
