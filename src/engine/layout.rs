//! Tickets that come in without a name in them: a layout says what stands where in each of them.
//!
//! Names are resolved once, when the layout is made; a batch that is submitted with it is read where the host has it,
//! and no ticket of it allocates, hashes a text or looks for a name. Invariant: a ticket is checked, refused and matched
//! as the same one would be that came by `submit`; what does not fit into a plain request becomes one of those.

use super::Engine;
use super::calls::Call;
use super::door::{Door, count};
use super::entry::Entry;
use super::latency::{check_name, check_reach};
use super::plain::{Draft, PlainMembers};
use super::prepare::{check_players, check_size, check_totals, check_value};
use super::queues::DoorQueue;
use super::screen::Screen;
use super::submit::Admitted;
use super::ticket::Ticket;
use super::values::Reading;
use crate::base::fixed::{Decimal, Fixed};
use crate::claim::players::WARM_MAX;
use crate::model::attribute::{AttributeSpec, AttributeType, AttributeValue};
use crate::model::codes::{Code, Refusal};
use crate::model::ids::{Millis, QueueId, TicketId};
use crate::model::limits::{REGIONS_MAX, TIME_MS_MAX};
use crate::model::plain::{PlainTicket, PlainValue};
use crate::model::request::{PlayerRequest, TicketRequest};
use crate::rules::compile::NO_VALUE;
use std::sync::Arc;

/// What the tickets of a batch bring, for one queue: which attributes, and round-trip times to which regions.
pub struct TicketLayout {
    pub(super) queue: Arc<DoorQueue>,
    /// The attributes of the queue by column.
    attributes: Vec<usize>,
    /// The column of each attribute of the queue.
    columns: Vec<Option<usize>>,
    /// The regions' names as they were given.
    regions: Vec<Box<str>>,
    /// Their numbers with their columns, by ascending number.
    numbers: Vec<(u8, usize)>,
    /// Tickets can be plain.
    is_plain: bool,
    /// What surely passes.
    pub(super) screen: Screen,
    /// The engine, by an address that no other one has meanwhile.
    of: Arc<crate::claim::commit::Claims>,
}

impl TicketLayout {
    /// The queue that the tickets are for.
    pub fn queue(&self) -> QueueId {
        self.queue.id
    }

    /// Whether its tickets can be plain.
    #[cfg(all(feature = "capi", not(loom)))]
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Whether it was made for this engine.
    pub(super) fn is_of(&self, door: &Door) -> bool {
        Arc::ptr_eq(&self.of, &door.claims)
    }

    /// Drafts a ticket that has as many values and round-trip times as there should be; `None`: it is too long.
    pub(super) fn fill(&self, draft: &mut Draft, ticket: &PlainTicket<'_>, now: Millis) -> Option<()> {
        draft.restart(ticket.user_data, ticket.enqueued.map_or(now, |enqueued| enqueued.min(now)));
        for &player in ticket.players {
            draft.add_player(player)?;
        }
        let width = self.attributes.len();
        for player in 0..ticket.players.len() {
            for column in &self.columns {
                let value =
                    column.map_or(PlainValue::Nothing, |column| ticket.values[player * width + column]);
                draft.add_value(match value {
                    PlainValue::Nothing => NO_VALUE,
                    PlainValue::Number(number) => number.micros(),
                    PlainValue::Text(id) => i64::from(id.0),
                })?;
            }
        }
        let pings = ticket.pings_ms;
        let pings = self
            .numbers
            .iter()
            .filter_map(|&(number, column)| pings[column].map(|ping| (number, ping.micros())));
        draft.add_pings(pings)
    }

    /// How many attributes each player's values are for.
    pub fn attribute_count(&self) -> usize {
        self.attributes.len()
    }

    /// How many regions each ticket's round-trip times are for.
    pub fn region_count(&self) -> usize {
        self.regions.len()
    }
}

impl Engine {
    /// A queue as it was written.
    #[cfg(all(feature = "capi", not(loom)))]
    pub(crate) fn spec(&self, queue: QueueId) -> Option<Arc<crate::rules::spec::QueueSpec>> {
        Some(Arc::clone(&self.door.queues.get(queue).ok()?.compiled.spec))
    }

