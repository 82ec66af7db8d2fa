// Events, as views into the memory that a poll fills: nothing is copied, and the memory is reused.
//
//   while (engine.poll(events) && !events.empty()) {
//     for (evenmatch::event event : events) { .. }
//   }
//
// Filled by engine.hpp, read by hosts. Invariant: views are valid until the next poll into the same memory.
#ifndef EVENMATCH_EVENTS_HPP
#define EVENMATCH_EVENTS_HPP

#include "ids.hpp"
#include "run.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace evenmatch {

class event;
class team;
class matched;
class kept;

/// The memory of polls. Starts small and grows when an event does not fit. Not for two threads at once.
class events {
public:
  /// With room for so many events at a time, of so many players each.
  explicit events(std::size_t event_count = 64, std::size_t player_count = 16)
      : events_(at_least_one(event_count), EVENMATCH_EVENT_INIT),
        teams_(4 * events_.size(), EVENMATCH_TEAM_INIT),
        tickets_(at_least_one(player_count) * events_.size(), EVENMATCH_MATCHED_INIT),
        players_(tickets_.size()), regions_(8 * events_.size()), kept_(1, EVENMATCH_KEPT_INIT), text_(256) {}

  /// How many events the last poll brought.
  std::size_t size() const noexcept { return static_cast<std::size_t>(filled_.event_count); }
  /// Did it bring none?
  bool empty() const noexcept { return filled_.event_count == 0; }

  // Where things lie, for the views.
  static event event_at(const events &of, std::size_t at) noexcept;
  static team team_at(const events &of, std::size_t at) noexcept;
  static matched matched_at(const events &of, std::size_t at) noexcept;
  static kept kept_at(const events &of, std::size_t at) noexcept;
  static player_id player_at(const events &of, std::size_t at) noexcept { return player_id(of.players_[at]); }
  static symbol region_at(const events &of, std::size_t at) noexcept { return symbol{of.regions_[at]}; }
  /// A text of an event.
  std::string_view text(std::uint32_t first, std::uint32_t bytes) const noexcept {
    return std::string_view(text_.data() + first, bytes);
  }

  using all = run<events, event, &events::event_at>;
  /// One event; `at` is below size().
  event operator[](std::size_t at) const noexcept;
  all::iterator begin() const noexcept { return all(*this, 0, size()).begin(); }
  all::iterator end() const noexcept { return all(*this, 0, size()).end(); }

private:
  friend class engine;

  static std::size_t at_least_one(std::size_t count) noexcept { return count == 0 ? 1 : count; }

  /// The buffers for a poll, all empty.
  evenmatch_event_buffers &open() noexcept {
    events_[0] = EVENMATCH_EVENT_INIT;
    teams_[0] = EVENMATCH_TEAM_INIT;
    tickets_[0] = EVENMATCH_MATCHED_INIT;
    kept_[0] = EVENMATCH_KEPT_INIT;
    filled_ = EVENMATCH_EVENT_BUFFERS_INIT;
    filled_.event_capacity = events_.size();
    filled_.events = events_.data();
    filled_.team_capacity = teams_.size();
    filled_.teams = teams_.data();
    filled_.ticket_capacity = tickets_.size();
    filled_.tickets = tickets_.data();
    filled_.player_capacity = players_.size();
    filled_.players = players_.data();
    filled_.region_capacity = regions_.size();
    filled_.regions = regions_.data();
    filled_.kept_capacity = kept_.size();
    filled_.kept = kept_.data();
    filled_.text_capacity = text_.size();
    filled_.text = text_.data();
    return filled_;
  }

