// What C# makes of every struct: its size, and each field's offset and size, as lines like the library's own.
// Written by tests/unity/raw.py from include/evenmatch.h; change it there.

using System.Text;
using Evenmatch.Raw;

namespace Evenmatch.Tests
{
    internal static unsafe class LayoutTable
    {
        internal static string Text()
        {
            var lines = new StringBuilder();
            Add_evenmatch_engine_config(lines);
            Add_evenmatch_tick_report(lines);
            Add_evenmatch_queue_source(lines);
            Add_evenmatch_ticket(lines);
            Add_evenmatch_player_id(lines);
            Add_evenmatch_player(lines);
            Add_evenmatch_attribute(lines);
            Add_evenmatch_ping(lines);
            Add_evenmatch_limit(lines);
            Add_evenmatch_batch(lines);
            Add_evenmatch_submitted(lines);
            Add_evenmatch_player_name(lines);
            Add_evenmatch_json(lines);
            Add_evenmatch_event(lines);
            Add_evenmatch_team(lines);
            Add_evenmatch_matched(lines);
            Add_evenmatch_kept(lines);
            Add_evenmatch_event_buffers(lines);
            Add_evenmatch_window(lines);
            Add_evenmatch_ticket_state(lines);
            Add_evenmatch_stats(lines);
            Add_evenmatch_region_stats(lines);
            Add_evenmatch_queue_stats(lines);
            Add_evenmatch_activity(lines);
            Add_evenmatch_rule_activity(lines);
            Add_evenmatch_ticket_name(lines);
            Add_evenmatch_naming(lines);
            Add_evenmatch_question(lines);
            Add_evenmatch_estimate(lines);
            Add_evenmatch_departure(lines);
            return lines.ToString();
        }

        private static void Field(StringBuilder lines, string name, void* start, void* field, int size)
        {
            var offset = (byte*)field - (byte*)start;
            lines.Append(name).Append(' ').Append(offset).Append(' ').Append(size).Append('\n');
        }

        private static void Add_evenmatch_engine_config(StringBuilder lines)
        {
            evenmatch_engine_config s;
            lines.Append("evenmatch_engine_config ").Append(sizeof(evenmatch_engine_config)).Append('\n');
            Field(lines, "evenmatch_engine_config.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_engine_config.flags", &s, &s.flags, sizeof(uint));
            Field(lines, "evenmatch_engine_config.capacity", &s, &s.capacity, sizeof(uint));
            Field(lines, "evenmatch_engine_config.retained", &s, &s.retained, sizeof(uint));
            Field(lines, "evenmatch_engine_config.search_nodes", &s, &s.search_nodes, sizeof(uint));
            Field(lines, "evenmatch_engine_config.symbols", &s, &s.symbols, sizeof(uint));
            Field(lines, "evenmatch_engine_config.threads", &s, &s.threads, sizeof(uint));
            Field(lines, "evenmatch_engine_config.stats_slices", &s, &s.stats_slices, sizeof(uint));
            Field(lines, "evenmatch_engine_config.stats_window_ms", &s, &s.stats_window_ms, sizeof(uint));
            Field(lines, "evenmatch_engine_config.simd", &s, &s.simd, sizeof(uint));
        }

        private static void Add_evenmatch_tick_report(StringBuilder lines)
        {
            evenmatch_tick_report s;
            lines.Append("evenmatch_tick_report ").Append(sizeof(evenmatch_tick_report)).Append('\n');
            Field(lines, "evenmatch_tick_report.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_tick_report.is_complete", &s, &s.is_complete, sizeof(uint));
            Field(lines, "evenmatch_tick_report.at_ms", &s, &s.at_ms, sizeof(ulong));
            Field(lines, "evenmatch_tick_report.steps", &s, &s.steps, sizeof(ulong));
            Field(lines, "evenmatch_tick_report.matches", &s, &s.matches, sizeof(ulong));
            Field(lines, "evenmatch_tick_report.ended", &s, &s.ended, sizeof(ulong));
        }

        private static void Add_evenmatch_queue_source(StringBuilder lines)
        {
            evenmatch_queue_source s;
            lines.Append("evenmatch_queue_source ").Append(sizeof(evenmatch_queue_source)).Append('\n');
            Field(lines, "evenmatch_queue_source.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_queue_source.format", &s, &s.format, sizeof(int));
            Field(lines, "evenmatch_queue_source.windows", &s, &s.windows, sizeof(int));
            Field(lines, "evenmatch_queue_source.total_windows", &s, &s.total_windows, sizeof(int));
            Field(lines, "evenmatch_queue_source.intersection_delta", &s, &s.intersection_delta, sizeof(int));
            Field(lines, "evenmatch_queue_source.line", &s, &s.line, sizeof(uint));
            Field(lines, "evenmatch_queue_source.column", &s, &s.column, sizeof(uint));
            Field(lines, "evenmatch_queue_source.error_count", &s, &s.error_count, sizeof(uint));
            Field(lines, "evenmatch_queue_source.warning_count", &s, &s.warning_count, sizeof(uint));
            Field(lines, "evenmatch_queue_source.reserved", &s, &s.reserved, sizeof(uint));
            Field(lines, "evenmatch_queue_source.json_bytes", &s, &s.json_bytes, sizeof(ulong));
            Field(lines, "evenmatch_queue_source.text_capacity", &s, &s.text_capacity, sizeof(ulong));
            Field(lines, "evenmatch_queue_source.text_bytes", &s, &s.text_bytes, sizeof(ulong));
            Field(lines, "evenmatch_queue_source.json", &s, &s.json, sizeof(byte*));
            Field(lines, "evenmatch_queue_source.text", &s, &s.text, sizeof(byte*));
        }

