// The functions of the library, as the header has them. Called by this package only.
// Written by tests/unity/raw.py from include/evenmatch.h; change it there.

using System.Runtime.InteropServices;

namespace Evenmatch.Raw
{
    internal static unsafe class Native
    {
#if UNITY_IOS && !UNITY_EDITOR
        internal const string Library = "__Internal";
#else
        internal const string Library = "evenmatch";
#endif

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* evenmatch_status_text(int status);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* evenmatch_end_reason_text(int reason);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* evenmatch_unmatchable_text(int reason);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_last_error(byte* buffer, ulong capacity, ulong* bytes_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern uint evenmatch_abi_version();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_abi_accepts(uint abi_version);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* evenmatch_version_text();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern byte* evenmatch_build_text();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_engine_new(evenmatch_engine_config* config, ulong* engine_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_engine_simd(ulong engine, uint* simd_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_engine_free(ulong engine);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_engine_close(ulong engine, ulong now_ms);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_engine_tick(
            ulong engine,
            ulong now_ms,
            ulong budget,
            evenmatch_tick_report* report_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_engine_help(ulong engine, uint* did_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_engine_advance(ulong engine, ulong now_ms);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_engine_next_due(ulong engine, ulong* due_ms_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_symbol_resolve(
            ulong engine,
            byte* text,
            ulong text_bytes,
            uint* symbol_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_symbol_read(
            ulong engine,
            uint symbol,
            byte* buffer,
            ulong capacity,
            ulong* bytes_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_queue_add(
            ulong engine,
            evenmatch_queue_source* source,
            ulong* queues_out,
            ulong capacity,
            ulong* count_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_queue_find(
            ulong engine,
            byte* name,
            ulong name_bytes,
            ulong* queue_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_queue_list(
            ulong engine,
            ulong* queues_out,
            ulong capacity,
            ulong* count_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_queue_suspend(ulong engine, ulong now_ms, ulong queue);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_queue_resume(ulong engine, ulong now_ms, ulong queue);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_queue_remove(ulong engine, ulong now_ms, ulong queue);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_region_set(ulong engine, ulong now_ms, uint region, int is_up);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_ticket_submit(
            ulong engine,
            ulong now_ms,
            evenmatch_batch* batch,
            evenmatch_submitted* results_out,
            ulong result_capacity,
            byte* details_out,
            ulong details_capacity,
            ulong* accepted_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_ticket_join(
            ulong engine,
            ulong now_ms,
            ulong ticket,
            evenmatch_batch* batch,
            ulong* missing_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_ticket_cancel(
            ulong engine,
            ulong now_ms,
            ulong ticket,
            ulong* match_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_ticket_update(
            ulong engine,
            ulong now_ms,
            ulong ticket,
            uint fields,
            evenmatch_batch* batch,
            ulong* match_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_match_requeue(
            ulong engine,
            ulong now_ms,
            ulong of_match,
            ulong* tickets,
            ulong ticket_count,
            evenmatch_submitted* results_out,
            ulong result_capacity,
            byte* details_out,
            ulong details_capacity,
            ulong* accepted_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_player_leave(
            ulong engine,
            ulong now_ms,
            evenmatch_player_id* player,
            ulong* ticket_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_ticket_leave(
            ulong engine,
            ulong now_ms,
            ulong ticket,
            evenmatch_player_id* player);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_player_list(
            ulong engine,
            evenmatch_player_id* player,
            ulong* tickets,
            ulong capacity,
            ulong* count_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_player_find(
            ulong engine,
            evenmatch_player_id* player,
            ulong* ticket_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_json_submit(
            ulong engine,
            ulong now_ms,
            evenmatch_json* json,
            evenmatch_submitted* result_out,
            byte* details_out,
            ulong details_capacity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_json_join(
            ulong engine,
            ulong now_ms,
            ulong ticket,
            evenmatch_json* json,
            ulong* missing_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_event_poll(ulong engine, evenmatch_event_buffers* buffers);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_ticket_read(
            ulong engine,
            ulong ticket,
            evenmatch_ticket_state* state_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_stats_read(ulong engine, evenmatch_stats* stats_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_stats_prometheus(
            ulong engine,
            byte* buffer,
            ulong capacity,
            ulong* bytes_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_queue_stats_read(
            ulong engine,
            ulong queue,
            evenmatch_queue_stats* stats_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_activity_read(
            ulong engine,
            ulong queue,
            evenmatch_activity* activity,
            ulong capacity,
            ulong* count_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_rule_activity_read(
            ulong engine,
            ulong queue,
            evenmatch_rule_activity* activity,
            ulong capacity,
            ulong* count_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_ticket_explain(
            ulong engine,
            ulong ticket,
            uint nearest,
            evenmatch_naming* naming,
            byte* buffer,
            ulong capacity,
            ulong* bytes_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_pair_explain(
            ulong engine,
            ulong ticket,
            ulong other,
            evenmatch_naming* naming,
            byte* buffer,
            ulong capacity,
            ulong* bytes_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_queue_estimate(
            ulong engine,
            ulong queue,
            evenmatch_question* question,
            evenmatch_estimate* estimate_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_record_poll(
            ulong engine,
            evenmatch_naming* naming,
            byte* buffer,
            ulong capacity,
            ulong* bytes_out,
            ulong* lines_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_record_note(
            ulong engine,
            ulong now_ms,
            byte* json,
            ulong json_bytes);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_engine_tick_meeting(
            ulong engine,
            ulong now_ms,
            ulong budget,
            evenmatch_departure* departures,
            ulong departure_count,
            evenmatch_tick_report* report_out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int evenmatch_layout_read(byte* buffer, ulong capacity, ulong* bytes_out);
    }
}
