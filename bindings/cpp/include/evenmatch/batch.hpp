// Tickets to submit, written one after the other into arrays that are reused.
//
//   batch.clear();
//   batch.ticket(ranked, 7).ping(eu, 24)              // what stands before the first player is the ticket's
//       .player(evenmatch::player_id(42)).number(skill, 1510).string(mode, koth);
//
// Included by engine.hpp; filled by hosts. Invariant: every range that a ticket or a player names lies within
// its array and holds only what was said of it; a batch of which that is not so is unsound, and the engine is
// not asked.
#ifndef EVENMATCH_BATCH_HPP
#define EVENMATCH_BATCH_HPP

#include "ids.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace evenmatch {

/// Tickets with all that they bring. Not for two threads at once; cheap to clear and to fill again.
class batch {
public:
  /// Begins a ticket. `user_data` comes back with each of its events.
  batch &ticket(queue_id queue, std::uint64_t user_data = 0) {
    evenmatch_ticket made = EVENMATCH_TICKET_INIT;
    made.queue = raw(queue);
    made.user_data = user_data;
    tickets_.push_back(made);
    has_player_ = false;
    return *this;
  }

  /// Ends the ticket at this age, if its queue does not do so sooner.
  batch &timeout_ms(std::uint64_t span_ms) {
    if (evenmatch_ticket *last = open_ticket()) {
      last->timeout_ms = span_ms;
    }
    return *this;
  }

  /// When its wait began, if that was before the submit.
  batch &enqueued_ms(std::uint64_t at_ms) {
    if (evenmatch_ticket *last = open_ticket()) {
      last->flags |= EVENMATCH_TICKET_HAS_ENQUEUED;
      last->enqueued_ms = at_ms;
    }
    return *this;
  }

  /// The greatest round-trip time that it ever accepts for itself.
  batch &max_ping_ms(double span_ms) {
    if (evenmatch_ticket *last = open_ticket()) {
      last->flags |= EVENMATCH_TICKET_HAS_MAX_PING;
      last->max_ping_ms = span_ms;
    }
    return *this;
  }

  /// It accepts these regions only, and those of further calls; with an empty list none.
  batch &accept_regions(std::initializer_list<symbol> regions) {
    if (evenmatch_ticket *last = open_ticket()) {
      last->flags |= EVENMATCH_TICKET_HAS_REGIONS;
      for (symbol region : regions) {
        extend(last->region_first, last->region_count, symbols_.size());
        symbols_.push_back(raw(region));
      }
    }
    return *this;
  }

  /// The values that it accepts of every player of other tickets, at least and at most, for ever.
  batch &limit(symbol attribute, double least, double greatest) {
    const std::uint32_t both = EVENMATCH_LIMIT_HAS_LEAST | EVENMATCH_LIMIT_HAS_GREATEST;
    return put_limit(attribute, both, least, greatest);
  }
  /// As limit(), without an upper end.
  batch &limit_least(symbol attribute, double least) {
    return put_limit(attribute, EVENMATCH_LIMIT_HAS_LEAST, least, 0);
  }
  /// As limit(), without a lower end.
  batch &limit_greatest(symbol attribute, double greatest) {
    return put_limit(attribute, EVENMATCH_LIMIT_HAS_GREATEST, 0, greatest);
  }

  /// A player who is still to join; the wait begins with the last of them.
  batch &await_player(player_id player) {
    if (evenmatch_ticket *last = open_ticket()) {
      extend(last->awaited_first, last->awaited_count, awaited_.size());
      awaited_.push_back(player.raw());
    }
    return *this;
  }

  /// Begins a player of the ticket; without a ticket, the one who joins.
  batch &player(player_id id) {
    evenmatch_player made = EVENMATCH_PLAYER_INIT;
    made.id = id.raw();
    if (!tickets_.empty()) {
      extend(tickets_.back().player_first, tickets_.back().player_count, players_.size());
    }
    players_.push_back(made);
    has_player_ = true;
    return *this;
  }

  /// A round-trip time: of the player that was begun last, else of the ticket, for players without any of
  /// their own.
  batch &ping(symbol region, double round_trip_ms) {
    evenmatch_ping made = EVENMATCH_PING_INIT;
    made.region = raw(region);
    made.round_trip_ms = round_trip_ms;
    if (has_player_) {
      extend(players_.back().ping_first, players_.back().ping_count, pings_.size());
    } else if (evenmatch_ticket *last = open_ticket()) {
      extend(last->ping_first, last->ping_count, pings_.size());
    }
    pings_.push_back(made);
    return *this;
  }

  /// A number of the player's.
  batch &number(symbol attribute, double value) {
    if (evenmatch_attribute *made = put_attribute(attribute, EVENMATCH_ATTRIBUTE_NUMBER)) {
      made->number = value;
    }
    return *this;
  }