    /// What tickets bring that are submitted with `submit_plain`: values of these attributes, in this order, and
    /// round-trip times to these regions. The regions keep their places among the 64 of the queue for as long as it
    /// stands.
    ///
    /// Any thread. Errors: UNKNOWN_QUEUE, UNKNOWN_ATTRIBUTE, WRONG_TYPE (a list of texts is not plain), DUPLICATE_NAME,
    /// UNKNOWN_REGION, TOO_MANY_REGIONS, TOO_MANY_BYTES.
    pub fn layout(
        &self,
        queue: QueueId,
        attributes: &[&str],
        regions: &[&str],
    ) -> Result<TicketLayout, Refusal> {
        let queue = self.door.queues.get(queue)?;
        let specs = &queue.compiled.spec.attributes;
        let mut columns = vec![None; specs.len()];
        let mut found = Vec::with_capacity(attributes.len());
        for (column, name) in attributes.iter().enumerate() {
            let Some(at) = specs.iter().position(|spec| spec.name == *name) else {
                let detail = format!("the queue declares no attribute {name:?}");
                return Err(Refusal::new(Code::UnknownAttribute, detail));
            };
            if specs[at].kind == AttributeType::StringList {
                let detail = format!("attribute {name:?} is a list of texts, which no plain ticket has");
                return Err(Refusal::new(Code::WrongType, detail));
            }
            if columns[at].replace(column).is_some() {
                return Err(Refusal::new(Code::DuplicateName, format!("attribute {name:?} stands twice")));
            }
            found.push(at);
        }
        if regions.len() > REGIONS_MAX {
            let detail = format!("{} regions, at most {REGIONS_MAX}", regions.len());
            return Err(Refusal::new(Code::TooManyRegions, detail));
        }
        let mut keys = Vec::with_capacity(regions.len());
        for name in regions {
            let key = check_name(name, &queue.regions)?;
            if keys.contains(&key) {
                return Err(Refusal::new(Code::DuplicateName, format!("region {name:?} stands twice")));
            }
            keys.push(key);
        }
        let full = |name: &str| {
            let detail = format!("region {name:?} would be one more than the {REGIONS_MAX} a queue may know");
            Refusal::new(Code::TooManyRegions, detail)
        };
        let has_rule = queue.compiled.region_rule.is_some();
        // Without a region rule latency binds nothing and takes no number.
        let pinned = if has_rule { queue.regions.pin(regions).map_err(full)? } else { Vec::new() };
        let mut numbers: Vec<(u8, usize)> =
            pinned.into_iter().enumerate().map(|(column, number)| (number, column)).collect();
        numbers.sort_unstable();
        let is_bare = has_rule || regions.is_empty();
        let is_plain = is_bare && queue.compiled.lists.is_empty() && self.door.record.is_none();
        Ok(TicketLayout {
            is_plain,
            screen: Screen::new(&queue.compiled, &found, regions.len(), is_plain),
            attributes: found,
            columns,
            regions: regions.iter().map(|&name| name.into()).collect(),
            numbers,
            queue,
            of: Arc::clone(&self.door.claims),
        })
    }

    /// Submits tickets that a layout describes, in order; each is accepted or refused by itself, as by `submit`, and
    /// those accepted are published at once. One answer for each is appended to `answers`, in their order.
    ///
    /// Any thread. Allocates nothing for a ticket once the engine has had as many. Errors of a ticket: those of
    /// `submit`; WRONG_TYPE if its values or round-trip times are not as many as the layout says, OUT_OF_RANGE for a
    /// text that was never resolved, UNKNOWN_QUEUE for a layout of another engine.
    ///
    /// ```
    /// use evenmatch::{Engine, EventBuffer, Millis, PlainTicket, PlayerId, QueueSpec};
    ///
    /// let engine = Engine::builder().capacity(1_000).build()?;
    /// let queue = engine.add_queue(QueueSpec::new("duel", 2, 2))?;
    /// let layout = engine.layout(queue, &[], &[])?;
    /// let (players, mut answers) = ([PlayerId(1), PlayerId(2)], Vec::new());
    /// let tickets = players.chunks(1).map(|players| PlainTicket { players, ..PlainTicket::default() });
    /// engine.submit_plain(Millis(0), &layout, tickets, &mut answers);
    /// engine.tick(Millis(0), 0)?;
    /// let mut events = EventBuffer::default();
    /// assert_eq!(engine.poll_into(&mut events, 10), 1);
    /// assert_eq!(events.players, players);
    /// # Ok::<(), evenmatch::Refusal>(())
    /// ```
    pub fn submit_plain<'a>(
        &self,
        now: Millis,
        layout: &TicketLayout,
        tickets: impl IntoIterator<Item = PlainTicket<'a>>,
        answers: &mut Vec<Result<TicketId, Refusal>>,
    ) {
        match self.enter(now) {
            Ok((_turn, now)) => self.door.submit_plain(now, layout, tickets.into_iter(), answers),
            Err(refusal) => answers.extend(tickets.into_iter().map(|_| Err(refusal.clone()))),
        }
    }
}