        private static void Add_evenmatch_ticket(StringBuilder lines)
        {
            evenmatch_ticket s;
            lines.Append("evenmatch_ticket ").Append(sizeof(evenmatch_ticket)).Append('\n');
            Field(lines, "evenmatch_ticket.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_ticket.flags", &s, &s.flags, sizeof(uint));
            Field(lines, "evenmatch_ticket.queue", &s, &s.queue, sizeof(ulong));
            Field(lines, "evenmatch_ticket.user_data", &s, &s.user_data, sizeof(ulong));
            Field(lines, "evenmatch_ticket.timeout_ms", &s, &s.timeout_ms, sizeof(ulong));
            Field(lines, "evenmatch_ticket.enqueued_ms", &s, &s.enqueued_ms, sizeof(ulong));
            Field(lines, "evenmatch_ticket.max_ping_ms", &s, &s.max_ping_ms, sizeof(double));
            Field(lines, "evenmatch_ticket.player_first", &s, &s.player_first, sizeof(uint));
            Field(lines, "evenmatch_ticket.player_count", &s, &s.player_count, sizeof(uint));
            Field(lines, "evenmatch_ticket.awaited_first", &s, &s.awaited_first, sizeof(uint));
            Field(lines, "evenmatch_ticket.awaited_count", &s, &s.awaited_count, sizeof(uint));
            Field(lines, "evenmatch_ticket.ping_first", &s, &s.ping_first, sizeof(uint));
            Field(lines, "evenmatch_ticket.ping_count", &s, &s.ping_count, sizeof(uint));
            Field(lines, "evenmatch_ticket.limit_first", &s, &s.limit_first, sizeof(uint));
            Field(lines, "evenmatch_ticket.limit_count", &s, &s.limit_count, sizeof(uint));
            Field(lines, "evenmatch_ticket.region_first", &s, &s.region_first, sizeof(uint));
            Field(lines, "evenmatch_ticket.region_count", &s, &s.region_count, sizeof(uint));
        }

        private static void Add_evenmatch_player_id(StringBuilder lines)
        {
            evenmatch_player_id s;
            lines.Append("evenmatch_player_id ").Append(sizeof(evenmatch_player_id)).Append('\n');
            Field(lines, "evenmatch_player_id.hi", &s, &s.hi, sizeof(ulong));
            Field(lines, "evenmatch_player_id.lo", &s, &s.lo, sizeof(ulong));
        }

        private static void Add_evenmatch_player(StringBuilder lines)
        {
            evenmatch_player s;
            lines.Append("evenmatch_player ").Append(sizeof(evenmatch_player)).Append('\n');
            Field(lines, "evenmatch_player.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_player.reserved", &s, &s.reserved, sizeof(uint));
            Field(lines, "evenmatch_player.id", &s, &s.id, sizeof(evenmatch_player_id));
            Field(lines, "evenmatch_player.attribute_first", &s, &s.attribute_first, sizeof(uint));
            Field(lines, "evenmatch_player.attribute_count", &s, &s.attribute_count, sizeof(uint));
            Field(lines, "evenmatch_player.ping_first", &s, &s.ping_first, sizeof(uint));
            Field(lines, "evenmatch_player.ping_count", &s, &s.ping_count, sizeof(uint));
        }

        private static void Add_evenmatch_attribute(StringBuilder lines)
        {
            evenmatch_attribute s;
            lines.Append("evenmatch_attribute ").Append(sizeof(evenmatch_attribute)).Append('\n');
            Field(lines, "evenmatch_attribute.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_attribute.name", &s, &s.name, sizeof(uint));
            Field(lines, "evenmatch_attribute.kind", &s, &s.kind, sizeof(int));
            Field(lines, "evenmatch_attribute.symbol", &s, &s.symbol, sizeof(uint));
            Field(lines, "evenmatch_attribute.number", &s, &s.number, sizeof(double));
            Field(lines, "evenmatch_attribute.first", &s, &s.first, sizeof(uint));
            Field(lines, "evenmatch_attribute.count", &s, &s.count, sizeof(uint));
        }

        private static void Add_evenmatch_ping(StringBuilder lines)
        {
            evenmatch_ping s;
            lines.Append("evenmatch_ping ").Append(sizeof(evenmatch_ping)).Append('\n');
            Field(lines, "evenmatch_ping.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_ping.region", &s, &s.region, sizeof(uint));
            Field(lines, "evenmatch_ping.round_trip_ms", &s, &s.round_trip_ms, sizeof(double));
        }

