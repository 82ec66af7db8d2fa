// What the C++ programs of this folder share: assertions that say where they failed, and the queues.
#ifndef EXPECT_HPP
#define EXPECT_HPP

#include <evenmatch.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                 \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

#define EXPECT_CODE(answer, wanted)                                                                \
  do {                                                                                             \
    const evenmatch_status expect_found_ = (answer).code();                                        \
    if (expect_found_ != (wanted)) {                                                               \
      std::fprintf(stderr, "%s:%d: %s is %s, not %s: %s\n", __FILE__, __LINE__, #answer,           \
                   evenmatch::status_text(expect_found_), evenmatch::status_text(wanted),          \
                   evenmatch::last_error().c_str());                                               \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

#define EXPECT_OK(answer) EXPECT_CODE(answer, EVENMATCH_OK)

// The value of a result that has to have one.
template <class T> T taken(evenmatch::result<T> answer) {
  EXPECT_OK(answer);
  return *std::move(answer);
}

inline evenmatch::engine new_engine(std::uint32_t flags, std::uint32_t capacity) {
  evenmatch_engine_config config = EVENMATCH_ENGINE_CONFIG_INIT;
  config.flags = flags;
  config.capacity = capacity;
  return taken(evenmatch::engine::make(config));
}

inline const char duel_json[] =
    R"({ "name": "duel", "players": 2, "timeout_s": 60,
         "attributes": { "skill": { "type": "number", "default": 1500 } },
         "rules": [{ "name": "skill", "type": "difference", "attribute": "skill", "max": 50 }] })";

inline const char ranked_json[] =
    R"({ "name": "ranked", "timeout_s": 100, "undeclared": "keep", "echo": {"map": 7},
         "teams": [{ "name": "red", "players": 2 }, { "name": "blue", "players": 2 }],
         "attributes": { "skill": { "type": "number" }, "mode": { "type": "string" },
                         "maps": { "type": "string_list" } },
         "rules": [
           { "name": "skill", "type": "difference", "attribute": "skill", "max": 50 },
           { "name": "mode", "type": "equality", "attribute": "mode", "missing": "any" },
           { "name": "maps", "type": "intersection", "attribute": "maps", "min": 1, "missing": "any" },
           { "name": "ping", "type": "region", "max_ms": 60 } ] })";

// One player without attributes.
inline evenmatch::batch one_player(evenmatch::queue_id queue, std::uint64_t player) {
  evenmatch::batch made;
  made.ticket(queue, player + 1000).player(evenmatch::player_id(player));
  return made;
}

#endif
