//! The names in a trace and the engine's numbers for them, both ways.
//!
//! Used by `replay`, and by the writer of output lines through its trait. A player's number is the order in
//! which the name first came; a ticket's number is the order of its name too, and travels through the engine
//! as `user_data`. Invariant: a ticket's name means its newest ticket: the requeued one, once there is one.

use evenmatch::config::write;
use evenmatch::model::ids::{MatchId, PlayerId, QueueId, TicketId};
use std::borrow::Cow;
use std::collections::HashMap;

/// All names of a replay. The maps are only ever asked, never walked, so their order matters to nobody.
#[derive(Default)]
pub(crate) struct Names {
    player_ids: HashMap<String, PlayerId>,
    player_names: Vec<String>,
    ticket_numbers: HashMap<String, usize>,
    tickets: Vec<Ticket>,
    /// By id, requeued ones too.
    numbers_by_id: HashMap<TicketId, usize>,
    matches: Vec<MatchId>,
    match_numbers: HashMap<MatchId, usize>,
    queues: Vec<(QueueId, String)>,
}

/// A ticket that was accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KnownTicket {
    /// The number of its name.
    pub(crate) number: u64,
    /// Its newest id.
    pub(crate) id: TicketId,
}

/// A ticket's name and what is known of it.
struct Ticket {
    name: String,
    /// `None` if the submit was refused.
    id: Option<TicketId>,
    players: usize,
}

impl Names {
    /// The player's id; a new name gets the next one.
    pub(crate) fn player(&mut self, name: &str) -> PlayerId {
        if let Some(&id) = self.player_ids.get(name) {
            return id;
        }
        let id = PlayerId(self.player_names.len() as u128 + 1);
        self.player_names.push(name.to_owned());
        self.player_ids.insert(name.to_owned(), id);
        id
    }

    /// The player's id, if the name has been seen.
    pub(crate) fn known_player(&self, name: &str) -> Option<PlayerId> {
        self.player_ids.get(name).copied()
    }

    /// The player's name.
    pub(crate) fn player_name(&self, id: PlayerId) -> &str {
        let index = (id.0 as usize).wrapping_sub(1);
        self.player_names.get(index).map_or("?", String::as_str)
    }

    /// Takes a new ticket's name and gives its number; `None` if the name has been used before.
    pub(crate) fn new_ticket(&mut self, name: &str, players: usize) -> Option<u64> {
        if self.ticket_numbers.contains_key(name) {
            return None;
        }
        let number = self.tickets.len();
        self.ticket_numbers.insert(name.to_owned(), number);
        self.tickets.push(Ticket { name: name.to_owned(), id: None, players });
        Some(number as u64)
    }

    /// Says which ticket the name means from now on.
    pub(crate) fn set_ticket(&mut self, number: u64, id: TicketId) {
        if let Some(ticket) = self.tickets.get_mut(number as usize) {
            ticket.id = Some(id);
            self.numbers_by_id.insert(id, number as usize);
        }
    }

    /// The ticket of that name, if it was ever accepted.
    pub(crate) fn ticket(&self, name: &str) -> Option<KnownTicket> {
        let &number = self.ticket_numbers.get(name)?;
        Some(KnownTicket { number: number as u64, id: self.tickets[number].id? })
    }

    /// The name of the ticket of that id.
    pub(crate) fn ticket_name(&self, id: TicketId) -> &str {
        self.numbers_by_id.get(&id).map_or("?", |&number| self.tickets[number].name.as_str())
    }

    /// How many players the ticket of that number has.
    pub(crate) fn ticket_players(&self, number: u64) -> usize {
        self.tickets.get(number as usize).map_or(0, |ticket| ticket.players)
    }

    /// Names the next match, in the order of events: `m1`, `m2`, ..
    pub(crate) fn new_match(&mut self, id: MatchId) {
        self.matches.push(id);
        self.match_numbers.insert(id, self.matches.len());
    }

    /// The match of that name.
    pub(crate) fn known_match(&self, name: &str) -> Option<MatchId> {
        let number: usize = name.strip_prefix('m')?.parse().ok()?;
        // Only the name as it was given: not m01, not m+1.
        let same = format!("m{number}") == name;
        self.matches.get(number.checked_sub(1)?).copied().filter(|_| same)
    }

    /// The name of a match that has been named.
    pub(crate) fn known_match_name(&self, id: MatchId) -> Option<String> {
        self.match_numbers.get(&id).map(|number| format!("m{number}"))
    }

    /// Says what a queue is called.
    pub(crate) fn add_queue(&mut self, id: QueueId, name: &str) {
        self.queues.push((id, name.to_owned()));
    }
}

/// A number that nobody named is shown as `?`; the engine gives none out.
impl write::Names for Names {
    fn ticket(&self, ticket: TicketId) -> Cow<'_, str> {
        Cow::Borrowed(self.ticket_name(ticket))
    }

    fn player(&self, player: PlayerId) -> Cow<'_, str> {
        Cow::Borrowed(self.player_name(player))
    }

    fn match_name(&self, id: MatchId) -> Cow<'_, str> {
        self.known_match_name(id).map_or(Cow::Borrowed("?"), Cow::Owned)
    }

    fn queue(&self, queue: QueueId) -> Cow<'_, str> {
        let named = self.queues.iter().find(|(id, _)| *id == queue);
        Cow::Borrowed(named.map_or("?", |(_, name)| name.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        let mut names = Names::default();
        let (ann, bob) = (names.player("ann"), names.player("bob"));
        assert_eq!((names.player("ann"), names.player_name(bob)), (ann, "bob"));
        assert_eq!((names.known_player("eve"), names.player_name(PlayerId(0))), (None, "?"));

        let number = names.new_ticket("t1", 2).unwrap();
        assert_eq!((names.new_ticket("t1", 1), names.ticket("t1")), (None, None));
        names.set_ticket(number, TicketId(7));
        names.set_ticket(number, TicketId(9));
        assert_eq!(names.ticket("t1"), Some(KnownTicket { number, id: TicketId(9) }));
        assert_eq!((names.ticket_name(TicketId(7)), names.ticket_name(TicketId(9))), ("t1", "t1"));
        assert_eq!(names.ticket_players(number), 2);

        let id = MatchId(TicketId(7));
        names.new_match(id);
        assert_eq!((names.known_match("m1"), names.known_match_name(id).as_deref()), (Some(id), Some("m1")));
        for unknown in ["m0", "m2", "m01", "m+1", "1", "", "m"] {
            assert_eq!(names.known_match(unknown), None, "{unknown}");
        }
    }
}