        private static void Add_evenmatch_limit(StringBuilder lines)
        {
            evenmatch_limit s;
            lines.Append("evenmatch_limit ").Append(sizeof(evenmatch_limit)).Append('\n');
            Field(lines, "evenmatch_limit.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_limit.attribute", &s, &s.attribute, sizeof(uint));
            Field(lines, "evenmatch_limit.flags", &s, &s.flags, sizeof(uint));
            Field(lines, "evenmatch_limit.reserved", &s, &s.reserved, sizeof(uint));
            Field(lines, "evenmatch_limit.least", &s, &s.least, sizeof(double));
            Field(lines, "evenmatch_limit.greatest", &s, &s.greatest, sizeof(double));
        }

        private static void Add_evenmatch_batch(StringBuilder lines)
        {
            evenmatch_batch s;
            lines.Append("evenmatch_batch ").Append(sizeof(evenmatch_batch)).Append('\n');
            Field(lines, "evenmatch_batch.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_batch.reserved", &s, &s.reserved, sizeof(uint));
            Field(lines, "evenmatch_batch.ticket_count", &s, &s.ticket_count, sizeof(ulong));
            Field(lines, "evenmatch_batch.player_count", &s, &s.player_count, sizeof(ulong));
            Field(lines, "evenmatch_batch.attribute_count", &s, &s.attribute_count, sizeof(ulong));
            Field(lines, "evenmatch_batch.ping_count", &s, &s.ping_count, sizeof(ulong));
            Field(lines, "evenmatch_batch.limit_count", &s, &s.limit_count, sizeof(ulong));
            Field(lines, "evenmatch_batch.symbol_count", &s, &s.symbol_count, sizeof(ulong));
            Field(lines, "evenmatch_batch.awaited_count", &s, &s.awaited_count, sizeof(ulong));
            Field(lines, "evenmatch_batch.text_bytes", &s, &s.text_bytes, sizeof(ulong));
            Field(lines, "evenmatch_batch.tickets", &s, &s.tickets, sizeof(evenmatch_ticket*));
            Field(lines, "evenmatch_batch.players", &s, &s.players, sizeof(evenmatch_player*));
            Field(lines, "evenmatch_batch.attributes", &s, &s.attributes, sizeof(evenmatch_attribute*));
            Field(lines, "evenmatch_batch.pings", &s, &s.pings, sizeof(evenmatch_ping*));
            Field(lines, "evenmatch_batch.limits", &s, &s.limits, sizeof(evenmatch_limit*));
            Field(lines, "evenmatch_batch.symbols", &s, &s.symbols, sizeof(uint*));
            Field(lines, "evenmatch_batch.awaited", &s, &s.awaited, sizeof(evenmatch_player_id*));
            Field(lines, "evenmatch_batch.text", &s, &s.text, sizeof(byte*));
        }

        private static void Add_evenmatch_submitted(StringBuilder lines)
        {
            evenmatch_submitted s;
            lines.Append("evenmatch_submitted ").Append(sizeof(evenmatch_submitted)).Append('\n');
            Field(lines, "evenmatch_submitted.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_submitted.status", &s, &s.status, sizeof(int));
            Field(lines, "evenmatch_submitted.ticket", &s, &s.ticket, sizeof(ulong));
            Field(lines, "evenmatch_submitted.other", &s, &s.other, sizeof(ulong));
            Field(lines, "evenmatch_submitted.reason", &s, &s.reason, sizeof(int));
            Field(lines, "evenmatch_submitted.detail_bytes", &s, &s.detail_bytes, sizeof(uint));
            Field(lines, "evenmatch_submitted.detail_first", &s, &s.detail_first, sizeof(ulong));
        }

        private static void Add_evenmatch_player_name(StringBuilder lines)
        {
            evenmatch_player_name s;
            lines.Append("evenmatch_player_name ").Append(sizeof(evenmatch_player_name)).Append('\n');
            Field(lines, "evenmatch_player_name.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_player_name.reserved", &s, &s.reserved, sizeof(uint));
            Field(lines, "evenmatch_player_name.id", &s, &s.id, sizeof(evenmatch_player_id));
            Field(lines, "evenmatch_player_name.text_bytes", &s, &s.text_bytes, sizeof(ulong));
            Field(lines, "evenmatch_player_name.text", &s, &s.text, sizeof(byte*));
        }

        private static void Add_evenmatch_json(StringBuilder lines)
        {
            evenmatch_json s;
            lines.Append("evenmatch_json ").Append(sizeof(evenmatch_json)).Append('\n');
            Field(lines, "evenmatch_json.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_json.names_as", &s, &s.names_as, sizeof(int));
            Field(lines, "evenmatch_json.json_bytes", &s, &s.json_bytes, sizeof(ulong));
            Field(lines, "evenmatch_json.name_count", &s, &s.name_count, sizeof(ulong));
            Field(lines, "evenmatch_json.json", &s, &s.json, sizeof(byte*));
            Field(lines, "evenmatch_json.names", &s, &s.names, sizeof(evenmatch_player_name*));
        }

