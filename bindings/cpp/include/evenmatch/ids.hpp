// The names of things: queues, tickets, symbols and players, each a type of its own so that none is taken for
// another.
//
// Included by all other headers of the layer. Invariant: the same numbers as in evenmatch.h, converted by
// value.
#ifndef EVENMATCH_IDS_HPP
#define EVENMATCH_IDS_HPP

#include "evenmatch.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace evenmatch {

/// A queue of one engine; queue_id{} is none.
enum class queue_id : std::uint64_t {};

/// A ticket, or the match that is named after its oldest ticket; ticket_id{} is none.
enum class ticket_id : std::uint64_t {};

/// A name of one engine as a small number; symbol{} is no name.
enum class symbol : std::uint32_t {};

/// The number that evenmatch.h has for it.
constexpr std::uint64_t raw(queue_id id) noexcept { return static_cast<std::uint64_t>(id); }
/// The number that evenmatch.h has for it.
constexpr std::uint64_t raw(ticket_id id) noexcept { return static_cast<std::uint64_t>(id); }
/// The number that evenmatch.h has for it.
constexpr std::uint32_t raw(symbol name) noexcept { return static_cast<std::uint32_t>(name); }

/// One person: 128 bits of the host's choosing (a UUID, a platform id), compared only.
struct player_id {
  std::uint64_t hi = 0;
  std::uint64_t lo = 0;

  constexpr player_id() noexcept = default;
  /// A player whose id has no more than 64 bits.
  constexpr explicit player_id(std::uint64_t lower) noexcept : lo(lower) {}
  constexpr player_id(std::uint64_t upper, std::uint64_t lower) noexcept : hi(upper), lo(lower) {}
  constexpr explicit player_id(const evenmatch_player_id &id) noexcept : hi(id.hi), lo(id.lo) {}

  /// As evenmatch.h has it.
  constexpr evenmatch_player_id raw() const noexcept { return evenmatch_player_id{hi, lo}; }

  friend constexpr bool operator==(const player_id &a, const player_id &b) noexcept {
    return a.hi == b.hi && a.lo == b.lo;
  }
  friend constexpr bool operator!=(const player_id &a, const player_id &b) noexcept { return !(a == b); }
  friend constexpr bool operator<(const player_id &a, const player_id &b) noexcept {
    return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo;
  }
};

} // namespace evenmatch

/// Players may be keys of unordered containers.
template <> struct std::hash<evenmatch::player_id> {
  std::size_t operator()(const evenmatch::player_id &id) const noexcept {
    return std::hash<std::uint64_t>()(id.hi * 0x9E3779B97F4A7C15u ^ id.lo);
  }
};

#endif