  /// A string of the player's that stands again and again.
  batch &string(symbol attribute, symbol value) {
    if (evenmatch_attribute *made = put_attribute(attribute, EVENMATCH_ATTRIBUTE_SYMBOL)) {
      made->symbol = raw(value);
    }
    return *this;
  }
  /// A string of the player's that may be different for each.
  batch &string(symbol attribute, std::string_view value) {
    return put_text(attribute, EVENMATCH_ATTRIBUTE_TEXT, value);
  }

  /// A list of strings of the player's.
  batch &list(symbol attribute, std::initializer_list<symbol> values) {
    return list(attribute, values.begin(), values.size());
  }
  /// A list of strings of the player's.
  batch &list(symbol attribute, const symbol *values, std::size_t count) {
    if (evenmatch_attribute *made = put_attribute(attribute, EVENMATCH_ATTRIBUTE_LIST)) {
      made->first = index(symbols_.size());
      made->count = index(count);
      for (std::size_t at = 0; at < count; at++) {
        symbols_.push_back(raw(values[at]));
      }
    }
    return *this;
  }

  /// JSON text, for an attribute that the queue keeps and does not declare.
  batch &json(symbol attribute, std::string_view value) {
    return put_text(attribute, EVENMATCH_ATTRIBUTE_JSON, value);
  }

  /// Takes everything out and keeps the memory.
  void clear() noexcept {
    tickets_.clear();
    players_.clear();
    attributes_.clear();
    pings_.clear();
    limits_.clear();
    symbols_.clear();
    awaited_.clear();
    text_.clear();
    has_player_ = false;
    is_sound_ = true;
  }

  /// How many tickets.
  std::size_t size() const noexcept { return tickets_.size(); }
  /// Are there none?
  bool empty() const noexcept { return tickets_.empty(); }
  /// Was everything said of a ticket or a player that had been begun, in one piece? If not, submits are
  /// refused with EVENMATCH_INVALID_ARGUMENT.
  bool is_sound() const noexcept { return is_sound_; }

  /// As evenmatch.h has it; valid until the batch changes.
  evenmatch_batch view() const noexcept {
    evenmatch_batch made = EVENMATCH_BATCH_INIT;
    made.tickets = tickets_.data();
    made.ticket_count = tickets_.size();
    made.players = players_.data();
    made.player_count = players_.size();
    made.attributes = attributes_.data();
    made.attribute_count = attributes_.size();
    made.pings = pings_.data();
    made.ping_count = pings_.size();
    made.limits = limits_.data();
    made.limit_count = limits_.size();
    made.symbols = symbols_.data();
    made.symbol_count = symbols_.size();
    made.awaited = awaited_.data();
    made.awaited_count = awaited_.size();
    made.text = text_.data();
    made.text_bytes = text_.size();
    return made;
  }

private:
  evenmatch_ticket *open_ticket() noexcept {
    is_sound_ = is_sound_ && !tickets_.empty();
    return tickets_.empty() ? nullptr : &tickets_.back();
  }

  std::uint32_t index(std::size_t value) noexcept {
    is_sound_ = is_sound_ && value <= UINT32_MAX;
    return static_cast<std::uint32_t>(value);
  }

  /// Takes one more element, which is about to be put at `end`, into a range.
  void extend(std::uint32_t &first, std::uint32_t &count, std::size_t end) noexcept {
    if (count == 0) {
      first = index(end);
    }
    is_sound_ = is_sound_ && static_cast<std::size_t>(first) + count == end;
    count++;
  }

  batch &put_limit(symbol attribute, std::uint32_t flags, double least, double greatest) {
    evenmatch_limit made = EVENMATCH_LIMIT_INIT;
    made.attribute = raw(attribute);
    made.flags = flags;
    made.least = least;
    made.greatest = greatest;
    if (evenmatch_ticket *last = open_ticket()) {
      extend(last->limit_first, last->limit_count, limits_.size());
      limits_.push_back(made);
    }
    return *this;
  }

  evenmatch_attribute *put_attribute(symbol attribute, std::int32_t kind) {
    is_sound_ = is_sound_ && has_player_;
    if (!has_player_) {
      return nullptr;
    }
    evenmatch_attribute made = EVENMATCH_ATTRIBUTE_INIT;
    made.name = raw(attribute);
    made.kind = kind;
    extend(players_.back().attribute_first, players_.back().attribute_count, attributes_.size());
    attributes_.push_back(made);
    return &attributes_.back();
  }

  batch &put_text(symbol attribute, std::int32_t kind, std::string_view value) {
    if (evenmatch_attribute *made = put_attribute(attribute, kind)) {
      made->first = index(text_.size());
      made->count = index(value.size());
      text_.append(value);
    }
    return *this;
  }

  std::vector<evenmatch_ticket> tickets_;
  std::vector<evenmatch_player> players_;
  std::vector<evenmatch_attribute> attributes_;
  std::vector<evenmatch_ping> pings_;
  std::vector<evenmatch_limit> limits_;
  std::vector<evenmatch_symbol> symbols_;
  std::vector<evenmatch_player_id> awaited_;
  std::string text_;
  bool has_player_ = false;
  bool is_sound_ = true;
};

} // namespace evenmatch

#endif
