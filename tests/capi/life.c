/* A full life, for memory checkers: tickets in batches, matches, cancels, polls, and tickets that still wait at the end.
 *
 *   life COUNT
 */
#include "expect.h"

enum { BATCH = 64 };

static room events;

int main(int count, char **arguments) {
  uint64_t tickets_max = count > 1 ? strtoull(arguments[1], NULL, 10) : 50000;
  evenmatch_engine engine = new_engine(0, 20000);
  evenmatch_queue queue = add_queue(engine, "{ \"name\": \"life\", \"players\": 2, \"timeout_s\": 5, \"undeclared\": \"keep\","
                                            "  \"attributes\": { \"skill\": { \"type\": \"number\" },"
                                            "                  \"mode\": { \"type\": \"string\" } }, \"rules\": ["
                                            "  { \"name\": \"mode\", \"type\": \"equality\", \"attribute\": \"mode\" },"
                                            "  { \"name\": \"skill\", \"type\": \"difference\", \"attribute\": \"skill\", \"max\": 3 },"
                                            "  { \"name\": \"ping\", \"type\": \"region\", \"max_ms\": 80 }] }");
  evenmatch_symbol skill = symbol(engine, "skill"), mode = symbol(engine, "mode"), eu = symbol(engine, "eu");
  evenmatch_ticket tickets[BATCH];
  evenmatch_player players[BATCH];
  evenmatch_attribute attributes[2 * BATCH];
  evenmatch_ping ping = EVENMATCH_PING_INIT;
  evenmatch_submitted results[BATCH];
  evenmatch_batch batch = EVENMATCH_BATCH_INIT;
  evenmatch_stats stats = EVENMATCH_STATS_INIT;
  const evenmatch_ticket ticket = EVENMATCH_TICKET_INIT;
  const evenmatch_player player = EVENMATCH_PLAYER_INIT;
  const evenmatch_attribute attribute = EVENMATCH_ATTRIBUTE_INIT;
  const evenmatch_submitted submitted = EVENMATCH_SUBMITTED_INIT;
  uint64_t sent = 0, now = 0, dice = 88172645463325252u, polled = 0, accepted = 0;
  const char text[] = "kothctf";
  int i;
  ping.region = eu;
  ping.round_trip_ms = 33.3;
  while (sent < tickets_max) {
    for (i = 0; i < BATCH; i++) {
      dice ^= dice << 13;
      dice ^= dice >> 7;
      dice ^= dice << 17;
      tickets[i] = ticket;
      tickets[i].queue = queue;
      tickets[i].player_first = (uint32_t)i;
      tickets[i].player_count = 1;
      tickets[i].ping_count = 1;
      tickets[i].user_data = sent + (uint64_t)i;
      players[i] = player;
      players[i].id.lo = sent + (uint64_t)i + 1;
      players[i].attribute_first = 2 * (uint32_t)i;
      players[i].attribute_count = 2;
      attributes[2 * i] = attribute;
      attributes[2 * i].name = skill;
      attributes[2 * i].kind = EVENMATCH_ATTRIBUTE_NUMBER;
      attributes[2 * i].number = (double)(dice % 30000) / 10;
      attributes[2 * i + 1] = attribute;
      attributes[2 * i + 1].name = mode;
      attributes[2 * i + 1].kind = EVENMATCH_ATTRIBUTE_TEXT;
      attributes[2 * i + 1].first = dice % 2 == 0 ? 0 : 4;
      attributes[2 * i + 1].count = dice % 2 == 0 ? 4 : 3;
    }
    results[0] = submitted;
    batch.tickets = tickets;
    batch.ticket_count = BATCH;
    batch.players = players;
    batch.player_count = BATCH;
    batch.attributes = attributes;
    batch.attribute_count = 2 * BATCH;
    batch.pings = &ping;
    batch.ping_count = 1;
    batch.text = text;
    batch.text_bytes = 7;
    EXPECT_OK(evenmatch_ticket_submit(engine, now, &batch, results, BATCH, NULL, 0, &accepted));
    EXPECT(accepted == BATCH);
    sent += BATCH;
    for (i = 0; i < BATCH; i += 16) {
      EXPECT_OK(evenmatch_ticket_cancel(engine, now, results[i].ticket, NULL));
    }
    now += 20;
    EXPECT_OK(evenmatch_engine_tick(engine, now, 0, NULL));
    do {
      EXPECT(poll_all(engine, &events) <= 64);
      for (i = 0; i < (int)events.buffers.event_count; i++) {
        polled += events.events[i].kind == EVENMATCH_EVENT_MATCH ? events.events[i].ticket_count : 1;
      }
    } while (events.buffers.event_count == 64);
  }
  EXPECT_OK(evenmatch_stats_read(engine, &stats));
  EXPECT(stats.submitted == sent && stats.submitted == stats.waiting + stats.matched + stats.ended);
  EXPECT(stats.matched > sent / 4 && stats.waiting > 0 && polled == stats.matched + stats.ended);
  EXPECT_OK(evenmatch_engine_free(engine));
  return 0;
}
