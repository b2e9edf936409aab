import type { Hex } from "@assay/protocol";
import type { GatherContext, Gathered, Gatherer } from "../../gathering.js";
import type { ObligationVerdictInput } from "../input.js";
import { findCounterexample, MAX_CHALLENGES_SHOWN, type ObligationVerdictReadings } from "../readings.js";
import { listSuspectBlocks } from "../upgradeEvents.js";
import { findBeacon, lookAtSubject, readControl, type SubjectLook } from "./lookAtSubject.js";
import { readUpgradeEvents } from "./readUpgradeEvents.js";

/** Of the blocks that events point to, so many are looked at. */
const MAX_LOOKS = 8;

/** The obligation on record, and what the chain says now of the blocks it is about. */
async function gatherObligationVerdict(
  { chain, block, records }: GatherContext,
  { obligationId }: ObligationVerdictInput,
): Promise<Gathered<ObligationVerdictReadings>> {
  const [{ claim, readings, challengesTotal }, challenges] = await Promise.all([
    records.getObligation(obligationId),
    records.listChallenges(obligationId, MAX_CHALLENGES_SHOWN),
  ]);
  const { assertion } = claim;
  const address = assertion.address.toLowerCase() as Hex;
  const lookAt = (number: number) => lookAtSubject(chain, address, number);
  const challengedAt = findCounterexample(challenges)?.observed?.block;
  const [atFrom, atTo, atChallenge] = await Promise.all([
    assertion.type === "bytecode" ? null : lookAt(assertion.fromBlock),
    lookAt(assertion.toBlock),
    challengedAt === undefined ? null : lookAt(challengedAt),
  ]);
  const [control, events] = atFrom
    ? await Promise.all([
        readControl(chain, address, atFrom),
        readUpgradeEvents(chain, listEmitters(address, [atFrom, atTo]), assertion),
      ])
    : [null, null];
  const suspects = events ? listSuspectBlocks(assertion, events.found) : [];
  const unseen = suspects.filter((number) => number !== challengedAt).slice(0, MAX_LOOKS);
  const looks = await Promise.all(unseen.map(lookAt));
  return {
    readings: {
      block: { number: block.number, hash: block.hash, timestamp: block.timestamp },
      observedAtMs: Date.now(),
      obligation: readings,
      challenges,
      challengesTotal,
      atFrom: atFrom?.look ?? null,
      atTo: atTo.look,
      atChallenge: atChallenge?.look ?? null,
      control,
      events,
      looks: looks.map(({ look }) => look),
    },
  };
}

/** A beacon's upgrade is told by the beacon. */
function listEmitters(address: Hex, looks: readonly SubjectLook[]): Hex[] {
  const beacons = looks.flatMap(({ look }) => findBeacon(look) ?? []);
  return [...new Set([address, ...beacons])];
}

export const gatherer: Gatherer<ObligationVerdictInput, ObligationVerdictReadings> = {
  gather: gatherObligationVerdict,
};