        private static void Add_evenmatch_event(StringBuilder lines)
        {
            evenmatch_event s;
            lines.Append("evenmatch_event ").Append(sizeof(evenmatch_event)).Append('\n');
            Field(lines, "evenmatch_event.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_event.kind", &s, &s.kind, sizeof(int));
            Field(lines, "evenmatch_event.at_ms", &s, &s.at_ms, sizeof(ulong));
            Field(lines, "evenmatch_event.queue", &s, &s.queue, sizeof(ulong));
            Field(lines, "evenmatch_event.id", &s, &s.id, sizeof(ulong));
            Field(lines, "evenmatch_event.user_data", &s, &s.user_data, sizeof(ulong));
            Field(lines, "evenmatch_event.reason", &s, &s.reason, sizeof(int));
            Field(lines, "evenmatch_event.flags", &s, &s.flags, sizeof(uint));
            Field(lines, "evenmatch_event.attempts", &s, &s.attempts, sizeof(uint));
            Field(lines, "evenmatch_event.region", &s, &s.region, sizeof(uint));
            Field(lines, "evenmatch_event.cost", &s, &s.cost, sizeof(double));
            Field(lines, "evenmatch_event.skill_spread", &s, &s.skill_spread, sizeof(double));
            Field(lines, "evenmatch_event.team_difference", &s, &s.team_difference, sizeof(double));
            Field(lines, "evenmatch_event.ping_worst_ms", &s, &s.ping_worst_ms, sizeof(double));
            Field(lines, "evenmatch_event.ping_mean_ms", &s, &s.ping_mean_ms, sizeof(double));
            Field(lines, "evenmatch_event.oldest_wait_ms", &s, &s.oldest_wait_ms, sizeof(ulong));
            Field(lines, "evenmatch_event.team_first", &s, &s.team_first, sizeof(uint));
            Field(lines, "evenmatch_event.team_count", &s, &s.team_count, sizeof(uint));
            Field(lines, "evenmatch_event.ticket_first", &s, &s.ticket_first, sizeof(uint));
            Field(lines, "evenmatch_event.ticket_count", &s, &s.ticket_count, sizeof(uint));
            Field(lines, "evenmatch_event.player_first", &s, &s.player_first, sizeof(uint));
            Field(lines, "evenmatch_event.player_count", &s, &s.player_count, sizeof(uint));
            Field(lines, "evenmatch_event.region_first", &s, &s.region_first, sizeof(uint));
            Field(lines, "evenmatch_event.region_count", &s, &s.region_count, sizeof(uint));
            Field(lines, "evenmatch_event.kept_first", &s, &s.kept_first, sizeof(uint));
            Field(lines, "evenmatch_event.kept_count", &s, &s.kept_count, sizeof(uint));
            Field(lines, "evenmatch_event.echo_first", &s, &s.echo_first, sizeof(uint));
            Field(lines, "evenmatch_event.echo_bytes", &s, &s.echo_bytes, sizeof(uint));
        }

        private static void Add_evenmatch_team(StringBuilder lines)
        {
            evenmatch_team s;
            lines.Append("evenmatch_team ").Append(sizeof(evenmatch_team)).Append('\n');
            Field(lines, "evenmatch_team.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_team.name", &s, &s.name, sizeof(uint));
            Field(lines, "evenmatch_team.ticket_first", &s, &s.ticket_first, sizeof(uint));
            Field(lines, "evenmatch_team.ticket_count", &s, &s.ticket_count, sizeof(uint));
            Field(lines, "evenmatch_team.player_first", &s, &s.player_first, sizeof(uint));
            Field(lines, "evenmatch_team.player_count", &s, &s.player_count, sizeof(uint));
        }

        private static void Add_evenmatch_matched(StringBuilder lines)
        {
            evenmatch_matched s;
            lines.Append("evenmatch_matched ").Append(sizeof(evenmatch_matched)).Append('\n');
            Field(lines, "evenmatch_matched.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_matched.team", &s, &s.team, sizeof(uint));
            Field(lines, "evenmatch_matched.flags", &s, &s.flags, sizeof(uint));
            Field(lines, "evenmatch_matched.attempts", &s, &s.attempts, sizeof(uint));
            Field(lines, "evenmatch_matched.id", &s, &s.id, sizeof(ulong));
            Field(lines, "evenmatch_matched.user_data", &s, &s.user_data, sizeof(ulong));
            Field(lines, "evenmatch_matched.ping_ms", &s, &s.ping_ms, sizeof(double));
            Field(lines, "evenmatch_matched.wait_ms", &s, &s.wait_ms, sizeof(ulong));
        }

        private static void Add_evenmatch_kept(StringBuilder lines)
        {
            evenmatch_kept s;
            lines.Append("evenmatch_kept ").Append(sizeof(evenmatch_kept)).Append('\n');
            Field(lines, "evenmatch_kept.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_kept.reserved", &s, &s.reserved, sizeof(uint));
            Field(lines, "evenmatch_kept.player", &s, &s.player, sizeof(evenmatch_player_id));
            Field(lines, "evenmatch_kept.name_first", &s, &s.name_first, sizeof(uint));
            Field(lines, "evenmatch_kept.name_bytes", &s, &s.name_bytes, sizeof(uint));
            Field(lines, "evenmatch_kept.json_first", &s, &s.json_first, sizeof(uint));
            Field(lines, "evenmatch_kept.json_bytes", &s, &s.json_bytes, sizeof(uint));
        }

