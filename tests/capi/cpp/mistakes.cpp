// What a C++ host can do wrong: nothing brings the process down, and each mistake has its answer.
#include "expect.hpp"

#include <evenmatch/exceptions.hpp>

#include <atomic>
#include <thread>

using evenmatch::player_id;
using evenmatch::symbol;
using evenmatch::ticket_id;

// Every code that can be provoked through the layer by a wrong call.
static void refusals() {
  evenmatch_engine_config config = EVENMATCH_ENGINE_CONFIG_INIT;
  config.flags = 1u << 30;
  EXPECT_CODE(evenmatch::engine::make(config), EVENMATCH_INVALID_ARGUMENT);
  config.flags = 0;
  config.search_nodes = 1;
  EXPECT_CODE(evenmatch::engine::make(config), EVENMATCH_OUT_OF_RANGE);
  config.struct_size = 3;
  EXPECT_CODE(evenmatch::engine::make(config), EVENMATCH_STRUCT_SIZE);

  evenmatch::engine engine = new_engine(0, 3), stranger = new_engine(0, 3);
  const evenmatch::queue_id duel = taken(engine.add_queue(duel_json)), foreign = taken(stranger.add_queue(duel_json));
  const symbol skill = taken(engine.resolve("skill"));
  EXPECT_CODE(engine.tick(UINT64_MAX), EVENMATCH_INVALID_TIME);
  EXPECT_CODE(engine.text(symbol{999}), EVENMATCH_UNKNOWN_SYMBOL);
  EXPECT_CODE(engine.resolve("\xff"), EVENMATCH_INVALID_UTF8);
  EXPECT_CODE(engine.resolve(std::string(257, 'x')), EVENMATCH_TOO_MANY_BYTES);
  EXPECT_CODE(engine.set_region(1, symbol{}, true), EVENMATCH_UNKNOWN_SYMBOL);
  EXPECT_CODE(engine.suspend(1, foreign), EVENMATCH_NOT_FOUND);
  EXPECT_CODE(engine.submit_one(1, one_player(foreign, 1)), EVENMATCH_NOT_FOUND);
  EXPECT_CODE(engine.add_queue(duel_json), EVENMATCH_QUEUE_EXISTS);

  evenmatch::batch batch;
  const auto submitted = [&] {
    const auto answer = engine.submit_one(1, batch);
    batch.clear();
    return answer;
  };
  batch.ticket(duel);
  EXPECT_CODE(submitted(), EVENMATCH_NO_PLAYERS);
  batch.ticket(duel).player(player_id(1)).player(player_id(1));
  EXPECT_CODE(submitted(), EVENMATCH_DUPLICATE_PLAYER);
  batch.ticket(duel).player(player_id(1)).string(skill, "high");
  EXPECT_CODE(submitted(), EVENMATCH_WRONG_TYPE);
  batch.ticket(duel).player(player_id(1)).number(skill, 2e9);
  EXPECT_CODE(submitted(), EVENMATCH_OUT_OF_RANGE);
  batch.ticket(duel).player(player_id(1)).number(skill, 1).number(skill, 2);
  EXPECT_CODE(submitted(), EVENMATCH_DUPLICATE_NAME);
  batch.ticket(duel).player(player_id(1)).number(symbol{77}, 1);
  EXPECT_CODE(submitted(), EVENMATCH_UNKNOWN_SYMBOL);
  for (std::uint64_t at = 1; at <= 3; at++) {
    EXPECT_OK(engine.submit_one(1, one_player(duel, at)));
  }
  EXPECT_CODE(engine.submit_one(1, one_player(duel, 4)), EVENMATCH_QUEUE_FULL);
  const ticket_id first = taken(engine.find(player_id(1)));
  EXPECT_CODE(stranger.cancel(1, first), EVENMATCH_NOT_FOUND);
  EXPECT_CODE(engine.cancel(1, ticket_id{}), EVENMATCH_NOT_FOUND);
  EXPECT_CODE(engine.leave(1, player_id(9)), EVENMATCH_NOT_FOUND);
  EXPECT_OK(engine.tick(2));
  const evenmatch::outcome late = engine.cancel(3, first);
  EXPECT_CODE(late, EVENMATCH_ALREADY_MATCHED);
  EXPECT(late.error().other == first && std::string(late.error().name()) == "ALREADY_MATCHED");
  evenmatch::receipts receipts;
  EXPECT_CODE(engine.requeue(3, ticket_id{}, {first}, receipts), EVENMATCH_NOT_FOUND);
  EXPECT(receipts.empty() && receipts.begin() == receipts.end());
}

