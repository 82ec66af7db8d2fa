// What a call answers: a value, or the error for which it was refused. No exceptions.
//
// Included by all headers of the layer that call the engine. Invariant: an error is plain data that allocates
// nothing; its sentence for people stays with the thread, see last_error() in library.hpp.
#ifndef EVENMATCH_RESULT_HPP
#define EVENMATCH_RESULT_HPP

#include "ids.hpp"

#include <cassert>
#include <utility>
#include <variant>

namespace evenmatch {

/// Why a call was refused.
struct error {
  /// EVENMATCH_QUEUE_FULL and so on; EVENMATCH_OK: it was not.
  evenmatch_status code = EVENMATCH_OK;
  /// With EVENMATCH_UNMATCHABLE: EVENMATCH_UNMATCHABLE_NO_REGION and so on.
  std::int32_t reason = 0;
  /// With EVENMATCH_PLAYER_ALREADY_QUEUED and EVENMATCH_SUPERSEDED the ticket that the player is in, with
  /// EVENMATCH_ALREADY_MATCHED the match.
  ticket_id other{};
  /// The sentence, if this layer refused the call by itself; else nullptr, and last_error() has it.
  const char *note = nullptr;

  /// The code as a word, "QUEUE_FULL".
  const char *name() const noexcept { return evenmatch_status_text(code); }
};

/// A value, or why there is none. Look before you take: `if (auto due = engine.next_due()) use(*due);`
template <class T> class [[nodiscard]] result {
public:
  result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  result(const evenmatch::error &refusal) noexcept : content_(std::in_place_index<1>, refusal) {}

  /// Is there a value?
  explicit operator bool() const noexcept { return content_.index() == 0; }

  /// Why there is none; EVENMATCH_OK if there is one.
  evenmatch::error error() const noexcept {
    const auto *refusal = std::get_if<1>(&content_);
    return refusal != nullptr ? *refusal : evenmatch::error{};
  }
  /// The code alone; EVENMATCH_OK if there is a value.
  evenmatch_status code() const noexcept { return error().code; }

  /// The value; only if there is one.
  T &operator*() & noexcept { return *held(); }
  /// The value; only if there is one.
  const T &operator*() const & noexcept { return *held(); }
  /// The value, to be moved out; only if there is one.
  T &&operator*() && noexcept { return std::move(*held()); }
  /// The value's members; only if there is one.
  T *operator->() noexcept { return held(); }
  /// The value's members; only if there is one.
  const T *operator->() const noexcept { return held(); }

  /// The value, or another one.
  T value_or(T otherwise) && { return *this ? std::move(*held()) : std::move(otherwise); }

private:
  T *held() noexcept {
    assert(*this && "the call was refused: there is no value");
    return std::get_if<0>(&content_);
  }
  const T *held() const noexcept {
    assert(*this && "the call was refused: there is no value");
    return std::get_if<0>(&content_);
  }

  std::variant<T, evenmatch::error> content_;
};

/// Done, or why not.
template <> class [[nodiscard]] result<void> {
public:
  constexpr result() noexcept = default;
  result(const evenmatch::error &refusal) noexcept : refusal_(refusal) {}

  /// Was it done?
  explicit operator bool() const noexcept { return refusal_.code == EVENMATCH_OK; }
  /// Why not; EVENMATCH_OK if it was.
  evenmatch::error error() const noexcept { return refusal_; }
  /// The code alone.
  evenmatch_status code() const noexcept { return refusal_.code; }

private:
  evenmatch::error refusal_;
};

/// What a call answers that has nothing to give but that it was done.
using outcome = result<void>;

namespace detail {

inline error refusal(evenmatch_status code, ticket_id other = ticket_id{}) noexcept {
  error made;
  made.code = code;
  made.other = other;
  return made;
}

/// A batch that is not what the call takes.
inline error unsound(const char *note) noexcept {
  error made = refusal(EVENMATCH_INVALID_ARGUMENT);
  made.note = note;
  return made;
}

inline constexpr char not_sound[] = "something was said of no ticket or no player, or not in one piece";
inline constexpr char not_one[] = "the batch has not exactly one ticket";

inline outcome answer(evenmatch_status code) noexcept { return outcome(refusal(code)); }

template <class T> result<T> answer(evenmatch_status code, T value) {
  if (code != EVENMATCH_OK) {
    return refusal(code);
  }
  return value;
}

} // namespace detail
} // namespace evenmatch

#endif