        private static void Add_evenmatch_event_buffers(StringBuilder lines)
        {
            evenmatch_event_buffers s;
            lines.Append("evenmatch_event_buffers ").Append(sizeof(evenmatch_event_buffers)).Append('\n');
            Field(lines, "evenmatch_event_buffers.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_event_buffers.reserved", &s, &s.reserved, sizeof(uint));
            Field(lines, "evenmatch_event_buffers.event_capacity", &s, &s.event_capacity, sizeof(ulong));
            Field(lines, "evenmatch_event_buffers.team_capacity", &s, &s.team_capacity, sizeof(ulong));
            Field(lines, "evenmatch_event_buffers.ticket_capacity", &s, &s.ticket_capacity, sizeof(ulong));
            Field(lines, "evenmatch_event_buffers.player_capacity", &s, &s.player_capacity, sizeof(ulong));
            Field(lines, "evenmatch_event_buffers.region_capacity", &s, &s.region_capacity, sizeof(ulong));
            Field(lines, "evenmatch_event_buffers.kept_capacity", &s, &s.kept_capacity, sizeof(ulong));
            Field(lines, "evenmatch_event_buffers.text_capacity", &s, &s.text_capacity, sizeof(ulong));
            Field(lines, "evenmatch_event_buffers.event_count", &s, &s.event_count, sizeof(ulong));
            Field(lines, "evenmatch_event_buffers.team_count", &s, &s.team_count, sizeof(ulong));
            Field(lines, "evenmatch_event_buffers.ticket_count", &s, &s.ticket_count, sizeof(ulong));
            Field(lines, "evenmatch_event_buffers.player_count", &s, &s.player_count, sizeof(ulong));
            Field(lines, "evenmatch_event_buffers.region_count", &s, &s.region_count, sizeof(ulong));
            Field(lines, "evenmatch_event_buffers.kept_count", &s, &s.kept_count, sizeof(ulong));
            Field(lines, "evenmatch_event_buffers.text_bytes", &s, &s.text_bytes, sizeof(ulong));
            Field(lines, "evenmatch_event_buffers.events", &s, &s.events, sizeof(evenmatch_event*));
            Field(lines, "evenmatch_event_buffers.teams", &s, &s.teams, sizeof(evenmatch_team*));
            Field(lines, "evenmatch_event_buffers.tickets", &s, &s.tickets, sizeof(evenmatch_matched*));
            Field(lines, "evenmatch_event_buffers.players", &s, &s.players, sizeof(evenmatch_player_id*));
            Field(lines, "evenmatch_event_buffers.regions", &s, &s.regions, sizeof(uint*));
            Field(lines, "evenmatch_event_buffers.kept", &s, &s.kept, sizeof(evenmatch_kept*));
            Field(lines, "evenmatch_event_buffers.text", &s, &s.text, sizeof(byte*));
        }

        private static void Add_evenmatch_window(StringBuilder lines)
        {
            evenmatch_window s;
            lines.Append("evenmatch_window ").Append(sizeof(evenmatch_window)).Append('\n');
            Field(lines, "evenmatch_window.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_window.rule", &s, &s.rule, sizeof(uint));
            Field(lines, "evenmatch_window.kind", &s, &s.kind, sizeof(int));
            Field(lines, "evenmatch_window.flags", &s, &s.flags, sizeof(uint));
            Field(lines, "evenmatch_window.least", &s, &s.least, sizeof(double));
            Field(lines, "evenmatch_window.greatest", &s, &s.greatest, sizeof(double));
        }

        private static void Add_evenmatch_ticket_state(StringBuilder lines)
        {
            evenmatch_ticket_state s;
            lines.Append("evenmatch_ticket_state ").Append(sizeof(evenmatch_ticket_state)).Append('\n');
            Field(lines, "evenmatch_ticket_state.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_ticket_state.state", &s, &s.state, sizeof(int));
            Field(lines, "evenmatch_ticket_state.reason", &s, &s.reason, sizeof(int));
            Field(lines, "evenmatch_ticket_state.waiting_for", &s, &s.waiting_for, sizeof(int));
            Field(lines, "evenmatch_ticket_state.attempts", &s, &s.attempts, sizeof(uint));
            Field(lines, "evenmatch_ticket_state.reserved", &s, &s.reserved, sizeof(uint));
            Field(lines, "evenmatch_ticket_state.queue", &s, &s.queue, sizeof(ulong));
            Field(lines, "evenmatch_ticket_state.user_data", &s, &s.user_data, sizeof(ulong));
            Field(lines, "evenmatch_ticket_state.in_match", &s, &s.in_match, sizeof(ulong));
            Field(lines, "evenmatch_ticket_state.age_ms", &s, &s.age_ms, sizeof(ulong));
            Field(lines, "evenmatch_ticket_state.prefer_full_left_ms", &s, &s.prefer_full_left_ms, sizeof(ulong));
            Field(lines, "evenmatch_ticket_state.timeout_left_ms", &s, &s.timeout_left_ms, sizeof(ulong));
            Field(lines, "evenmatch_ticket_state.window_capacity", &s, &s.window_capacity, sizeof(ulong));
            Field(lines, "evenmatch_ticket_state.window_count", &s, &s.window_count, sizeof(ulong));
            Field(lines, "evenmatch_ticket_state.region_capacity", &s, &s.region_capacity, sizeof(ulong));
            Field(lines, "evenmatch_ticket_state.region_count", &s, &s.region_count, sizeof(ulong));
            Field(lines, "evenmatch_ticket_state.windows", &s, &s.windows, sizeof(evenmatch_window*));
            Field(lines, "evenmatch_ticket_state.regions", &s, &s.regions, sizeof(evenmatch_ping*));
        }

