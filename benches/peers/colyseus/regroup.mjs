// The regroup step of Colyseus' QueueRoom on a trace: [[skill, window, home region], ..] comes on the standard input,
// {"seconds", "pairs"} goes out. Started by the peers program; see src/peers/colyseus.rs.
import { readFileSync } from "node:fs";
import { QueueRoom } from "@colyseus/core";

const TURNS = 5;

// How long this process stood ready while others had its processor: Linux says so, elsewhere it is 0.
function waited() {
  try {
    return Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[1]) / 1e9;
  } catch {
    return 0;
  }
}


const tickets = JSON.parse(readFileSync(0, "utf8"));
const homes = 1 + tickets.reduce((most, ticket) => Math.max(most, ticket[2]), 0);

// The step and nothing after it: no rooms are made, no seats are sent.
class Regroup extends QueueRoom {
  processGroupsReady() {}
}

function room(home) {
  const made = Object.create(Regroup.prototype);
  made.maxPlayers = 2;
  made.allowIncompleteGroups = false;
  made.maxWaitingCycles = 15;
  made.maxWaitingCyclesForPriority = 10;
  made.groups = [];
  made.highPriorityGroups = [];
  made.clients = [];
  made.compare = (client, group) => {
    const window = Math.min(client.options.window, group.clients[0].userData.options.window);
    return Math.abs(client.rank - group.averageRank) <= window;
  };
  tickets.forEach(([rank, window, of], place) => {
    if (of === home) {
      made.clients.push({ userData: { rank, currentCycle: 0, options: { window, place } }, send() {} });
    }
  });
  return made;
}

let best;
for (let turn = 0; turn < TURNS; turn++) {
  const rooms = Array.from({ length: homes }, (_, home) => room(home));
  const before = waited();
  const begun = process.hrtime.bigint();
  rooms.forEach((made) => made.reassignMatchGroups());
  const clock = Number(process.hrtime.bigint() - begun) / 1e9;
  const seconds = Math.max(clock - (waited() - before), 1e-9);
  if (best === undefined || seconds < best.seconds) {
    const ready = rooms.flatMap((made) => made.groups).filter((group) => group.ready);
    best = { seconds, pairs: ready.map((group) => group.clients.map((client) => client.userData.options.place)) };
  }
}
process.stdout.write(JSON.stringify(best), () => process.exit(0));