  /// Makes room for what the first event needs; false if there was room already.
  bool grow() {
    bool has_grown = false;
    const auto fit = [&has_grown](auto &list, std::uint64_t needed, const auto &fresh) {
      if (list.size() < needed) {
        list.resize(static_cast<std::size_t>(needed), fresh);
        has_grown = true;
      }
    };
    fit(events_, filled_.event_count, EVENMATCH_EVENT_INIT);
    fit(teams_, filled_.team_count, EVENMATCH_TEAM_INIT);
    fit(tickets_, filled_.ticket_count, EVENMATCH_MATCHED_INIT);
    fit(players_, filled_.player_count, evenmatch_player_id());
    fit(regions_, filled_.region_count, evenmatch_symbol());
    fit(kept_, filled_.kept_count, EVENMATCH_KEPT_INIT);
    fit(text_, filled_.text_bytes, char());
    return has_grown;
  }

  void close() noexcept { filled_.event_count = 0; }

  std::vector<evenmatch_event> events_;
  std::vector<evenmatch_team> teams_;
  std::vector<evenmatch_matched> tickets_;
  std::vector<evenmatch_player_id> players_;
  std::vector<evenmatch_symbol> regions_;
  std::vector<evenmatch_kept> kept_;
  std::vector<char> text_;
  evenmatch_event_buffers filled_ = EVENMATCH_EVENT_BUFFERS_INIT;
};

using matched_run = run<events, matched, &events::matched_at>;
using player_run = run<events, player_id, &events::player_at>;
using region_run = run<events, symbol, &events::region_at>;
using team_run = run<events, team, &events::team_at>;
using kept_run = run<events, kept, &events::kept_at>;

/// One ticket of a match.
class matched {
public:
  explicit matched(const evenmatch_matched &of) noexcept : of_(&of) {}

  ticket_id ticket() const noexcept { return ticket_id{of_->id}; }
  /// The host's word.
  std::uint64_t user_data() const noexcept { return of_->user_data; }
  /// Its team, counted from the match's first.
  std::size_t team() const noexcept { return of_->team; }
  /// Earlier matches that it was in.
  std::uint32_t attempts() const noexcept { return of_->attempts; }
  std::uint64_t wait_ms() const noexcept { return of_->wait_ms; }
  /// Its round-trip time in the match's region, in a queue with a region rule.
  std::optional<double> ping_ms() const noexcept {
    return (of_->flags & EVENMATCH_MATCHED_HAS_PING) != 0 ? std::optional<double>(of_->ping_ms) : std::nullopt;
  }
  /// Did an update come too late?
  bool is_update_lost() const noexcept { return (of_->flags & EVENMATCH_MATCHED_UPDATE_LOST) != 0; }

private:
  const evenmatch_matched *of_;
};

/// One team of a match.
class team {
public:
  team(const events &room, const evenmatch_team &of) noexcept : room_(&room), of_(&of) {}

  /// "all" in a queue without teams.
  symbol name() const noexcept { return symbol{of_->name}; }
  /// Its tickets, in the order of their submits.
  matched_run tickets() const noexcept { return matched_run(*room_, of_->ticket_first, of_->ticket_count); }
  /// Its players, ticket by ticket.
  player_run players() const noexcept { return player_run(*room_, of_->player_first, of_->player_count); }

private:
  const events *room_;
  const evenmatch_team *of_;
};

/// An attribute that the queue does not declare but keeps.
class kept {
public:
  kept(const events &room, const evenmatch_kept &of) noexcept : room_(&room), of_(&of) {}

  player_id player() const noexcept { return player_id(of_->player); }
  std::string_view name() const noexcept { return room_->text(of_->name_first, of_->name_bytes); }
  /// Its value, JSON text.
  std::string_view json() const noexcept { return room_->text(of_->json_first, of_->json_bytes); }

private:
  const events *room_;
  const evenmatch_kept *of_;
};

/// A match, or the end of a ticket.
class event {
public:
  event(const events &room, const evenmatch_event &of) noexcept : room_(&room), of_(&of) {}