        private static void Add_evenmatch_stats(StringBuilder lines)
        {
            evenmatch_stats s;
            lines.Append("evenmatch_stats ").Append(sizeof(evenmatch_stats)).Append('\n');
            Field(lines, "evenmatch_stats.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_stats.reserved", &s, &s.reserved, sizeof(uint));
            Field(lines, "evenmatch_stats.capacity", &s, &s.capacity, sizeof(ulong));
            Field(lines, "evenmatch_stats.retained_max", &s, &s.retained_max, sizeof(ulong));
            Field(lines, "evenmatch_stats.submitted", &s, &s.submitted, sizeof(ulong));
            Field(lines, "evenmatch_stats.refused", &s, &s.refused, sizeof(ulong));
            Field(lines, "evenmatch_stats.matched", &s, &s.matched, sizeof(ulong));
            Field(lines, "evenmatch_stats.ended", &s, &s.ended, sizeof(ulong));
            Field(lines, "evenmatch_stats.waiting", &s, &s.waiting, sizeof(ulong));
            Field(lines, "evenmatch_stats.forming", &s, &s.forming, sizeof(ulong));
            Field(lines, "evenmatch_stats.unpolled", &s, &s.unpolled, sizeof(ulong));
            Field(lines, "evenmatch_stats.matches", &s, &s.matches, sizeof(ulong));
            Field(lines, "evenmatch_stats.starved", &s, &s.starved, sizeof(ulong));
            Field(lines, "evenmatch_stats.searches_cut_off", &s, &s.searches_cut_off, sizeof(ulong));
            Field(lines, "evenmatch_stats.steps", &s, &s.steps, sizeof(ulong));
            Field(lines, "evenmatch_stats.ticks", &s, &s.ticks, sizeof(ulong));
            Field(lines, "evenmatch_stats.queue_count", &s, &s.queue_count, sizeof(ulong));
            Field(lines, "evenmatch_stats.symbol_count", &s, &s.symbol_count, sizeof(ulong));
            Field(lines, "evenmatch_stats.ended_cancelled", &s, &s.ended_cancelled, sizeof(ulong));
            Field(lines, "evenmatch_stats.ended_member_left", &s, &s.ended_member_left, sizeof(ulong));
            Field(lines, "evenmatch_stats.ended_timed_out", &s, &s.ended_timed_out, sizeof(ulong));
            Field(lines, "evenmatch_stats.ended_queue_removed", &s, &s.ended_queue_removed, sizeof(ulong));
            Field(lines, "evenmatch_stats.ended_engine_closed", &s, &s.ended_engine_closed, sizeof(ulong));
            Field(lines, "evenmatch_stats.ended_matched_elsewhere", &s, &s.ended_matched_elsewhere, sizeof(ulong));
            Field(lines, "evenmatch_stats.now_ms", &s, &s.now_ms, sizeof(ulong));
            Field(lines, "evenmatch_stats.search_nodes", &s, &s.search_nodes, sizeof(ulong));
            Field(lines, "evenmatch_stats.retired_slots", &s, &s.retired_slots, sizeof(ulong));
            Field(lines, "evenmatch_stats.window_ms", &s, &s.window_ms, sizeof(ulong));
            Field(lines, "evenmatch_stats.window_slices", &s, &s.window_slices, sizeof(ulong));
            Field(lines, "evenmatch_stats.window_ticks", &s, &s.window_ticks, sizeof(ulong));
            Field(lines, "evenmatch_stats.last_tick_steps", &s, &s.last_tick_steps, sizeof(ulong));
            Field(lines, "evenmatch_stats.tick_steps_mean", &s, &s.tick_steps_mean, sizeof(ulong));
            Field(lines, "evenmatch_stats.tick_steps_p99", &s, &s.tick_steps_p99, sizeof(ulong));
        }

        private static void Add_evenmatch_region_stats(StringBuilder lines)
        {
            evenmatch_region_stats s;
            lines.Append("evenmatch_region_stats ").Append(sizeof(evenmatch_region_stats)).Append('\n');
            Field(lines, "evenmatch_region_stats.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_region_stats.region", &s, &s.region, sizeof(uint));
            Field(lines, "evenmatch_region_stats.tickets", &s, &s.tickets, sizeof(ulong));
            Field(lines, "evenmatch_region_stats.players", &s, &s.players, sizeof(ulong));
        }