// What is said of no ticket, or in pieces.
static void unsound_batches() {
  evenmatch::engine engine = new_engine(0, 10);
  const evenmatch::queue_id duel = taken(engine.add_queue(duel_json));
  const symbol skill = taken(engine.resolve("skill"));
  evenmatch::receipts receipts;
  evenmatch::batch batch;
  batch.timeout_ms(5);
  EXPECT(!batch.is_sound());
  const evenmatch::outcome refused = engine.submit(1, batch, receipts);
  EXPECT_CODE(refused, EVENMATCH_INVALID_ARGUMENT);
  EXPECT(evenmatch::sentence(refused.error()).rfind("INVALID_ARGUMENT: something was said of no ticket", 0) == 0);
  batch.clear();
  EXPECT(batch.is_sound());
  batch.ticket(duel).number(skill, 5);
  EXPECT_CODE(engine.submit_one(1, batch), EVENMATCH_INVALID_ARGUMENT);
  batch.clear();
  batch.ticket(duel).accept_regions({skill}).player(player_id(1)).list(skill, {skill}).accept_regions({skill});
  EXPECT(!batch.is_sound());
  EXPECT_CODE(engine.update(1, ticket_id{}, 1, batch), EVENMATCH_INVALID_ARGUMENT);
  EXPECT_CODE(engine.join(1, ticket_id{}, batch), EVENMATCH_INVALID_ARGUMENT);
  batch.clear();
  EXPECT_CODE(engine.submit_one(1, batch), EVENMATCH_INVALID_ARGUMENT);
  EXPECT_OK(engine.submit(1, batch, receipts));
  EXPECT(receipts.empty());
}

// Objects after a move, after a free, and freed twice.
static void empty_objects() {
  evenmatch::engine engine = new_engine(0, 10);
  const evenmatch::queue_id duel = taken(engine.add_queue(duel_json));
  const evenmatch_engine handle = engine.handle();
  evenmatch::engine moved = std::move(engine);
  EXPECT(moved.handle() == handle && engine.handle() == 0);
  EXPECT_CODE(engine.tick(1), EVENMATCH_NOT_FOUND);
  evenmatch::events events;
  EXPECT_CODE(engine.poll(events), EVENMATCH_NOT_FOUND);
  EXPECT(events.empty());
  EXPECT_CODE(engine.free(), EVENMATCH_NOT_FOUND);
  evenmatch::engine &same = moved;
  moved = std::move(same);
  EXPECT(moved.handle() == handle);
  EXPECT_OK(moved.submit_one(1, one_player(duel, 1)));
  moved = new_engine(0, 5);
  EXPECT(evenmatch_engine_free(handle) == EVENMATCH_NOT_FOUND);
  EXPECT_OK(moved.free());
  EXPECT_CODE(moved.free(), EVENMATCH_NOT_FOUND);
  EXPECT_CODE(moved.read(ticket_id{1}), EVENMATCH_NOT_FOUND);
  EXPECT_CODE(moved.stats(), EVENMATCH_NOT_FOUND);
  EXPECT(evenmatch::engine::make().error().code == EVENMATCH_OK);
}

// Exceptions come only where they are asked for, with code and sentence.
static void exceptions() {
  using evenmatch::or_throw;
  evenmatch::engine engine = or_throw(evenmatch::engine::make());
  bool was_thrown = false;
  try {
    or_throw(engine.find_queue("nowhere"));
  } catch (const evenmatch::failure &failure) {
    was_thrown = true;
    EXPECT(failure.code() == EVENMATCH_UNKNOWN_QUEUE && failure.error().code == failure.code());
    EXPECT(std::string(failure.what()).rfind("UNKNOWN_QUEUE: ", 0) == 0);
  }
  EXPECT(was_thrown);
  or_throw(engine.close(5));
  EXPECT(engine.submit_one(6, evenmatch::batch()).value_or(ticket_id{7}) == ticket_id{7});
}

// Submits and cancels on three threads while one ticks and polls; then the engine is closed under them.
static void threads() {
  // Small, so that a tick is short however fast the others submit.
  evenmatch::engine engine = new_engine(0, 200);
  const evenmatch::queue_id duel = taken(engine.add_queue(duel_json));
  std::atomic<std::uint64_t> accepted{0};
  std::vector<std::thread> hosts;
  for (std::uint64_t host = 1; host <= 3; host++) {
    hosts.emplace_back([&, host] {
      evenmatch::batch batch;
      for (std::uint64_t at = 1;; at++) {
        batch.clear();
        batch.ticket(duel).player(player_id(host, at));
        const auto ticket = engine.submit_one(at, batch);
        if (ticket) {
          accepted++;
          if (at % 5 == 0) {
            const evenmatch_status code = engine.cancel(at, *ticket).code();
            EXPECT(code == EVENMATCH_OK || code == EVENMATCH_ALREADY_MATCHED || code == EVENMATCH_ENGINE_CLOSED ||
                   code == EVENMATCH_NOT_FOUND);
          }
        } else if (ticket.code() == EVENMATCH_ENGINE_CLOSED) {
          return;
        } else {
          EXPECT(ticket.code() == EVENMATCH_QUEUE_FULL);
          std::this_thread::yield();
        }
      }
    });
  }
  evenmatch::events events;
  std::uint64_t ended = 0;
  const auto take = [&] {
    do {
      EXPECT_OK(engine.poll(events));
      for (evenmatch::event event : events) {
        ended += event.is_match() ? event.tickets().size() : 1;
      }
    } while (!events.empty());
  };
  for (std::uint64_t now = 1; now <= 200 || accepted < 1000; now++) {
    EXPECT_OK(engine.tick(now));
    take();
  }
  EXPECT_OK(engine.close(300));
  for (std::thread &host : hosts) {
    host.join();
  }
  take();
  EXPECT(ended == accepted && taken(engine.stats()).submitted == accepted);
}

int main() {
  refusals();
  unsound_batches();
  empty_objects();
  exceptions();
  threads();
  return 0;
}
