//! A request in a few words: numbers and known texts of the queue's own attributes, one latency for all players, and
//! nothing else. That is what most tickets are, and all that a ticket takes at the door beside its place.
//!
//! Made by `submit` and `layout`, read by `told`, and by `intake` when a tick takes the ticket in. Words of a run:
//!
//! | words | what |
//! | --- | --- |
//! | 1 | the host's word |
//! | 1 | when the wait began |
//! | 2 a player | who it is |
//! | 1 a player and attribute of the queue | units of 0.000001, or the number of a text; `NO_VALUE`: nothing |
//! | 1 for two regions | round-trip times in units of 0.000001 ms, by ascending number of the region |
//!
//! Measured (`tests/footprint.rs`, `benches/door.rs`; one player, one number, four regions; CPU time of one thread, ratios
//! of runs in turn on a busy machine, tickets and events the same by `tests/door.rs`): the whole request behind an `Arc`,
//! in a boxed ticket with its own cells for versions and inline places for a match, took 2,023 bytes a waiting ticket at
//! the door and 2.7 us a submit in batches of 64; as words, with what is rare in a box, 228 bytes and 1.8 us, and 0.7 us
//! where no name has to be found. Polls went from 2.8 us a ticket to 1.2 us as records and 0.8 us into flat arrays.
//!
//! Invariant: a request that is made of it again asks for the same, digits that count for nothing left out; what does
//! not fit stays a whole request.

use super::door::Door;
use super::lexicon::Lexicon;
use super::prepare::own_number;
use super::ticket::Ticket;
use super::values::{Brought, Members};
use crate::base::cells::{CELL_WORDS, CellLot, Cells, Run, View};
use crate::base::fixed::{Decimal, Fixed};
use crate::model::attribute::{AttributeType, AttributeValue};
use crate::model::ids::{Millis, PlayerId};
use crate::model::plain::TextId;
use crate::model::request::{PlayerRequest, TicketRequest};
use crate::rules::compile::{CompiledQueue, NO_VALUE};

/// Cells of a request that is kept plain, at most. Chosen: a party of five with three attributes takes four.
const PLAIN_CELLS: usize = 8;
/// Words of it.
const WORDS_MAX: usize = PLAIN_CELLS * CELL_WORDS;
/// Room for a plain request.
pub(super) type Words = [u64; WORDS_MAX];
/// Room that is to be filled.
pub(super) const NO_WORDS: Words = [0; WORDS_MAX];
/// The place of the first player.
const PLAYERS_AT: usize = 2;

/// Where a ticket's plain request is.
pub(super) struct Plain {
    /// Its words.
    pub run: Run,
    players: u16,
    /// The regions that it can be matched in, as bits by number.
    pub regions: u64,
}

/// A plain request that is being made.
pub(super) struct Draft {
    words: Words,
    len: usize,
    players: u16,
    regions: u64,
}

impl Draft {
    /// A request without players.
    pub(super) fn new(user_data: u64, enqueued: Millis) -> Draft {
        let mut draft = Draft { words: NO_WORDS, len: 0, players: 0, regions: 0 };
        draft.restart(user_data, enqueued);
        draft
    }

    /// Begins again, with a request without players.
    pub(super) fn restart(&mut self, user_data: u64, enqueued: Millis) {
        (self.len, self.players, self.regions) = (PLAYERS_AT, 0, 0);
        self.words[..PLAYERS_AT].copy_from_slice(&[user_data, enqueued.0]);
    }

    /// A request of one player who brings nothing of so many attributes; `None`: there is no room for so many.
    pub(super) fn blank(attributes: usize) -> Option<Draft> {
        let mut draft = Draft::new(0, Millis(0));
        draft.add_player(PlayerId(0))?;
        (0..attributes).try_for_each(|_| draft.add_value(NO_VALUE))?;
        Some(draft)
    }

    #[inline]
    fn add(&mut self, word: u64) -> Option<()> {
        *self.words.get_mut(self.len)? = word;
        self.len += 1;
        Some(())
    }

    /// Adds a player; `None`: there is no room.
    #[inline]
    pub(super) fn add_player(&mut self, player: PlayerId) -> Option<()> {
        self.players += 1;
        let words = self.words.get_mut(self.len..self.len + 2)?;
        words.copy_from_slice(&[player.0 as u64, (player.0 >> 64) as u64]);
        self.len += 2;
        Some(())
    }

    /// Adds a value: of each player in turn, of each attribute of the queue in turn.
    pub(super) fn add_value(&mut self, value: i64) -> Option<()> {
        self.add(value as u64)
    }