        private static void Add_evenmatch_queue_stats(StringBuilder lines)
        {
            evenmatch_queue_stats s;
            lines.Append("evenmatch_queue_stats ").Append(sizeof(evenmatch_queue_stats)).Append('\n');
            Field(lines, "evenmatch_queue_stats.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_queue_stats.is_suspended", &s, &s.is_suspended, sizeof(uint));
            Field(lines, "evenmatch_queue_stats.name", &s, &s.name, sizeof(uint));
            Field(lines, "evenmatch_queue_stats.index_name", &s, &s.index_name, sizeof(uint));
            Field(lines, "evenmatch_queue_stats.index_why", &s, &s.index_why, sizeof(uint));
            Field(lines, "evenmatch_queue_stats.reserved", &s, &s.reserved, sizeof(uint));
            Field(lines, "evenmatch_queue_stats.tickets", &s, &s.tickets, sizeof(ulong));
            Field(lines, "evenmatch_queue_stats.players", &s, &s.players, sizeof(ulong));
            Field(lines, "evenmatch_queue_stats.oldest_age_ms", &s, &s.oldest_age_ms, sizeof(ulong));
            Field(lines, "evenmatch_queue_stats.matches", &s, &s.matches, sizeof(ulong));
            Field(lines, "evenmatch_queue_stats.region_capacity", &s, &s.region_capacity, sizeof(ulong));
            Field(lines, "evenmatch_queue_stats.region_count", &s, &s.region_count, sizeof(ulong));
            Field(lines, "evenmatch_queue_stats.regions", &s, &s.regions, sizeof(evenmatch_region_stats*));
        }

        private static void Add_evenmatch_activity(StringBuilder lines)
        {
            evenmatch_activity s;
            lines.Append("evenmatch_activity ").Append(sizeof(evenmatch_activity)).Append('\n');
            Field(lines, "evenmatch_activity.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_activity.region", &s, &s.region, sizeof(uint));
            Field(lines, "evenmatch_activity.tickets", &s, &s.tickets, sizeof(ulong));
            Field(lines, "evenmatch_activity.players", &s, &s.players, sizeof(ulong));
            Field(lines, "evenmatch_activity.oldest_age_ms", &s, &s.oldest_age_ms, sizeof(ulong));
            Field(lines, "evenmatch_activity.matches", &s, &s.matches, sizeof(ulong));
            Field(lines, "evenmatch_activity.matched", &s, &s.matched, sizeof(ulong));
            Field(lines, "evenmatch_activity.matched_players", &s, &s.matched_players, sizeof(ulong));
            Field(lines, "evenmatch_activity.cancelled", &s, &s.cancelled, sizeof(ulong));
            Field(lines, "evenmatch_activity.member_left", &s, &s.member_left, sizeof(ulong));
            Field(lines, "evenmatch_activity.timed_out", &s, &s.timed_out, sizeof(ulong));
            Field(lines, "evenmatch_activity.queue_removed", &s, &s.queue_removed, sizeof(ulong));
            Field(lines, "evenmatch_activity.engine_closed", &s, &s.engine_closed, sizeof(ulong));
            Field(lines, "evenmatch_activity.matched_elsewhere", &s, &s.matched_elsewhere, sizeof(ulong));
            Field(lines, "evenmatch_activity.starved", &s, &s.starved, sizeof(ulong));
            Field(lines, "evenmatch_activity.window_matches", &s, &s.window_matches, sizeof(ulong));
            Field(lines, "evenmatch_activity.window_matched", &s, &s.window_matched, sizeof(ulong));
            Field(lines, "evenmatch_activity.window_matched_players", &s, &s.window_matched_players, sizeof(ulong));
            Field(lines, "evenmatch_activity.window_cancelled", &s, &s.window_cancelled, sizeof(ulong));
            Field(lines, "evenmatch_activity.window_member_left", &s, &s.window_member_left, sizeof(ulong));
            Field(lines, "evenmatch_activity.window_timed_out", &s, &s.window_timed_out, sizeof(ulong));
            Field(lines, "evenmatch_activity.window_queue_removed", &s, &s.window_queue_removed, sizeof(ulong));
            Field(lines, "evenmatch_activity.window_engine_closed", &s, &s.window_engine_closed, sizeof(ulong));
            Field(lines, "evenmatch_activity.window_matched_elsewhere", &s, &s.window_matched_elsewhere, sizeof(ulong));
            Field(lines, "evenmatch_activity.window_starved", &s, &s.window_starved, sizeof(ulong));
            Field(lines, "evenmatch_activity.wait_samples", &s, &s.wait_samples, sizeof(ulong));
            Field(lines, "evenmatch_activity.wait_mean_ms", &s, &s.wait_mean_ms, sizeof(ulong));
            Field(lines, "evenmatch_activity.wait_p50_ms", &s, &s.wait_p50_ms, sizeof(ulong));
            Field(lines, "evenmatch_activity.wait_p90_ms", &s, &s.wait_p90_ms, sizeof(ulong));
            Field(lines, "evenmatch_activity.wait_p99_ms", &s, &s.wait_p99_ms, sizeof(ulong));
        }

