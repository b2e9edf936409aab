import type { ProviderProfile } from "@assay/chain/testing/providerProfile";
import { getProfile } from "@assay/chain/testing/providerProfiles";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MatrixWorld, openMatrixWorld } from "./testing/profileMatrix.js";

/** Rounds over everything that is provable; `npm run campaign:nodes` asks more often than the suite. */
const ROUNDS = process.env.ASSAY_EVERY_PROFILE === undefined ? 1 : 10;
/** As on Base. */
const BLOCK_TIME_MS = 200;
const IN_SUITE = ["contract.guard", "contract.interface", "lending.collateral.guard"];

let world: MatrixWorld;
beforeAll(async () => {
  world = await openMatrixWorld(BLOCK_TIME_MS);
}, 120_000);
afterAll(() => world?.service.stop());

async function countProven(profile: ProviderProfile): Promise<{ proven: number; provable: number }> {
  const rows = ROUNDS > 1 ? world.rows : world.rows.filter(({ name }) => IN_SUITE.includes(name));
  const provable: typeof rows = await world.behind(getProfile("full node"), async (chain) => {
    const outcomes = [];
    for (const row of rows) outcomes.push((await row.ask(chain)).isProven ? [row] : []);
    return outcomes.flat();
  });
  const counts = { proven: 0, provable: 0 };
  await world.behind(profile, async (chain) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const row of provable) {
        const { isProven, verdict } = await row.ask(chain);
        if (verdict === "503") continue;
        counts.provable += 1;
        if (isProven) counts.proven += 1;
      }
    }
  });
  return counts;
}

test.each(["tip-only proofs", "tip-only proofs, 120 ms away"])(
  "%s: what is sold is proven all the same",
  { timeout: 600_000 },
  async (name) => {
    const { proven, provable } = await countProven(getProfile(name));
    if (ROUNDS > 1) console.log(`${name}: ${proven} of ${provable} provable answers carry proofs`);
    expect(provable).toBeGreaterThan(0);
    expect(proven).toBeGreaterThanOrEqual(Math.ceil(0.95 * provable));
  },
);
