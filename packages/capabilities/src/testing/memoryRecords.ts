import type { Hex } from "@assay/protocol";
import type { InterfaceScan } from "../gathering.js";
import type { Records } from "../records.js";
import type { RecordedObservation } from "../shared/observations/observedReadings.js";

const notGiven = (what: string) => () => Promise.reject(new Error(`this test keeps no ${what}`));

/** What earlier calls have left, for tests that run `gather` without a database. */
export function createMemoryRecords() {
  const observations = new Map<Hex, RecordedObservation[]>();
  const scans = new Map<Hex, InterfaceScan>();
  const records: Records = {
    async findEarlierObservations(address, blockNumber) {
      const known = (observations.get(address) ?? []).filter((one) => one.blockNumber <= blockNumber);
      const newest = [...known].sort((left, right) => right.blockNumber - left.blockNumber)[0];
      const first = observations.get(address)?.[0];
      const baseline = first && first.blockNumber <= blockNumber ? first : null;
      return { previous: newest ?? null, baseline };
    },
    findSelectors: async (codeHash) => scans.get(codeHash)?.selectors,
    getEvidenceSource: notGiven("artifacts"),
    getObligation: notGiven("obligations"),
    listChallenges: notGiven("challenges"),
    findCall: notGiven("calls"),
  };
  return {
    ...records,
    /** The first observation of an address is its baseline; a second one at the same block is not kept. */
    observe(address: Hex, observation: RecordedObservation): void {
      const known = observations.get(address) ?? [];
      if (known.some((one) => one.blockNumber === observation.blockNumber)) return;
      observations.set(address, [...known, observation]);
    },
    keepScans(made: readonly InterfaceScan[]): void {
      for (const scan of made) scans.set(scan.codeHash, scan);
    },
    clear(): void {
      observations.clear();
      scans.clear();
    },
  };
}

export type MemoryRecords = ReturnType<typeof createMemoryRecords>;