/// A batch that comes in, which is published when it ends: also if the host's own iterator panics half way.
struct Batch<'a, 'b> {
    entry: Option<Entry<'a>>,
    answers: &'b mut Vec<Result<TicketId, Refusal>>,
    /// The place of its first answer.
    first: usize,
}

impl Drop for Batch<'_, '_> {
    fn drop(&mut self) {
        if let Some(entry) = self.entry.take() {
            entry.publish(self.answers[self.first..].iter().flatten().copied());
        }
    }
}

impl Door {
    fn submit_plain<'a>(
        &self,
        now: Millis,
        layout: &TicketLayout,
        tickets: impl Iterator<Item = PlainTicket<'a>>,
        answers: &mut Vec<Result<TicketId, Refusal>>,
    ) {
        let mut tickets = tickets;
        let first = answers.len();
        let mut batch = Batch { entry: Some(Entry::new(self, now, 0)), answers, first };
        let scope = self.scope(layout.queue.id);
        let mut ahead = [PlainTicket::default(); WARM_MAX];
        loop {
            let mut len = 0;
            for (place, ticket) in ahead.iter_mut().zip(&mut tickets) {
                *place = ticket;
                len += 1;
            }
            if len == 0 {
                break;
            }
            let ahead = &ahead[..len];
            if len > 1 {
                let players = ahead.iter().flat_map(|ticket| ticket.players);
                self.players.prefetch(players.map(|&player| (scope, player)));
            }
            let Some(entry) = &mut batch.entry else { break };
            for (at, ticket) in ahead.iter().enumerate() {
                entry.expect(len - at);
                batch.answers.push(entry.admit(layout, ticket));
            }
        }
    }

    /// Checks a ticket and takes it in.
    pub(super) fn admit_plain(
        &self,
        now: Millis,
        layout: &TicketLayout,
        ticket: &PlainTicket<'_>,
    ) -> Result<Admitted, Refusal> {
        if !layout.is_of(self) {
            count(&self.counts.refused);
            return Err(Refusal::new(Code::UnknownQueue, "the layout is of another engine"));
        }
        let draft = match self.draft(layout, ticket, now) {
            Ok(Some(draft)) => draft,
            Ok(None) => return self.admit_new(now, self.request(layout, ticket)),
            Err(refusal) => {
                count(&self.counts.refused);
                return Err(refusal);
            }
        };
        let queue = &layout.queue;
        let id = self.take_slot(queue, ticket.players).inspect_err(|_| count(&self.counts.refused))?;
        let Some(plain) = draft.put(&mut self.bodies.lot(0)) else {
            self.untake_slot(queue, ticket.players, id);
            return self.admit_new(now, self.request(layout, ticket));
        };
        self.seat(id, Ticket::plain(Arc::clone(queue), plain, None));
        Ok(Admitted { id, call: Call::Come(id) })
    }

    /// Checks a ticket in the order of `submit`. `None`: it is not plain.
    fn draft(
        &self,
        layout: &TicketLayout,
        ticket: &PlainTicket<'_>,
        now: Millis,
    ) -> Result<Option<Draft>, Refusal> {
        let (queue, compiled) = (&layout.queue, &layout.queue.compiled);
        queue.check_open()?;
        self.check_room(queue)?;
        check_players(compiled, &ticket.players.iter().copied(), &[])?;
        self.check_lengths(layout, ticket)?;
        if let Some(enqueued) = ticket.enqueued.filter(|enqueued| enqueued.0 > TIME_MS_MAX) {
            return Err(Refusal::invalid_time(enqueued));
        }
        self.check_pings(layout, ticket)?;
        if !layout.is_plain {
            return Ok(None);
        }
        let mut draft = Draft::new(0, Millis(0));
        if layout.fill(&mut draft, ticket, now).is_none() {
            return Ok(None);
        }
        let members = PlainMembers { queue: compiled, lexicon: &self.lexicon, opened: draft.opened() };
        let reading = Reading { queue: compiled, members };
        let number = |slot: usize| reading.number_slot(&compiled.numbers[slot]);
        reading.check_numbers(number)?;
        for slot in &compiled.keys {
            reading.key_slot(slot)?;
        }
        reading.check_keys(|slot| matches!(reading.key_slot(&compiled.keys[slot]), Ok(Some(_))))?;
        check_size(compiled, ticket.players.len())?;
        check_reach(compiled, ticket.pings_ms.iter().flatten().copied())?;
        check_totals(compiled, ticket.players.len(), number)?;
        self.are_free(queue.id, ticket.players.iter().copied())?;
        Ok(Some(draft))
    }

    /// Checks that there are as many values and round-trip times as the layout says, and each value.
    fn check_lengths(&self, layout: &TicketLayout, ticket: &PlainTicket<'_>) -> Result<(), Refusal> {
        let (values, pings) = (ticket.players.len() * layout.attributes.len(), layout.regions.len());
        if ticket.values.len() != values || ticket.pings_ms.len() != pings {
            let detail = format!(
                "{} values and {} round-trip times, the layout has {values} and {pings}",
                ticket.values.len(),
                ticket.pings_ms.len()
            );
            return Err(Refusal::new(Code::WrongType, detail));
        }
        let specs = &layout.queue.compiled.spec.attributes;
        let columns = layout.attributes.iter().cycle();
        for (value, &attribute) in ticket.values.iter().zip(columns) {
            self.check_plain_value(&specs[attribute], *value)?;
        }
        Ok(())
    }

    fn check_plain_value(&self, spec: &AttributeSpec, value: PlainValue) -> Result<(), Refusal> {
        match value {
            PlainValue::Nothing => Ok(()),
            PlainValue::Number(number) => check_value(spec, &AttributeValue::Number(number.into())),
            PlainValue::Text(id) => match self.lexicon.text(id) {
                Some(_) if spec.kind == AttributeType::String => Ok(()),
                Some(text) => check_value(spec, &AttributeValue::String(text.to_owned())),
                None => {
                    let detail = format!("attribute {:?}: no text has the number {}", spec.name, id.0);
                    Err(Refusal::new(Code::OutOfRange, detail))
                }
            },
        }
    }

    fn check_pings(&self, layout: &TicketLayout, ticket: &PlainTicket<'_>) -> Result<(), Refusal> {
        let below = |ping: &Option<Fixed>| ping.is_some_and(|ping| ping < Fixed::ZERO);
        if let Some(at) = ticket.pings_ms.iter().position(below) {
            let name = &layout.regions[at];
            let detail = format!("the latency to region {name:?} is not within 0 and 10^9 ms");
            return Err(Refusal::new(Code::OutOfRange, detail));
        }
        if layout.queue.compiled.region_rule.is_some() && !ticket.pings_ms.iter().any(Option::is_some) {
            let detail = "a player has no latency, which the region rule needs";
            return Err(Refusal::new(Code::MissingLatency, detail));
        }
        Ok(())
    }

    /// The same as a whole request.
    fn request(&self, layout: &TicketLayout, ticket: &PlainTicket<'_>) -> TicketRequest {
        let specs = &layout.queue.compiled.spec.attributes;
        let width = layout.attributes.len();
        let players = ticket.players.iter().enumerate().map(|(at, &id)| {
            let mut player = PlayerRequest::new(id);
            let values = ticket.values[at * width..].iter().zip(&layout.attributes);
            for (value, &attribute) in values {
                let value = match *value {
                    PlainValue::Nothing => continue,
                    PlainValue::Number(number) => AttributeValue::Number(number.into()),
                    PlainValue::Text(id) => {
                        AttributeValue::String(self.lexicon.text(id).unwrap_or_default().to_owned())
                    }
                };
                player.attributes.push((specs[attribute].name.clone(), value));
            }
            player
        });
        let pings = layout.regions.iter().zip(ticket.pings_ms);
        let latency =
            pings.filter_map(|(name, ping)| ping.map(|ping| (name.to_string(), Decimal::from(ping))));
        TicketRequest {
            players: players.collect(),
            latency: latency.collect(),
            enqueued: ticket.enqueued,
            user_data: ticket.user_data,
            ..TicketRequest::new(&layout.queue.name)
        }
    }
}
