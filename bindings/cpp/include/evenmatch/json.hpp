// Queues, tickets and players as JSON text, and what came of reading a queue.
//
// Used with engine.hpp. Invariant: texts are borrowed for the call.
#ifndef EVENMATCH_JSON_HPP
#define EVENMATCH_JSON_HPP

#include "ids.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace evenmatch {

/// How a text of queues is to be read.
struct queue_options {
  /// EVENMATCH_FORMAT_AUTO and so on.
  std::int32_t format = EVENMATCH_FORMAT_AUTO;
  /// EVENMATCH_AGE_DEFAULT and so on, for PlayFab's files.
  std::int32_t windows = EVENMATCH_AGE_DEFAULT;
  /// The same, for their totals.
  std::int32_t total_windows = EVENMATCH_AGE_DEFAULT;
  /// EVENMATCH_DELTA_SUBTRACTED or EVENMATCH_DELTA_ADDED.
  std::int32_t intersection_delta = EVENMATCH_DELTA_SUBTRACTED;
};

/// What there is to say of a text of queues.
struct queue_report {
  /// The place of the first error, else of the first warning, from 1; 0: no place.
  std::uint32_t line = 0;
  /// In characters, from 1.
  std::uint32_t column = 0;
  std::uint32_t error_count = 0;
  std::uint32_t warning_count = 0;
  /// All errors, else all warnings, a line each; at most 64 KiB.
  std::string text;
};

/// A ticket or a player as JSON text, native or PlayFab's.
class json_request {
public:
  /// `names_as`: EVENMATCH_NAMES_TABLE and so on, how a player's name becomes an id that is not in the table.
  explicit json_request(std::string_view json, std::int32_t names_as = EVENMATCH_NAMES_TABLE)
      : json_(json), names_as_(names_as) {}

  /// Says who is meant by a name.
  json_request &name(std::string_view text, player_id id) {
    evenmatch_player_name made = EVENMATCH_PLAYER_NAME_INIT;
    made.id = id.raw();
    made.text = text.data();
    made.text_bytes = text.size();
    names_.push_back(made);
    return *this;
  }

  /// As evenmatch.h has it; valid as long as the texts are.
  evenmatch_json view() const noexcept {
    evenmatch_json made = EVENMATCH_JSON_INIT;
    made.names_as = names_as_;
    made.json = json_.data();
    made.json_bytes = json_.size();
    made.names = names_.data();
    made.name_count = names_.size();
    return made;
  }

private:
  std::string_view json_;
  std::int32_t names_as_;
  std::vector<evenmatch_player_name> names_;
};

} // namespace evenmatch

#endif
