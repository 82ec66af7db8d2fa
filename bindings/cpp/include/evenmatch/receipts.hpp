// What came of each ticket of a batch, in memory that is reused.
//
// Filled by engine.hpp, read by hosts. Invariant: views are valid until the next call that fills the
// receipts.
#ifndef EVENMATCH_RECEIPTS_HPP
#define EVENMATCH_RECEIPTS_HPP

#include "result.hpp"
#include "run.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace evenmatch {

/// What came of one ticket.
class receipt {
public:
  receipt(const evenmatch_submitted &of, std::string_view detail) noexcept : of_(&of), detail_(detail) {}

  /// Was it accepted?
  explicit operator bool() const noexcept { return of_->status == EVENMATCH_OK; }
  /// The new ticket; ticket_id{} if it was refused.
  ticket_id ticket() const noexcept { return ticket_id{of_->ticket}; }
  /// Why it was refused; EVENMATCH_OK if it was not.
  evenmatch_status code() const noexcept { return of_->status; }
  /// Code, reason and the other ticket.
  evenmatch::error error() const noexcept {
    evenmatch::error made;
    made.code = of_->status;
    made.reason = of_->reason;
    made.other = ticket_id{of_->other};
    return made;
  }
  /// The sentence of a refusal; empty if there was no room for it.
  std::string_view detail() const noexcept { return detail_; }

private:
  const evenmatch_submitted *of_;
  std::string_view detail_;
};

/// What came of a batch. Not for two threads at once.
class receipts {
public:
  /// With room for so many bytes of sentences.
  explicit receipts(std::size_t detail_bytes_max = 4096) : details_(detail_bytes_max, '\0') {}

  /// How many tickets.
  std::size_t size() const noexcept { return count_; }
  /// Are there none?
  bool empty() const noexcept { return count_ == 0; }
  /// How many were accepted.
  std::uint64_t accepted() const noexcept { return accepted_; }
  /// That of one ticket, in the order of the batch; `at` is below size().
  receipt operator[](std::size_t at) const noexcept { return at_place(*this, at); }

private:
  friend class engine;

  static receipt at_place(const receipts &of, std::size_t at) noexcept {
    const evenmatch_submitted &found = of.results_[at];
    const std::size_t first = static_cast<std::size_t>(found.detail_first);
    return receipt(found, std::string_view(of.details_.data() + first, found.detail_bytes));
  }

  /// Makes room for `count` results.
  void open(std::size_t count) {
    count_ = 0;
    accepted_ = 0;
    if (results_.size() < count) {
      results_.resize(count, EVENMATCH_SUBMITTED_INIT);
    }
    if (count > 0) {
      results_[0] = EVENMATCH_SUBMITTED_INIT;
    }
  }

  std::vector<evenmatch_submitted> results_;
  std::string details_;
  std::size_t count_ = 0;
  std::uint64_t accepted_ = 0;

public:
  using all = run<receipts, receipt, &receipts::at_place>;
  all::iterator begin() const noexcept { return all(*this, 0, count_).begin(); }
  all::iterator end() const noexcept { return all(*this, 0, count_).end(); }
};

} // namespace evenmatch

#endif
