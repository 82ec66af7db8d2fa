// A run of items that lie in memory of the host's, looked at in place: `for (auto team : match.teams())`.
//
// Included by receipts.hpp and events.hpp. Invariant: it holds an owner and two numbers, and is as
// short-lived as what it looks at. (std::span is of C++20, and items here are views that are made as they are
// asked for.)
#ifndef EVENMATCH_RUN_HPP
#define EVENMATCH_RUN_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace evenmatch {

/// `count` items from `first` on; `At` makes the item of a place in `Owner`.
template <class Owner, class Item, Item (*At)(const Owner &, std::size_t)> class run {
public:
  class iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Item;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Item;

    iterator(const Owner *owner, std::size_t at) noexcept : owner_(owner), at_(at) {}
    Item operator*() const { return At(*owner_, at_); }
    iterator &operator++() noexcept {
      ++at_;
      return *this;
    }
    iterator operator++(int) noexcept {
      iterator before = *this;
      ++at_;
      return before;
    }
    friend bool operator==(const iterator &a, const iterator &b) noexcept { return a.at_ == b.at_; }
    friend bool operator!=(const iterator &a, const iterator &b) noexcept { return a.at_ != b.at_; }

  private:
    const Owner *owner_;
    std::size_t at_;
  };

  run(const Owner &owner, std::size_t first, std::size_t count) noexcept
      : owner_(&owner), first_(first), count_(count) {}

  std::size_t size() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }
  /// One item; `at` is below size().
  Item operator[](std::size_t at) const { return At(*owner_, first_ + at); }
  iterator begin() const noexcept { return iterator(owner_, first_); }
  iterator end() const noexcept { return iterator(owner_, first_ + count_); }

private:
  const Owner *owner_;
  std::size_t first_;
  std::size_t count_;
};

} // namespace evenmatch

#endif
