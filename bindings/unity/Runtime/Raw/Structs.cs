// The structs of the library, field by field as the header has them; it says what they mean.
// Written by tests/unity/raw.py from include/evenmatch.h; change it there.

using System.Runtime.InteropServices;

// The library writes what no line here assigns.
#pragma warning disable 0649

namespace Evenmatch.Raw
{
    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_engine_config
    {
        internal uint struct_size;
        internal uint flags;
        internal uint capacity;
        internal uint retained;
        internal uint search_nodes;
        internal uint symbols;
        internal uint threads;
        internal uint stats_slices;
        internal uint stats_window_ms;
        internal uint simd;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_tick_report
    {
        internal uint struct_size;
        internal uint is_complete;
        internal ulong at_ms;
        internal ulong steps;
        internal ulong matches;
        internal ulong ended;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct evenmatch_queue_source
    {
        internal uint struct_size;
        internal int format;
        internal int windows;
        internal int total_windows;
        internal int intersection_delta;
        internal uint line;
        internal uint column;
        internal uint error_count;
        internal uint warning_count;
        internal uint reserved;
        internal ulong json_bytes;
        internal ulong text_capacity;
        internal ulong text_bytes;
        internal byte* json;
        internal byte* text;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_ticket
    {
        internal uint struct_size;
        internal uint flags;
        internal ulong queue;
        internal ulong user_data;
        internal ulong timeout_ms;
        internal ulong enqueued_ms;
        internal double max_ping_ms;
        internal uint player_first;
        internal uint player_count;
        internal uint awaited_first;
        internal uint awaited_count;
        internal uint ping_first;
        internal uint ping_count;
        internal uint limit_first;
        internal uint limit_count;
        internal uint region_first;
        internal uint region_count;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_player_id
    {
        internal ulong hi;
        internal ulong lo;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_player
    {
        internal uint struct_size;
        internal uint reserved;
        internal evenmatch_player_id id;
        internal uint attribute_first;
        internal uint attribute_count;
        internal uint ping_first;
        internal uint ping_count;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_attribute
    {
        internal uint struct_size;
        internal uint name;
        internal int kind;
        internal uint symbol;
        internal double number;
        internal uint first;
        internal uint count;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_ping
    {
        internal uint struct_size;
        internal uint region;
        internal double round_trip_ms;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_limit
    {
        internal uint struct_size;
        internal uint attribute;
        internal uint flags;
        internal uint reserved;
        internal double least;
        internal double greatest;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct evenmatch_batch
    {
        internal uint struct_size;
        internal uint reserved;
        internal ulong ticket_count;
        internal ulong player_count;
        internal ulong attribute_count;
        internal ulong ping_count;
        internal ulong limit_count;
        internal ulong symbol_count;
        internal ulong awaited_count;
        internal ulong text_bytes;
        internal evenmatch_ticket* tickets;
        internal evenmatch_player* players;
        internal evenmatch_attribute* attributes;
        internal evenmatch_ping* pings;
        internal evenmatch_limit* limits;
        internal uint* symbols;
        internal evenmatch_player_id* awaited;
        internal byte* text;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_submitted
    {
        internal uint struct_size;
        internal int status;
        internal ulong ticket;
        internal ulong other;
        internal int reason;
        internal uint detail_bytes;
        internal ulong detail_first;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct evenmatch_player_name
    {
        internal uint struct_size;
        internal uint reserved;
        internal evenmatch_player_id id;
        internal ulong text_bytes;
        internal byte* text;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct evenmatch_json
    {
        internal uint struct_size;
        internal int names_as;
        internal ulong json_bytes;
        internal ulong name_count;
        internal byte* json;
        internal evenmatch_player_name* names;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_event
    {
        internal uint struct_size;
        internal int kind;
        internal ulong at_ms;
        internal ulong queue;
        internal ulong id;
        internal ulong user_data;
        internal int reason;
        internal uint flags;
        internal uint attempts;
        internal uint region;
        internal double cost;
        internal double skill_spread;
        internal double team_difference;
        internal double ping_worst_ms;
        internal double ping_mean_ms;
        internal ulong oldest_wait_ms;
        internal uint team_first;
        internal uint team_count;
        internal uint ticket_first;
        internal uint ticket_count;
        internal uint player_first;
        internal uint player_count;
        internal uint region_first;
        internal uint region_count;
        internal uint kept_first;
        internal uint kept_count;
        internal uint echo_first;
        internal uint echo_bytes;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_team
    {
        internal uint struct_size;
        internal uint name;
        internal uint ticket_first;
        internal uint ticket_count;
        internal uint player_first;
        internal uint player_count;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_matched
    {
        internal uint struct_size;
        internal uint team;
        internal uint flags;
        internal uint attempts;
        internal ulong id;
        internal ulong user_data;
        internal double ping_ms;
        internal ulong wait_ms;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_kept
    {
        internal uint struct_size;
        internal uint reserved;
        internal evenmatch_player_id player;
        internal uint name_first;
        internal uint name_bytes;
        internal uint json_first;
        internal uint json_bytes;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct evenmatch_event_buffers
    {
        internal uint struct_size;
        internal uint reserved;
        internal ulong event_capacity;
        internal ulong team_capacity;
        internal ulong ticket_capacity;
        internal ulong player_capacity;
        internal ulong region_capacity;
        internal ulong kept_capacity;
        internal ulong text_capacity;
        internal ulong event_count;
        internal ulong team_count;
        internal ulong ticket_count;
        internal ulong player_count;
        internal ulong region_count;
        internal ulong kept_count;
        internal ulong text_bytes;
        internal evenmatch_event* events;
        internal evenmatch_team* teams;
        internal evenmatch_matched* tickets;
        internal evenmatch_player_id* players;
        internal uint* regions;
        internal evenmatch_kept* kept;
        internal byte* text;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_window
    {
        internal uint struct_size;
        internal uint rule;
        internal int kind;
        internal uint flags;
        internal double least;
        internal double greatest;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct evenmatch_ticket_state
    {
        internal uint struct_size;
        internal int state;
        internal int reason;
        internal int waiting_for;
        internal uint attempts;
        internal uint reserved;
        internal ulong queue;
        internal ulong user_data;
        internal ulong in_match;
        internal ulong age_ms;
        internal ulong prefer_full_left_ms;
        internal ulong timeout_left_ms;
        internal ulong window_capacity;
        internal ulong window_count;
        internal ulong region_capacity;
        internal ulong region_count;
        internal evenmatch_window* windows;
        internal evenmatch_ping* regions;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_stats
    {
        internal uint struct_size;
        internal uint reserved;
        internal ulong capacity;
        internal ulong retained_max;
        internal ulong submitted;
        internal ulong refused;
        internal ulong matched;
        internal ulong ended;
        internal ulong waiting;
        internal ulong forming;
        internal ulong unpolled;
        internal ulong matches;
        internal ulong starved;
        internal ulong searches_cut_off;
        internal ulong steps;
        internal ulong ticks;
        internal ulong queue_count;
        internal ulong symbol_count;
        internal ulong ended_cancelled;
        internal ulong ended_member_left;
        internal ulong ended_timed_out;
        internal ulong ended_queue_removed;
        internal ulong ended_engine_closed;
        internal ulong ended_matched_elsewhere;
        internal ulong now_ms;
        internal ulong search_nodes;
        internal ulong retired_slots;
        internal ulong window_ms;
        internal ulong window_slices;
        internal ulong window_ticks;
        internal ulong last_tick_steps;
        internal ulong tick_steps_mean;
        internal ulong tick_steps_p99;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_region_stats
    {
        internal uint struct_size;
        internal uint region;
        internal ulong tickets;
        internal ulong players;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct evenmatch_queue_stats
    {
        internal uint struct_size;
        internal uint is_suspended;
        internal uint name;
        internal uint index_name;
        internal uint index_why;
        internal uint reserved;
        internal ulong tickets;
        internal ulong players;
        internal ulong oldest_age_ms;
        internal ulong matches;
        internal ulong region_capacity;
        internal ulong region_count;
        internal evenmatch_region_stats* regions;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_activity
    {
        internal uint struct_size;
        internal uint region;
        internal ulong tickets;
        internal ulong players;
        internal ulong oldest_age_ms;
        internal ulong matches;
        internal ulong matched;
        internal ulong matched_players;
        internal ulong cancelled;
        internal ulong member_left;
        internal ulong timed_out;
        internal ulong queue_removed;
        internal ulong engine_closed;
        internal ulong matched_elsewhere;
        internal ulong starved;
        internal ulong window_matches;
        internal ulong window_matched;
        internal ulong window_matched_players;
        internal ulong window_cancelled;
        internal ulong window_member_left;
        internal ulong window_timed_out;
        internal ulong window_queue_removed;
        internal ulong window_engine_closed;
        internal ulong window_matched_elsewhere;
        internal ulong window_starved;
        internal ulong wait_samples;
        internal ulong wait_mean_ms;
        internal ulong wait_p50_ms;
        internal ulong wait_p90_ms;
        internal ulong wait_p99_ms;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_rule_activity
    {
        internal uint struct_size;
        internal uint rule;
        internal ulong excluded;
        internal ulong pairs;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct evenmatch_ticket_name
    {
        internal uint struct_size;
        internal uint reserved;
        internal ulong id;
        internal ulong text_bytes;
        internal byte* text;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct evenmatch_naming
    {
        internal uint struct_size;
        internal int players_as;
        internal ulong ticket_count;
        internal ulong match_count;
        internal ulong player_count;
        internal evenmatch_ticket_name* tickets;
        internal evenmatch_ticket_name* matches;
        internal evenmatch_player_name* players;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct evenmatch_question
    {
        internal uint struct_size;
        internal uint flags;
        internal double skill;
        internal ulong region_count;
        internal uint* regions;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_estimate
    {
        internal uint struct_size;
        internal uint flags;
        internal ulong p50_ms;
        internal ulong p90_ms;
        internal ulong samples;
        internal ulong matched;
        internal ulong seen_up_to_ms;
        internal double band;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct evenmatch_departure
    {
        internal uint struct_size;
        internal uint flags;
        internal ulong at_ms;
        internal ulong claims;
        internal ulong ticket;
        internal evenmatch_player_id player;
        internal int status;
        internal uint reserved;
    }
}