  bool is_match() const noexcept { return of_->kind == EVENMATCH_EVENT_MATCH; }
  bool is_end() const noexcept { return of_->kind == EVENMATCH_EVENT_ENDED; }
  std::uint64_t at_ms() const noexcept { return of_->at_ms; }
  queue_id queue() const noexcept { return queue_id{of_->queue}; }
  /// The match, or the ticket that ended.
  ticket_id id() const noexcept { return ticket_id{of_->id}; }
  /// Of a ticket that ended: the host's word.
  std::uint64_t user_data() const noexcept { return of_->user_data; }
  /// Of a ticket that ended: EVENMATCH_ENDED_TIMED_OUT and so on.
  std::int32_t reason() const noexcept { return of_->reason; }
  /// The reason as a word.
  const char *reason_text() const noexcept { return evenmatch_end_reason_text(of_->reason); }
  /// Did an update of the ticket, or of one of the match's, come too late?
  bool is_update_lost() const noexcept { return has(EVENMATCH_EVENT_UPDATE_LOST); }

  // Of a match.
  /// Where it is played; symbol{} in a queue without a region rule.
  symbol region() const noexcept { return symbol{of_->region}; }
  /// The greatest count of earlier matches of its tickets.
  std::uint32_t attempts() const noexcept { return of_->attempts; }
  /// Was no search that led to it cut off?
  bool is_exhaustive() const noexcept { return has(EVENMATCH_EVENT_EXHAUSTIVE); }
  double cost() const noexcept { return of_->cost; }
  std::uint64_t oldest_wait_ms() const noexcept { return of_->oldest_wait_ms; }
  std::optional<double> skill_spread() const noexcept {
    return number(EVENMATCH_EVENT_HAS_SKILL_SPREAD, of_->skill_spread);
  }
  std::optional<double> team_difference() const noexcept {
    return number(EVENMATCH_EVENT_HAS_TEAM_DIFFERENCE, of_->team_difference);
  }
  std::optional<double> ping_worst_ms() const noexcept {
    return number(EVENMATCH_EVENT_HAS_PING, of_->ping_worst_ms);
  }
  std::optional<double> ping_mean_ms() const noexcept { return number(EVENMATCH_EVENT_HAS_PING, of_->ping_mean_ms); }
  /// The teams that stand, as declared.
  team_run teams() const noexcept { return team_run(*room_, of_->team_first, of_->team_count); }
  /// All its tickets, team by team.
  matched_run tickets() const noexcept { return matched_run(*room_, of_->ticket_first, of_->ticket_count); }
  /// All its players, team by team.
  player_run players() const noexcept { return player_run(*room_, of_->player_first, of_->player_count); }
  /// All legal regions, best first.
  region_run regions() const noexcept { return region_run(*room_, of_->region_first, of_->region_count); }
  /// Undeclared attributes that the queue keeps.
  kept_run attributes() const noexcept { return kept_run(*room_, of_->kept_first, of_->kept_count); }
  /// The queue's `echo`, JSON text; empty if it has none.
  std::string_view echo() const noexcept { return room_->text(of_->echo_first, of_->echo_bytes); }

private:
  bool has(std::uint32_t flag) const noexcept { return (of_->flags & flag) != 0; }
  std::optional<double> number(std::uint32_t flag, double value) const noexcept {
    return has(flag) ? std::optional<double>(value) : std::nullopt;
  }

  const events *room_;
  const evenmatch_event *of_;
};

inline event events::event_at(const events &of, std::size_t at) noexcept { return event(of, of.events_[at]); }
inline team events::team_at(const events &of, std::size_t at) noexcept { return team(of, of.teams_[at]); }
inline matched events::matched_at(const events &of, std::size_t at) noexcept { return matched(of.tickets_[at]); }
inline kept events::kept_at(const events &of, std::size_t at) noexcept { return kept(of, of.kept_[at]); }
inline event events::operator[](std::size_t at) const noexcept { return event_at(*this, at); }

} // namespace evenmatch

#endif
