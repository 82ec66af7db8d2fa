// The library itself: its versions, its layout, its words, and the sentence of the last refusal.
//
// Included by hosts and by engine.hpp. Invariant: nothing here needs an engine.
#ifndef EVENMATCH_LIBRARY_HPP
#define EVENMATCH_LIBRARY_HPP

#include "result.hpp"

#include <string>

namespace evenmatch {

namespace detail {

/// A text that the library writes into a buffer: 256 bytes first, then as many as it has.
template <class Read> result<std::string> text_of(const Read &read) {
  std::string text(256, '\0');
  for (;;) {
    std::uint64_t bytes = 0;
    const evenmatch_status code = read(&text[0], static_cast<std::uint64_t>(text.size()), &bytes);
    if (code == EVENMATCH_BUFFER_TOO_SMALL && bytes > text.size()) {
      text.resize(static_cast<std::size_t>(bytes));
    } else if (code != EVENMATCH_OK) {
      return refusal(code);
    } else {
      text.resize(static_cast<std::size_t>(bytes));
      return text;
    }
  }
}

} // namespace detail

/// Does the library that was loaded bear a program of this header? Ask once, before anything else.
inline outcome abi_fits() noexcept { return detail::answer(evenmatch_abi_check()); }

/// Does it bear one that was compiled with another version of the interface?
inline outcome abi_accepts(std::uint32_t abi_version) noexcept {
  return detail::answer(evenmatch_abi_accepts(abi_version));
}

/// The version of the library's binary interface.
inline std::uint32_t abi_version() noexcept { return evenmatch_abi_version(); }

/// The version of the library, "0.1.0".
inline const char *version() noexcept { return evenmatch_version_text(); }

/// How the library was built, for bug reports.
inline const char *build() noexcept { return evenmatch_build_text(); }

/// The word of a status, "QUEUE_FULL".
inline const char *status_text(evenmatch_status code) noexcept { return evenmatch_status_text(code); }

/// The word of a reason for which a ticket ended, "TIMED_OUT".
inline const char *end_reason_text(std::int32_t reason) noexcept { return evenmatch_end_reason_text(reason); }

/// The word of a reason for which a ticket can never be matched, "NO_REGION".
inline const char *unmatchable_text(std::int32_t reason) noexcept { return evenmatch_unmatchable_text(reason); }

/// The sentence that goes with the last refusal on this thread; empty if there was none.
inline std::string last_error() {
  const auto read = [](char *buffer, std::uint64_t capacity, std::uint64_t *bytes) {
    return evenmatch_last_error(buffer, capacity, bytes);
  };
  return detail::text_of(read).value_or(std::string());
}

/// A refusal for people: its word and its sentence. On the thread of the call and right behind it.
inline std::string sentence(const error &refusal) {
  const std::string more = refusal.note != nullptr ? std::string(refusal.note) : last_error();
  return more.empty() ? std::string(refusal.name()) : std::string(refusal.name()) + ": " + more;
}

/// The size of every struct and the place of every field, as the library sees them, for tests.
inline result<std::string> layout() {
  return detail::text_of([](char *buffer, std::uint64_t capacity, std::uint64_t *bytes) {
    return evenmatch_layout_read(buffer, capacity, bytes);
  });
}

} // namespace evenmatch

#endif
