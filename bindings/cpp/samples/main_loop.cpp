// A back end's main loop: it sleeps until the engine has something to do, or until somebody has come.
//
//   main_loop [PLAYERS]
//
// Players come on a thread of their own, as they would from the network, and submit there: the engine takes
// calls from any thread. The loop's thread is the only one that ticks and polls. It asks next_due() how long
// nothing can change, and waits for that long; a submit wakes it. Ends when every ticket has come to its end.
#include <evenmatch.hpp>
#include <evenmatch/exceptions.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

using evenmatch::or_throw;

namespace {

const char queue_json[] = R"({
  "name": "duel", "players": 2, "timeout_s": 2,
  "attributes": { "skill": { "type": "number" } },
  "rules": [ { "name": "skill", "type": "difference", "attribute": "skill", "max": 20,
               "expand": { "linear": { "add": 40, "every_s": 0.5, "cap": 200 } } },
             { "name": "ping", "type": "region", "max_ms": 80 } ]
})";

/// Milliseconds of a clock that never runs back.
class host_clock {
public:
  std::uint64_t now_ms() const {
    using namespace std::chrono;
    return static_cast<std::uint64_t>(duration_cast<milliseconds>(steady_clock::now() - start_).count());
  }
  std::chrono::steady_clock::time_point at(std::uint64_t time_ms) const {
    return start_ + std::chrono::milliseconds(time_ms);
  }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Wakes the loop.
class bell {
public:
  void ring() {
    {
      const std::lock_guard<std::mutex> lock(door_);
      has_rung_ = true;
    }
    waiting_.notify_one();
  }
  void wait_until(std::chrono::steady_clock::time_point due) {
    std::unique_lock<std::mutex> lock(door_);
    waiting_.wait_until(lock, due, [this] { return has_rung_; });
    has_rung_ = false;
  }
  void wait() {
    std::unique_lock<std::mutex> lock(door_);
    waiting_.wait(lock, [this] { return has_rung_; });
    has_rung_ = false;
  }

private:
  std::mutex door_;
  std::condition_variable waiting_;
  bool has_rung_ = false;
};

/// A thread that is waited for, also when an exception is on its way.
class joining {
public:
  template <class Work> explicit joining(Work work) : thread_(work) {}
  ~joining() { thread_.join(); }
  joining(const joining &) = delete;
  joining &operator=(const joining &) = delete;

private:
  std::thread thread_;
};

int run(std::uint64_t players) {
  or_throw(evenmatch::abi_fits());
  evenmatch::engine engine = or_throw(evenmatch::engine::make());
  const evenmatch::queue_id duel = or_throw(engine.add_queue(queue_json));
  const evenmatch::symbol skill = or_throw(engine.resolve("skill"));
  const evenmatch::symbol eu = or_throw(engine.resolve("eu"));
  const host_clock clock;
  bell bell;

  joining network([&] {
    evenmatch::batch batch;
    for (std::uint64_t at = 0; at < players; at++) {
      batch.clear();
      batch.ticket(duel, at)
          .ping(eu, 20.0 + static_cast<double>(at % 30))
          .player(evenmatch::player_id(at + 1))
          .number(skill, 1500.0 + static_cast<double>(at * 37 % 400));
      const auto ticket = engine.submit_one(clock.now_ms(), batch);
      if (!ticket) {
        std::printf("player %llu was refused: %s\n", static_cast<unsigned long long>(at), ticket.error().name());
      }
      bell.ring();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });

  evenmatch::events events;
  std::uint64_t done = 0, matches = 0, ends = 0, ticks = 0;
  while (done < players) {
    or_throw(engine.tick(clock.now_ms()));
    ticks++;
    do {
      or_throw(engine.poll(events));
      for (evenmatch::event event : events) {
        if (event.is_match()) {
          matches++;
          done += event.tickets().size();
        } else {
          ends++;
          done++;
        }
      }
    } while (!events.empty());
    const std::uint64_t due = or_throw(engine.next_due());
    if (done == players) {
      break;
    } else if (due == EVENMATCH_NEVER) {
      bell.wait();
    } else {
      bell.wait_until(clock.at(due));
    }
  }
  std::printf("%llu matches and %llu ends in %llu ticks\n", static_cast<unsigned long long>(matches),
              static_cast<unsigned long long>(ends), static_cast<unsigned long long>(ticks));
  return 0;
}

} // namespace

int main(int count, char **arguments) {
  try {
    return run(count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 100);
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}