    /// Adds the round-trip times by ascending region; `None`: there is no room, or one is not plain.
    #[inline]
    pub(super) fn add_pings(&mut self, pings: impl Iterator<Item = (u8, i64)>) -> Option<()> {
        let rest = self.words.get_mut(self.len..)?;
        let (mut count, mut regions) = (0, 0_u64);
        for (region, ping) in pings {
            debug_assert!(regions >> region == 0, "regions stand in ascending order");
            regions |= 1 << region;
            let (word, ping) = (rest.get_mut(count / 2)?, u64::from(u32::try_from(ping).ok()?));
            *word = if count % 2 == 0 { ping } else { *word | ping << 32 };
            count += 1;
        }
        self.regions = regions;
        self.len += count.div_ceil(2);
        Some(())
    }

    /// The request, if it is plain. `pings`: the regions that the ticket can be matched in, by ascending number.
    pub(super) fn of(
        queue: &CompiledQueue,
        lexicon: &Lexicon,
        request: &TicketRequest,
        pings: &[(u8, i64)],
        enqueued: Millis,
    ) -> Option<Draft> {
        let limits = &request.limits;
        let is_bare = request.awaits.is_empty()
            && request.regions.is_none()
            && request.timeout.is_none()
            && limits.attributes.is_empty()
            && limits.max_ping_ms.is_none()
            && queue.lists.is_empty()
            && request.latency.len() == pings.len();
        if !is_bare {
            return None;
        }
        let mut draft = Draft::new(request.user_data, enqueued);
        for player in &request.players {
            draft.add_player(player.id)?;
        }
        for player in &request.players {
            if !player.latency.is_empty() {
                return None;
            }
            let mut found = 0;
            for spec in &queue.spec.attributes {
                let own = player.attributes.iter().find(|(name, _)| *name == spec.name);
                found += usize::from(own.is_some());
                draft.add_value(match own {
                    None => NO_VALUE,
                    // What has more digits counts as it is rounded.
                    Some((_, value @ AttributeValue::Number(number))) => match number.exact() {
                        Ok(number) => number.micros(),
                        Err(_) => own_number(spec, value).ok()??.micros(),
                    },
                    Some((_, AttributeValue::String(text))) => i64::from(lexicon.number(text)?.0),
                    Some(_) => return None,
                })?;
            }
            if found < player.attributes.len() {
                return None;
            }
        }
        draft.add_pings(pings.iter().copied())?;
        Some(draft)
    }

    /// Its values.
    pub(super) fn opened(&self) -> Opened<'_> {
        Opened { words: &self.words, players: usize::from(self.players) }
    }

    /// Keeps it; `None`: there is no room.
    pub(super) fn put(&self, cells: &mut CellLot<'_>) -> Option<Plain> {
        let run = cells.put(&self.words[..self.len])?;
        Some(Plain { run, players: self.players, regions: self.regions })
    }
}

impl Plain {
    /// No request.
    pub(super) const NONE: Plain = Plain { run: Run::NONE, players: 0, regions: 0 };

    /// How many players there are.
    pub(super) fn players(&self) -> usize {
        usize::from(self.players)
    }

    /// A look at its words.
    #[inline]
    pub(super) fn look<'a>(&'a self, cells: &'a Cells) -> PlainLook<'a> {
        PlainLook { plain: self, words: cells.view(self.run) }
    }

    /// Its values, read into `words`.
    pub(super) fn open<'a>(&self, cells: &Cells, words: &'a mut Words) -> Opened<'a> {
        cells.read(self.run, words);
        Opened { words, players: self.players() }
    }

    /// The whole request that it came from.
    pub(super) fn request(&self, door: &Door, ticket: &Ticket) -> TicketRequest {
        let mut words = NO_WORDS;
        let (look, opened) = (self.look(&door.bodies), self.open(&door.bodies, &mut words));
        let spec = &ticket.queue.compiled.spec;
        let width = spec.attributes.len();
        let order = ticket.order.clone().unwrap_or_else(|| ticket.queue.regions.order());
        let name = |region: u8| order.names[usize::from(region)].as_deref().unwrap_or_default().to_owned();
        let decimal = |micros: i64| Decimal::from(Fixed::from_micros(micros));
        let players = (0..self.players()).map(|player| {
            let mut made = PlayerRequest::new(look.player(player));
            for (attribute, spec) in spec.attributes.iter().enumerate() {
                let value = match opened.value(player, attribute, width) {
                    NO_VALUE => continue,
                    text if spec.kind == AttributeType::String => {
                        let text = door.lexicon.text(TextId(text as u32));
                        AttributeValue::String(text.unwrap_or_default().to_owned())
                    }
                    micros => AttributeValue::Number(decimal(micros)),
                };
                made.attributes.push((spec.name.clone(), value));
            }
            made
        });
        let pings = look.pings(width);
        TicketRequest {
            players: players.collect(),
            latency: pings.map(|(region, micros)| (name(region), decimal(micros))).collect(),
            user_data: look.user_data(),
            ..TicketRequest::new(&ticket.queue.name)
        }
    }
}

/// A look at a plain request, for who reads a few words of it.
#[derive(Clone, Copy)]
pub(super) struct PlainLook<'a> {
    plain: &'a Plain,
    words: View<'a>,
}

