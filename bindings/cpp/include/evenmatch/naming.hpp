// What tickets, matches and players are called in texts that the engine writes.
//
// Made by hosts and handed to explanations and to the record. Invariant: it owns its names; what it does not name is
// written as the digits of its handle or id.
#ifndef EVENMATCH_NAMING_HPP
#define EVENMATCH_NAMING_HPP

#include "ids.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace evenmatch {

/// Names for texts; empty: all by digits.
class naming {
public:
  naming() = default;
  naming(const naming &) = delete;
  naming &operator=(const naming &) = delete;

  /// Names a ticket.
  naming &ticket(ticket_id id, std::string_view name) { return add(tickets_, id, name); }
  /// Names a match, whose id is that of its oldest ticket.
  naming &match(ticket_id id, std::string_view name) { return add(matches_, id, name); }
  /// Names a player.
  naming &player(player_id id, std::string_view name) {
    evenmatch_player_name one = EVENMATCH_PLAYER_NAME_INIT;
    one.id = id.raw();
    players_.push_back(with_text(one, name));
    return *this;
  }
  /// How players without a name are written: EVENMATCH_NAMES_HEX, or EVENMATCH_NAMES_DECIMAL.
  naming &players_as(std::int32_t how) noexcept {
    players_as_ = how;
    return *this;
  }

  /// The struct of evenmatch.h; valid until this object changes or ends.
  evenmatch_naming view() const noexcept {
    evenmatch_naming all = EVENMATCH_NAMING_INIT;
    all.players_as = players_as_;
    all.tickets = tickets_.data();
    all.ticket_count = tickets_.size();
    all.matches = matches_.data();
    all.match_count = matches_.size();
    all.players = players_.data();
    all.player_count = players_.size();
    return all;
  }

private:
  // A text of its own stays where it is when more come.
  template <class Name> Name with_text(Name one, std::string_view name) {
    texts_.push_back(std::make_unique<std::string>(name));
    one.text = texts_.back()->data();
    one.text_bytes = texts_.back()->size();
    return one;
  }

  naming &add(std::vector<evenmatch_ticket_name> &to, ticket_id id, std::string_view name) {
    evenmatch_ticket_name one = EVENMATCH_TICKET_NAME_INIT;
    one.id = raw(id);
    to.push_back(with_text(one, name));
    return *this;
  }

  std::vector<std::unique_ptr<std::string>> texts_;
  std::vector<evenmatch_ticket_name> tickets_;
  std::vector<evenmatch_ticket_name> matches_;
  std::vector<evenmatch_player_name> players_;
  std::int32_t players_as_ = EVENMATCH_NAMES_HEX;
};

} // namespace evenmatch

#endif
