// The engine: an object that frees itself.
//
// Used by hosts. Units, limits, errors and threads are those of the functions of evenmatch.h that each call
// names; calls may come from any thread, but for moves and the end of the object itself. Invariant: it owns
// exactly one handle, or none after a move; calls on none are answered with EVENMATCH_NOT_FOUND.
#ifndef EVENMATCH_ENGINE_HPP
#define EVENMATCH_ENGINE_HPP

#include "batch.hpp"
#include "events.hpp"
#include "json.hpp"
#include "library.hpp"
#include "naming.hpp"
#include "receipts.hpp"
#include "result.hpp"
#include "state.hpp"

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace evenmatch {

/// A matchmaking engine.
class engine {
public:
  /// Makes one. evenmatch_engine_new.
  static result<engine> make(const evenmatch_engine_config &config = EVENMATCH_ENGINE_CONFIG_INIT) {
    engine made;
    const evenmatch_status code = evenmatch_engine_new(&config, &made.handle_);
    if (code != EVENMATCH_OK) {
      return detail::refusal(code);
    }
    return result<engine>(std::move(made));
  }

  engine(engine &&other) noexcept : handle_(std::exchange(other.handle_, 0)) {}
  engine &operator=(engine &&other) noexcept {
    if (this != &other) {
      drop();
      handle_ = std::exchange(other.handle_, 0);
    }
    return *this;
  }
  engine(const engine &) = delete;
  engine &operator=(const engine &) = delete;
  /// Frees it; waits for callers that are inside.
  ~engine() { drop(); }

  /// For calls of evenmatch.h.
  evenmatch_engine handle() const noexcept { return handle_; }

  /// Frees it before the object's end. evenmatch_engine_free.
  outcome free() noexcept { return detail::answer(evenmatch_engine_free(std::exchange(handle_, 0))); }

  /// Ends every ticket; events can still be polled. evenmatch_engine_close.
  outcome close(std::uint64_t now_ms) noexcept { return detail::answer(evenmatch_engine_close(handle_, now_ms)); }

  /// Takes inputs in, ends what has timed out and matches; `budget` in steps, 0: no limit.
  /// evenmatch_engine_tick.
  result<evenmatch_tick_report> tick(std::uint64_t now_ms, std::uint64_t budget = 0) noexcept {
    evenmatch_tick_report report = EVENMATCH_TICK_REPORT_INIT;
    const evenmatch_status code = evenmatch_engine_tick(handle_, now_ms, budget, &report);
    return detail::answer(code, report);
  }

  /// As tick, for the replay of a record: each departure is made behind as many claims of the tick as it says, and gets its
  /// status. evenmatch_engine_tick_meeting.
  result<evenmatch_tick_report> tick_meeting(std::uint64_t now_ms, std::vector<evenmatch_departure> &departures,
                                             std::uint64_t budget = 0) noexcept {
    evenmatch_tick_report report = EVENMATCH_TICK_REPORT_INIT;
    const evenmatch_status code = evenmatch_engine_tick_meeting(handle_, now_ms, budget, departures.data(),
                                                                departures.size(), &report);
    return detail::answer(code, report);
  }

  /// When a tick could change anything without new input; EVENMATCH_NEVER: not at all.
  /// evenmatch_engine_next_due.
  result<std::uint64_t> next_due() const noexcept {
    std::uint64_t due_ms = EVENMATCH_NEVER;
    const evenmatch_status code = evenmatch_engine_next_due(handle_, &due_ms);
    return detail::answer(code, due_ms);
  }

  /// The instruction set that the searches use, EVENMATCH_SIMD_... evenmatch_engine_simd.
  result<std::uint32_t> simd() const noexcept {
    std::uint32_t taken = EVENMATCH_SIMD_AUTO;
    const evenmatch_status code = evenmatch_engine_simd(handle_, &taken);
    return detail::answer(code, taken);
  }

  /// The symbol of a name, to be kept. evenmatch_symbol_resolve.
  result<symbol> resolve(std::string_view text) noexcept {
    evenmatch_symbol found = 0;
    const evenmatch_status code = evenmatch_symbol_resolve(handle_, text.data(), text.size(), &found);
    return detail::answer(code, symbol{found});
  }

  /// The name of a symbol. evenmatch_symbol_read.
  result<std::string> text(symbol name) const {
    return detail::text_of([this, name](char *buffer, std::uint64_t capacity, std::uint64_t *bytes) {
      return evenmatch_symbol_read(handle_, raw(name), buffer, capacity, bytes);
    });
  }

  /// Adds the one queue of a JSON text. evenmatch_queue_add.
  result<queue_id> add_queue(std::string_view json, queue_report *report = nullptr, queue_options options = {}) {
    evenmatch_queue added = 0;
    std::uint64_t count = 0;
    const evenmatch_status code = read_queues(json, report, options, &added, 1, &count);
    return detail::answer(code, queue_id{added});
  }

  /// Adds all queues of a JSON text, or none. evenmatch_queue_add.
  result<std::vector<queue_id>>
  add_queues(std::string_view json, queue_report *report = nullptr, queue_options options = {}) {
    std::array<evenmatch_queue, 256> added{};
    std::uint64_t count = 0;
    const evenmatch_status code = read_queues(json, report, options, added.data(), added.size(), &count);
    return queue_list(code, added.data(), count);
  }

  /// The queue of a name. evenmatch_queue_find.
  result<queue_id> find_queue(std::string_view name) const noexcept {
    evenmatch_queue found = 0;
    const evenmatch_status code = evenmatch_queue_find(handle_, name.data(), name.size(), &found);
    return detail::answer(code, queue_id{found});
  }

  /// All queues, in the order in which they were added. evenmatch_queue_list.
  result<std::vector<queue_id>> queues() const {
    std::array<evenmatch_queue, 256> found{};
    std::uint64_t count = 0;
    const evenmatch_status code = evenmatch_queue_list(handle_, found.data(), found.size(), &count);
    return queue_list(code, found.data(), count);
  }

  /// Stops a queue; its tickets stay. evenmatch_queue_suspend.
  outcome suspend(std::uint64_t now_ms, queue_id queue) noexcept {
    return detail::answer(evenmatch_queue_suspend(handle_, now_ms, raw(queue)));
  }

  /// Opens it again. evenmatch_queue_resume.
  outcome resume(std::uint64_t now_ms, queue_id queue) noexcept {
    return detail::answer(evenmatch_queue_resume(handle_, now_ms, raw(queue)));
  }

  /// Removes it; its tickets end. evenmatch_queue_remove.
  outcome remove(std::uint64_t now_ms, queue_id queue) noexcept {
    return detail::answer(evenmatch_queue_remove(handle_, now_ms, raw(queue)));
  }

  /// Says whether a region is up. evenmatch_region_set.
  outcome set_region(std::uint64_t now_ms, symbol region, bool is_up) noexcept {
    return detail::answer(evenmatch_region_set(handle_, now_ms, raw(region), is_up ? 1 : 0));
  }

  /// Submits a batch; each ticket is accepted or refused by itself. evenmatch_ticket_submit.
  outcome submit(std::uint64_t now_ms, const batch &tickets, receipts &into) {
    return tickets.is_sound() ? submit(now_ms, tickets.view(), into) : unsound(into);
  }

  /// Submits arrays of the host's own. evenmatch_ticket_submit.
  outcome submit(std::uint64_t now_ms, const evenmatch_batch &tickets, receipts &into) {
    into.open(static_cast<std::size_t>(tickets.ticket_count));
    const evenmatch_status code = evenmatch_ticket_submit(handle_, now_ms, &tickets, into.results_.data(),
                                                          into.results_.size(), &into.details_[0],
                                                          into.details_.size(), &into.accepted_);
    into.count_ = code == EVENMATCH_OK ? static_cast<std::size_t>(tickets.ticket_count) : 0;
    return detail::answer(code);
  }

  /// Submits the one ticket of a batch. evenmatch_ticket_submit.
  result<ticket_id> submit_one(std::uint64_t now_ms, const batch &ticket) noexcept {
    if (!ticket.is_sound() || ticket.size() != 1) {
      return detail::unsound(ticket.is_sound() ? detail::not_one : detail::not_sound);
    }
    const evenmatch_batch tickets = ticket.view();
    evenmatch_submitted done = EVENMATCH_SUBMITTED_INIT;
    const evenmatch_status code =
        evenmatch_ticket_submit(handle_, now_ms, &tickets, &done, 1, nullptr, 0, nullptr);
    return one_ticket(code, done);
  }

  /// Submits one ticket that is JSON text. evenmatch_json_submit.
  result<ticket_id> submit(std::uint64_t now_ms, const json_request &ticket) noexcept {
    const evenmatch_json json = ticket.view();
    evenmatch_submitted done = EVENMATCH_SUBMITTED_INIT;
    const evenmatch_status code = evenmatch_json_submit(handle_, now_ms, &json, &done, nullptr, 0);
    return one_ticket(code, done);
  }

  /// Lets the one player of a batch join a forming ticket; answers how many are still to join.
  /// evenmatch_ticket_join.
  result<std::uint64_t> join(std::uint64_t now_ms, ticket_id ticket, const batch &player) noexcept {
    if (!player.is_sound()) {
      return detail::unsound(detail::not_sound);
    }
    const evenmatch_batch one = player.view();
    std::uint64_t missing = 0;
    const evenmatch_status code = evenmatch_ticket_join(handle_, now_ms, raw(ticket), &one, &missing);
    return detail::answer(code, missing);
  }

  /// The same for a player who is JSON text. evenmatch_json_join.
  result<std::uint64_t> join(std::uint64_t now_ms, ticket_id ticket, const json_request &player) noexcept {
    const evenmatch_json json = player.view();
    std::uint64_t missing = 0;
    const evenmatch_status code = evenmatch_json_join(handle_, now_ms, raw(ticket), &json, &missing);
    return detail::answer(code, missing);
  }

  /// Takes a ticket out; EVENMATCH_ALREADY_MATCHED names the match. evenmatch_ticket_cancel.
  outcome cancel(std::uint64_t now_ms, ticket_id ticket) noexcept {
    evenmatch_ticket_id match = 0;
    const evenmatch_status code = evenmatch_ticket_cancel(handle_, now_ms, raw(ticket), &match);
    return detail::refusal(code, ticket_id{match});
  }

  /// Takes the player's ticket out whole, and answers which. evenmatch_player_leave.
  result<ticket_id> leave(std::uint64_t now_ms, player_id player) noexcept {
    const evenmatch_player_id id = player.raw();
    evenmatch_ticket_id left = 0;
    const evenmatch_status code = evenmatch_player_leave(handle_, now_ms, &id, &left);
    return detail::answer(code, ticket_id{left});
  }

  /// Takes one ticket of the player out whole. evenmatch_ticket_leave.
  outcome leave(std::uint64_t now_ms, player_id player, ticket_id ticket) noexcept {
    const evenmatch_player_id id = player.raw();
    return detail::answer(evenmatch_ticket_leave(handle_, now_ms, raw(ticket), &id));
  }

  /// The live tickets of a player, the oldest first. evenmatch_player_list.
  result<std::vector<ticket_id>> tickets_of(player_id player) const {
    const evenmatch_player_id id = player.raw();
    std::array<evenmatch_ticket_id, 256> found{};
    std::uint64_t count = 0;
    const evenmatch_status code = evenmatch_player_list(handle_, &id, found.data(), found.size(), &count);
    if (code != EVENMATCH_OK) {
      return detail::refusal(code);
    }
    std::vector<ticket_id> tickets;
    for (std::uint64_t at = 0; at < count; at++) {
      tickets.push_back(ticket_id{found[at]});
    }
    return tickets;
  }

  /// The live ticket of a player; of several the oldest. evenmatch_player_find.
  result<ticket_id> find(player_id player) const noexcept {
    const evenmatch_player_id id = player.raw();
    evenmatch_ticket_id found = 0;
    const evenmatch_status code = evenmatch_player_find(handle_, &id, &found);
    return detail::answer(code, ticket_id{found});
  }

  /// Replaces what `fields` (EVENMATCH_UPDATE_..) names by what the one ticket of the batch has.
  /// evenmatch_ticket_update.
  outcome update(std::uint64_t now_ms, ticket_id ticket, std::uint32_t fields, const batch &change) noexcept {
    if (!change.is_sound()) {
      return detail::unsound(detail::not_sound);
    }
    const evenmatch_batch one = change.view();
    evenmatch_ticket_id match = 0;
    const evenmatch_status code = evenmatch_ticket_update(handle_, now_ms, raw(ticket), fields, &one, &match);
    return detail::refusal(code, ticket_id{match});
  }

  /// Puts tickets of a match that came to nothing back, as new tickets. evenmatch_match_requeue.
  outcome requeue(std::uint64_t now_ms, ticket_id match, const std::vector<ticket_id> &tickets, receipts &into) {
    std::vector<evenmatch_ticket_id> ids;
    ids.reserve(tickets.size());
    for (ticket_id ticket : tickets) {
      ids.push_back(raw(ticket));
    }
    into.open(ids.size());
    const evenmatch_status code = evenmatch_match_requeue(
        handle_, now_ms, raw(match), ids.data(), ids.size(), into.results_.data(), into.results_.size(),
        &into.details_[0], into.details_.size(), &into.accepted_);
    into.count_ = code == EVENMATCH_OK ? ids.size() : 0;
    return detail::answer(code);
  }

  /// Moves events into the host's memory, which grows if the first one does not fit. evenmatch_event_poll.
  outcome poll(events &into) {
    for (;;) {
      const evenmatch_status code = evenmatch_event_poll(handle_, &into.open());
      if (code == EVENMATCH_OK) {
        return outcome();
      }
      const bool has_grown = code == EVENMATCH_BUFFER_TOO_SMALL && into.grow();
      into.close();
      if (!has_grown) {
        return detail::answer(code);
      }
    }
  }

  /// One ticket as it is now. evenmatch_ticket_read.
  result<ticket_state> read(ticket_id ticket) const {
    ticket_state state;
    state.windows.assign(20, EVENMATCH_WINDOW_INIT);
    state.regions.assign(64, EVENMATCH_PING_INIT);
    for (;;) {
      state.now = EVENMATCH_TICKET_STATE_INIT;
      state.now.windows = state.windows.data();
      state.now.window_capacity = state.windows.size();
      state.now.regions = state.regions.data();
      state.now.region_capacity = state.regions.size();
      const evenmatch_status code = evenmatch_ticket_read(handle_, raw(ticket), &state.now);
      const bool fits =
          state.now.window_count <= state.windows.size() && state.now.region_count <= state.regions.size();
      if (code != EVENMATCH_OK && (code != EVENMATCH_BUFFER_TOO_SMALL || fits)) {
        return detail::refusal(code);
      }
      state.windows.resize(static_cast<std::size_t>(state.now.window_count), EVENMATCH_WINDOW_INIT);
      state.regions.resize(static_cast<std::size_t>(state.now.region_count), EVENMATCH_PING_INIT);
      if (code == EVENMATCH_OK) {
        return state;
      }
    }
  }

  /// Lends the calling thread to a running tick; whether there was something to do. evenmatch_engine_help.
  result<bool> help() noexcept {
    std::uint32_t did = 0;
    const evenmatch_status code = evenmatch_engine_help(handle_, &did);
    return detail::answer(code, did != 0);
  }

  /// Moves engine time on, and does nothing else. evenmatch_engine_advance.
  outcome advance(std::uint64_t now_ms) noexcept {
    return detail::answer(evenmatch_engine_advance(handle_, now_ms));
  }

  /// Why a ticket is not matched, as JSON text, with so many of the nearest candidates. evenmatch_ticket_explain.
  result<std::string> explain(ticket_id ticket, std::uint32_t nearest = 5, const naming &names = {}) const {
    const evenmatch_naming called = names.view();
    return detail::text_of([&](char *buffer, std::uint64_t capacity, std::uint64_t *bytes) {
      return evenmatch_ticket_explain(handle_, raw(ticket), nearest, &called, buffer, capacity, bytes);
    });
  }

  /// What is between two tickets, as JSON text. evenmatch_pair_explain.
  result<std::string> explain_pair(ticket_id ticket, ticket_id other, const naming &names = {}) const {
    const evenmatch_naming called = names.view();
    return detail::text_of([&](char *buffer, std::uint64_t capacity, std::uint64_t *bytes) {
      return evenmatch_pair_explain(handle_, raw(ticket), raw(other), &called, buffer, capacity, bytes);
    });
  }

  /// How long a ticket can expect to wait; without a skill and without regions: any. evenmatch_queue_estimate.
  result<evenmatch_estimate>
  estimate(queue_id queue, std::optional<double> skill = {}, const std::vector<symbol> &regions = {}) const {
    std::vector<evenmatch_symbol> symbols;
    symbols.reserve(regions.size());
    for (symbol region : regions) {
      symbols.push_back(raw(region));
    }
    evenmatch_question question = EVENMATCH_QUESTION_INIT;
    question.flags = skill ? EVENMATCH_QUESTION_HAS_SKILL : 0;
    question.skill = skill.value_or(0);
    question.regions = symbols.data();
    question.region_count = symbols.size();
    evenmatch_estimate found = EVENMATCH_ESTIMATE_INIT;
    const evenmatch_status code = evenmatch_queue_estimate(handle_, raw(queue), &question, &found);
    return detail::answer(code, found);
  }

  /// Appends the lines that were recorded since the last call, and answers how many. An engine records with
  /// EVENMATCH_ENGINE_RECORD. evenmatch_record_poll.
  result<std::uint64_t> record(std::string &out, const naming &names = {}) {
    const evenmatch_naming called = names.view();
    const std::size_t before = out.size();
    std::uint64_t all = 0;
    std::size_t room = 16 * 1024;
    for (;;) {
      const std::size_t start = out.size();
      std::uint64_t bytes = 0, lines = 0;
      out.resize(start + room);
      const evenmatch_status code = evenmatch_record_poll(handle_, &called, &out[start], room, &bytes, &lines);
      out.resize(start + (code == EVENMATCH_OK ? static_cast<std::size_t>(bytes) : 0));
      if (code == EVENMATCH_BUFFER_TOO_SMALL) {
        room = static_cast<std::size_t>(bytes);
      } else if (code != EVENMATCH_OK && out.size() == before) {
        return detail::refusal(code);
      } else if (code != EVENMATCH_OK || bytes == 0) {
        return all;
      }
      all += lines;
    }
  }

  /// Puts a note, a JSON object, into the record. evenmatch_record_note.
  outcome note(std::uint64_t now_ms, std::string_view json) noexcept {
    return detail::answer(evenmatch_record_note(handle_, now_ms, json.data(), json.size()));
  }

  /// What became of a queue's tickets: the queue as a whole, then its regions. evenmatch_activity_read.
  result<std::vector<evenmatch_activity>> activity(queue_id queue) const {
    return rows<evenmatch_activity>(EVENMATCH_ACTIVITY_INIT, [&](auto *into, std::uint64_t capacity, auto *count) {
      return evenmatch_activity_read(handle_, raw(queue), into, capacity, count);
    });
  }

  /// Which rules keep a queue's tickets apart; the last one are the tickets' own limits.
  /// evenmatch_rule_activity_read.
  result<std::vector<evenmatch_rule_activity>> rule_activity(queue_id queue) const {
    const evenmatch_rule_activity empty = EVENMATCH_RULE_ACTIVITY_INIT;
    return rows<evenmatch_rule_activity>(empty, [&](auto *into, std::uint64_t capacity, auto *count) {
      return evenmatch_rule_activity_read(handle_, raw(queue), into, capacity, count);
    });
  }

  /// All counts as text for Prometheus. evenmatch_stats_prometheus.
  result<std::string> prometheus() const {
    return detail::text_of([this](char *buffer, std::uint64_t capacity, std::uint64_t *bytes) {
      return evenmatch_stats_prometheus(handle_, buffer, capacity, bytes);
    });
  }

  /// The counts of the engine. evenmatch_stats_read.
  result<evenmatch_stats> stats() const noexcept {
    evenmatch_stats found = EVENMATCH_STATS_INIT;
    const evenmatch_status code = evenmatch_stats_read(handle_, &found);
    return detail::answer(code, found);
  }

  /// The counts of a queue. evenmatch_queue_stats_read.
  result<queue_stats> stats(queue_id queue) const {
    queue_stats found;
    found.regions.assign(64, EVENMATCH_REGION_STATS_INIT);
    for (;;) {
      found.now = EVENMATCH_QUEUE_STATS_INIT;
      found.now.regions = found.regions.data();
      found.now.region_capacity = found.regions.size();
      const evenmatch_status code = evenmatch_queue_stats_read(handle_, raw(queue), &found.now);
      const bool fits = found.now.region_count <= found.regions.size();
      if (code != EVENMATCH_OK && (code != EVENMATCH_BUFFER_TOO_SMALL || fits)) {
        return detail::refusal(code);
      }
      found.regions.resize(static_cast<std::size_t>(found.now.region_count), EVENMATCH_REGION_STATS_INIT);
      if (code == EVENMATCH_OK) {
        return found;
      }
    }
  }

private:
  engine() noexcept = default;

  void drop() noexcept {
    if (handle_ != 0) {
      evenmatch_engine_free(std::exchange(handle_, 0));
    }
  }

  template <class Row, class Read>
  static result<std::vector<Row>> rows(const Row &empty, const Read &read) {
    std::vector<Row> found(65, empty);
    for (;;) {
      std::uint64_t count = 0;
      const evenmatch_status code = read(found.data(), found.size(), &count);
      if (code != EVENMATCH_OK && (code != EVENMATCH_BUFFER_TOO_SMALL || count <= found.size())) {
        return detail::refusal(code);
      }
      found.resize(static_cast<std::size_t>(count), empty);
      if (code == EVENMATCH_OK) {
        return found;
      }
    }
  }

  static outcome unsound(receipts &into) {
    into.open(0);
    return detail::unsound(detail::not_sound);
  }

  static result<ticket_id> one_ticket(evenmatch_status code, const evenmatch_submitted &done) noexcept {
    if (code != EVENMATCH_OK) {
      return detail::refusal(code);
    }
    if (done.status != EVENMATCH_OK) {
      return receipt(done, std::string_view()).error();
    }
    return ticket_id{done.ticket};
  }

  static result<std::vector<queue_id>>
  queue_list(evenmatch_status code, const evenmatch_queue *found, std::uint64_t count) {
    if (code != EVENMATCH_OK) {
      return detail::refusal(code);
    }
    std::vector<queue_id> queues;
    for (std::uint64_t at = 0; at < count; at++) {
      queues.push_back(queue_id{found[at]});
    }
    return queues;
  }

  evenmatch_status read_queues(std::string_view json, queue_report *report, const queue_options &options,
                               evenmatch_queue *into, std::uint64_t capacity, std::uint64_t *count) {
    evenmatch_queue_source source = EVENMATCH_QUEUE_SOURCE_INIT;
    source.format = options.format;
    source.windows = options.windows;
    source.total_windows = options.total_windows;
    source.intersection_delta = options.intersection_delta;
    source.json = json.data();
    source.json_bytes = json.size();
    if (report != nullptr) {
      report->text.resize(64 * 1024);
      source.text = &report->text[0];
      source.text_capacity = report->text.size();
    }
    const evenmatch_status code = evenmatch_queue_add(handle_, &source, into, capacity, count);
    if (report != nullptr) {
      report->line = source.line;
      report->column = source.column;
      report->error_count = source.error_count;
      report->warning_count = source.warning_count;
      const std::uint64_t room = report->text.size();
      report->text.resize(static_cast<std::size_t>(source.text_bytes < room ? source.text_bytes : room));
    }
    return code;
  }

  evenmatch_engine handle_ = 0;
};

} // namespace evenmatch

#endif
