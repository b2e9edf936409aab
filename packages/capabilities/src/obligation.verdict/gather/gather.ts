import type { Hex } from "@assay/protocol";
import type { GatherContext, Gathered, Gatherer } from "../../gathering.js";
import type { ObligationVerdictInput } from "../input.js";
import { findCounterexample, MAX_CHALLENGES_SHOWN, type ObligationVerdictReadings } from "../readings.js";
import { listSuspectBlocks } from "../upgradeEvents.js";
import { findBeacon, type ObservedSubject, observeSubject, readControl } from "./observeSubject.js";
import { readUpgradeEvents } from "./readUpgradeEvents.js";

/** The subject is read at this many of the blocks that events point to. */
const MAX_SUSPECT_BLOCKS = 8;

/** The obligation on record, and the chain's present record of the blocks it is about. */
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
  const observeAt = (number: number) => observeSubject(chain, address, number);
  const challengedAt = findCounterexample(challenges)?.observed?.block;
  const [atFrom, atTo, atChallenge] = await Promise.all([
    assertion.type === "bytecode" ? null : observeSubject(chain, address, assertion.fromBlock, true),
    observeAt(assertion.toBlock),
    challengedAt === undefined ? null : observeAt(challengedAt),
  ]);
  const [control, events] = atFrom
    ? await Promise.all([
        readControl(chain, atFrom),
        readUpgradeEvents(chain, listEmitters(address, [atFrom, atTo]), assertion),
      ])
    : [null, null];
  const suspects = events ? listSuspectBlocks(assertion, events.found) : [];
  const unseen = suspects.filter((number) => number !== challengedAt).slice(0, MAX_SUSPECT_BLOCKS);
  const observations = await Promise.all(unseen.map(observeAt));
  return {
    readings: {
      block: { number: block.number, hash: block.hash, timestamp: block.timestamp },
      observedAtMs: Date.now(),
      obligation: readings,
      challenges,
      challengesTotal,
      atFrom: atFrom?.observation ?? null,
      atTo: atTo.observation,
      atChallenge: atChallenge?.observation ?? null,
      control,
      events,
      looks: observations.map(({ observation }) => observation),
    },
  };
}

/** Beacons are included because a beacon emits the event of its own upgrade. */
function listEmitters(address: Hex, observations: readonly ObservedSubject[]): Hex[] {
  const beacons = observations.flatMap(({ observation }) => findBeacon(observation) ?? []);
  return [...new Set([address, ...beacons])];
}

export const gatherer: Gatherer<ObligationVerdictInput, ObligationVerdictReadings> = {
  gather: gatherObligationVerdict,
};