        private static void Add_evenmatch_rule_activity(StringBuilder lines)
        {
            evenmatch_rule_activity s;
            lines.Append("evenmatch_rule_activity ").Append(sizeof(evenmatch_rule_activity)).Append('\n');
            Field(lines, "evenmatch_rule_activity.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_rule_activity.rule", &s, &s.rule, sizeof(uint));
            Field(lines, "evenmatch_rule_activity.excluded", &s, &s.excluded, sizeof(ulong));
            Field(lines, "evenmatch_rule_activity.pairs", &s, &s.pairs, sizeof(ulong));
        }

        private static void Add_evenmatch_ticket_name(StringBuilder lines)
        {
            evenmatch_ticket_name s;
            lines.Append("evenmatch_ticket_name ").Append(sizeof(evenmatch_ticket_name)).Append('\n');
            Field(lines, "evenmatch_ticket_name.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_ticket_name.reserved", &s, &s.reserved, sizeof(uint));
            Field(lines, "evenmatch_ticket_name.id", &s, &s.id, sizeof(ulong));
            Field(lines, "evenmatch_ticket_name.text_bytes", &s, &s.text_bytes, sizeof(ulong));
            Field(lines, "evenmatch_ticket_name.text", &s, &s.text, sizeof(byte*));
        }

        private static void Add_evenmatch_naming(StringBuilder lines)
        {
            evenmatch_naming s;
            lines.Append("evenmatch_naming ").Append(sizeof(evenmatch_naming)).Append('\n');
            Field(lines, "evenmatch_naming.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_naming.players_as", &s, &s.players_as, sizeof(int));
            Field(lines, "evenmatch_naming.ticket_count", &s, &s.ticket_count, sizeof(ulong));
            Field(lines, "evenmatch_naming.match_count", &s, &s.match_count, sizeof(ulong));
            Field(lines, "evenmatch_naming.player_count", &s, &s.player_count, sizeof(ulong));
            Field(lines, "evenmatch_naming.tickets", &s, &s.tickets, sizeof(evenmatch_ticket_name*));
            Field(lines, "evenmatch_naming.matches", &s, &s.matches, sizeof(evenmatch_ticket_name*));
            Field(lines, "evenmatch_naming.players", &s, &s.players, sizeof(evenmatch_player_name*));
        }

        private static void Add_evenmatch_question(StringBuilder lines)
        {
            evenmatch_question s;
            lines.Append("evenmatch_question ").Append(sizeof(evenmatch_question)).Append('\n');
            Field(lines, "evenmatch_question.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_question.flags", &s, &s.flags, sizeof(uint));
            Field(lines, "evenmatch_question.skill", &s, &s.skill, sizeof(double));
            Field(lines, "evenmatch_question.region_count", &s, &s.region_count, sizeof(ulong));
            Field(lines, "evenmatch_question.regions", &s, &s.regions, sizeof(uint*));
        }

        private static void Add_evenmatch_estimate(StringBuilder lines)
        {
            evenmatch_estimate s;
            lines.Append("evenmatch_estimate ").Append(sizeof(evenmatch_estimate)).Append('\n');
            Field(lines, "evenmatch_estimate.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_estimate.flags", &s, &s.flags, sizeof(uint));
            Field(lines, "evenmatch_estimate.p50_ms", &s, &s.p50_ms, sizeof(ulong));
            Field(lines, "evenmatch_estimate.p90_ms", &s, &s.p90_ms, sizeof(ulong));
            Field(lines, "evenmatch_estimate.samples", &s, &s.samples, sizeof(ulong));
            Field(lines, "evenmatch_estimate.matched", &s, &s.matched, sizeof(ulong));
            Field(lines, "evenmatch_estimate.seen_up_to_ms", &s, &s.seen_up_to_ms, sizeof(ulong));
            Field(lines, "evenmatch_estimate.band", &s, &s.band, sizeof(double));
        }

        private static void Add_evenmatch_departure(StringBuilder lines)
        {
            evenmatch_departure s;
            lines.Append("evenmatch_departure ").Append(sizeof(evenmatch_departure)).Append('\n');
            Field(lines, "evenmatch_departure.struct_size", &s, &s.struct_size, sizeof(uint));
            Field(lines, "evenmatch_departure.flags", &s, &s.flags, sizeof(uint));
            Field(lines, "evenmatch_departure.at_ms", &s, &s.at_ms, sizeof(ulong));
            Field(lines, "evenmatch_departure.claims", &s, &s.claims, sizeof(ulong));
            Field(lines, "evenmatch_departure.ticket", &s, &s.ticket, sizeof(ulong));
            Field(lines, "evenmatch_departure.player", &s, &s.player, sizeof(evenmatch_player_id));
            Field(lines, "evenmatch_departure.status", &s, &s.status, sizeof(int));
            Field(lines, "evenmatch_departure.reserved", &s, &s.reserved, sizeof(uint));
        }
    }
}
