// Exceptions, for hosts that want them: `auto engine = evenmatch::or_throw(evenmatch::engine::make());`
//
// Included by hosts only, never by the rest of the layer. Invariant: they are thrown by the host's own
// frames, after the engine's call has returned.
#ifndef EVENMATCH_EXCEPTIONS_HPP
#define EVENMATCH_EXCEPTIONS_HPP

#include "library.hpp"
#include "result.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace evenmatch {

/// A call was refused. what() has the code's word and the sentence that goes with it.
class failure : public std::runtime_error {
public:
  explicit failure(const evenmatch::error &refusal)
      : std::runtime_error(sentence(refusal)), refusal_(refusal) {}

  /// The refusal as a value.
  const evenmatch::error &error() const noexcept { return refusal_; }
  /// Its code.
  evenmatch_status code() const noexcept { return refusal_.code; }

private:
  evenmatch::error refusal_;
};

/// The value, or a thrown failure. On the thread of the call and right behind it, for the sentence is the
/// thread's.
template <class T> T or_throw(result<T> &&answer) {
  if (!answer) {
    throw failure(answer.error());
  }
  return *std::move(answer);
}

/// Nothing, or a thrown failure.
inline void or_throw(outcome &&answer) {
  if (!answer) {
    throw failure(answer.error());
  }
}

} // namespace evenmatch

#endif
