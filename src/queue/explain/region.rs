//! Why two tickets share no region: their latency lists, their allow lists, or their own limits on the ping.
//!
//! Used where the rows of two tickets have no region in common. A row holds only the regions that are left of a
//! ticket's request, so what has been ruled out is read from the requests.

use crate::model::explanation::RegionCause;
use crate::model::request::{Latency, TicketRequest};
use crate::queue::regions::compared;
use crate::rules::spec::RegionNames;
use std::collections::BTreeSet;

/// What a request says of regions, by compared names.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    /// The regions in every member's list.
    listed: BTreeSet<String>,
    /// The allow list.
    allowed: Option<BTreeSet<String>>,
}

impl Reach {
    /// Reads a request that the engine has accepted.
    pub(super) fn new(request: &TicketRequest, how: RegionNames) -> Reach {
        let key = |name: &String| compared(name, how).into_owned();
        let names = |list: &Latency| list.iter().map(|(name, _)| key(name)).collect::<BTreeSet<String>>();
        let lists = request.players.iter().map(|player| match player.latency.is_empty() {
            true => names(&request.latency),
            false => names(&player.latency),
        });
        let listed = lists.reduce(|shared, list| shared.intersection(&list).cloned().collect());
        Reach {
            listed: listed.unwrap_or_default(),
            allowed: request.regions.as_ref().map(|names| names.iter().map(key).collect()),
        }
    }

    fn allows(&self, name: &str) -> bool {
        self.allowed.as_ref().is_none_or(|allowed| allowed.contains(name))
    }
}

/// Why two tickets that share no region share none.
pub(super) fn cause(a: &Reach, b: &Reach) -> RegionCause {
    let mut common = a.listed.intersection(&b.listed).peekable();
    if common.peek().is_none() {
        return RegionCause::NoneInCommon;
    }
    match common.any(|name| a.allows(name) && b.allows(name)) {
        true => RegionCause::OwnPingLimit,
        false => RegionCause::NotAllowed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::PlayerId;
    use crate::model::request::PlayerRequest;

    fn reach(change: impl FnOnce(TicketRequest) -> TicketRequest) -> Reach {
        let ticket = TicketRequest::new("q").player(PlayerRequest::new(PlayerId(1)));
        Reach::new(&change(ticket), RegionNames::FoldCase)
    }

    #[test]
    fn the_first_of_the_three_that_holds_is_told() {
        let eu = reach(|ticket| ticket.ping("EU", 40).ping("us", 90));
        assert_eq!(cause(&eu, &reach(|ticket| ticket.ping("ap", 20))), RegionCause::NoneInCommon);
        let mut only = TicketRequest::new("q").player(PlayerRequest::new(PlayerId(2)));
        only = only.ping("eu", 30).ping("ap", 20);
        only.regions = Some(vec!["ap".to_owned()]);
        assert_eq!(cause(&eu, &Reach::new(&only, RegionNames::FoldCase)), RegionCause::NotAllowed);
        only.regions = None;
        only.limits.max_ping_ms = Some(25.into());
        assert_eq!(cause(&eu, &Reach::new(&only, RegionNames::FoldCase)), RegionCause::OwnPingLimit);
    }

    #[test]
    fn a_party_reaches_what_every_member_does() {
        let party = TicketRequest::new("q")
            .player(PlayerRequest::new(PlayerId(1)).ping("eu", 20).ping("us", 50))
            .player(PlayerRequest::new(PlayerId(2)).ping("eu", 70));
        let reach = Reach::new(&party, RegionNames::Exact);
        assert_eq!(reach.listed, BTreeSet::from(["eu".to_owned()]));
    }
}
