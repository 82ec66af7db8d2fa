// The header in C++, from two translation units, with the macros that Unreal and X11 define.
#define check(x) no_check(x)
#define verify(x) no_verify(x)
#define None 0
#define ERROR 0
#include "evenmatch.h"
#undef check
#undef verify
#undef None
#undef ERROR

#include "expect.h"

#include <string>
#include <type_traits>
#include <vector>

evenmatch_engine made_elsewhere();

static_assert(std::is_trivially_copyable<evenmatch_event>::value, "events are plain data");
static_assert(std::is_standard_layout<evenmatch_batch>::value, "batches are plain data");

int main() {
  EXPECT_OK(evenmatch_abi_check());
  evenmatch_engine engine = made_elsewhere();
  EXPECT(engine != 0);
  evenmatch_queue queue = add_queue(engine, DUEL);
  std::vector<evenmatch_submitted> results(3, EVENMATCH_SUBMITTED_INIT);
  std::vector<evenmatch_ticket> tickets(3, EVENMATCH_TICKET_INIT);
  std::vector<evenmatch_player> players(3, EVENMATCH_PLAYER_INIT);
  for (std::uint32_t i = 0; i < 3; i++) {
    players[i].id = {1, i + 1};
    tickets[i].queue = queue;
    tickets[i].player_first = i;
    tickets[i].player_count = 1;
  }
  evenmatch_batch batch = EVENMATCH_BATCH_INIT;
  batch.tickets = tickets.data();
  batch.ticket_count = tickets.size();
  batch.players = players.data();
  batch.player_count = players.size();
  std::string details(256, ' ');
  std::uint64_t accepted = 0;
  EXPECT_OK(evenmatch_ticket_submit(engine, 1, &batch, results.data(), results.size(), &details[0], details.size(), &accepted));
  EXPECT(accepted == 3);
  static room events;
  EXPECT(poll_all(engine, &events) == 3 && events.events[2].id == results[2].ticket);
  EXPECT_OK(evenmatch_engine_free(engine));
  return 0;
}