impl<'a> PlainLook<'a> {
    /// The host's word.
    #[inline]
    pub(super) fn user_data(&self) -> u64 {
        self.words.word(0)
    }

    /// When the wait began.
    #[inline]
    pub(super) fn enqueued(&self) -> Millis {
        Millis(self.words.word(1))
    }

    /// How many players there are.
    #[inline]
    pub(super) fn players(&self) -> usize {
        self.plain.players()
    }

    /// A player.
    #[inline]
    pub(super) fn player(&self, at: usize) -> PlayerId {
        let half = |half: usize| u128::from(self.words.word(PLAYERS_AT + 2 * at + half));
        PlayerId(half(1) << 64 | half(0))
    }

    /// The regions by ascending number, with the round-trip times. `width`: attributes of the queue.
    pub(super) fn pings(&self, width: usize) -> impl Iterator<Item = (u8, i64)> + use<'a> {
        let look = *self;
        let mut rest = self.plain.regions;
        (0..).map_while(move |at| {
            let region = (rest != 0).then(|| rest.trailing_zeros() as u8)?;
            rest &= rest - 1;
            Some((region, look.ping_at(width, at)))
        })
    }

    /// A value of the only player, as it stands.
    #[inline]
    pub(super) fn value_of_single(&self, attribute: usize) -> i64 {
        debug_assert_eq!(self.players(), 1);
        self.words.word(PLAYERS_AT + 2 + attribute) as i64
    }

    /// Calls `visit` for the regions by ascending number, with the round-trip times. `width`: attributes of the queue.
    #[inline]
    pub(super) fn visit_pings(&self, width: usize, mut visit: impl FnMut(u8, i64)) {
        let mut rest = self.plain.regions;
        let mut at = PLAYERS_AT + (2 + width) * self.players();
        while rest != 0 {
            let word = self.words.word(at);
            visit(rest.trailing_zeros() as u8, i64::from(word as u32));
            rest &= rest - 1;
            if rest != 0 {
                visit(rest.trailing_zeros() as u8, i64::from((word >> 32) as u32));
                rest &= rest - 1;
            }
            at += 1;
        }
    }

    /// The round-trip time to a region. `width`: attributes of the queue.
    #[inline]
    pub(super) fn ping(&self, width: usize, region: u8) -> Option<i64> {
        let regions = self.plain.regions;
        let before = (regions & ((1 << region) - 1)).count_ones() as usize;
        (regions >> region & 1 == 1).then(|| self.ping_at(width, before))
    }

    /// The round-trip time at a place among its regions.
    #[inline]
    fn ping_at(&self, width: usize, at: usize) -> i64 {
        let word = self.words.word(PLAYERS_AT + (2 + width) * self.players() + at / 2);
        i64::from((word >> (32 * (at % 2))) as u32)
    }
}

/// The values of a plain request.
#[derive(Clone, Copy)]
pub(super) struct Opened<'a> {
    words: &'a Words,
    players: usize,
}

impl Opened<'_> {
    /// A value as it stands: units, or the number of a text. `width`: attributes of the queue.
    pub(super) fn value(&self, player: usize, attribute: usize, width: usize) -> i64 {
        self.words[PLAYERS_AT + 2 * self.players + player * width + attribute] as i64
    }

    /// How many players there are.
    pub(super) fn players(&self) -> usize {
        self.players
    }

    /// When the wait began.
    pub(super) fn enqueued(&self) -> Millis {
        Millis(self.words[1])
    }

    /// The round-trip times to `regions`, by ascending number. `width`: attributes of the queue.
    pub(super) fn pings(&self, regions: u64, width: usize) -> impl Iterator<Item = (u8, i64)> {
        let from = PLAYERS_AT + (2 + width) * self.players;
        let mut left = regions;
        (0..regions.count_ones() as usize).map(move |at| {
            let region = left.trailing_zeros() as u8;
            left &= left - 1;
            let word = self.words[from + at / 2] >> (32 * (at % 2));
            (region, i64::from(word as u32))
        })
    }
}

/// The players of a plain request.
pub(super) struct PlainMembers<'a> {
    pub queue: &'a CompiledQueue,
    pub lexicon: &'a Lexicon,
    pub opened: Opened<'a>,
}

impl<'a> Members<'a> for PlainMembers<'a> {
    fn count(&self) -> usize {
        self.opened.players()
    }

    fn brought(&self, player: usize, attribute: usize) -> Brought<'a> {
        let specs = &self.queue.spec.attributes;
        let spec = &specs[attribute];
        match self.opened.value(player, attribute, specs.len()) {
            NO_VALUE => Brought::Nothing,
            text if spec.kind == AttributeType::String => {
                self.lexicon.text(TextId(text as u32)).map_or(Brought::Nothing, Brought::Text)
            }
            micros => Brought::Number(Fixed::from_micros(micros).rounded(spec.decimals)),
        }
    }
}
