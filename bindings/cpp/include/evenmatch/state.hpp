// One ticket as it is now, and the counts of a queue, each with its lists.
//
// Filled by engine.hpp, read by hosts. Invariant: the lists hold just what the library filled.
#ifndef EVENMATCH_STATE_HPP
#define EVENMATCH_STATE_HPP

#include "ids.hpp"

#include <vector>

namespace evenmatch {

/// One ticket, live or retained.
struct ticket_state {
  /// State, reason, ages and so on. Its pointers are not to be used.
  evenmatch_ticket_state now = EVENMATCH_TICKET_STATE_INIT;
  /// Each rule's window while it waits, in the order of the rules.
  std::vector<evenmatch_window> windows;
  /// Regions that it could be matched in now, best first.
  std::vector<evenmatch_ping> regions;

  ticket_id match() const noexcept { return ticket_id{now.in_match}; }
  queue_id queue() const noexcept { return queue_id{now.queue}; }
};

/// The counts of one queue.
struct queue_stats {
  /// The counts. Its pointer is not to be used.
  evenmatch_queue_stats now = EVENMATCH_QUEUE_STATS_INIT;
  /// Its regions.
  std::vector<evenmatch_region_stats> regions;
};

} // namespace evenmatch

#endif
