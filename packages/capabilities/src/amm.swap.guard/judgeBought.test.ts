import { valueReading } from "@assay/protocol";
import { expect, test } from "vitest";
import {
  failed,
  leg,
  NOBODY,
  OWNER,
  PAIR,
  run,
  sampleLaunchReadings,
  share,
  trades,
  word,
} from "../shared/launch/testing/sampleLaunchReadings.js";
import { judgeBought } from "./judgeBought.js";

const TOKEN = "0x00000000000000000000000000000000000000a1";

test("a token is bought with what its launch says of it", () => {
  expect(judgeBought(TOKEN, sampleLaunchReadings).notes).toEqual([{ code: "BOUGHT_TOKEN_SOUND" }]);
  const pulled = {
    ...sampleLaunchReadings,
    liquidity: [{ pool: PAIR, total: word(1_000n), isListed: true, shares: [share(OWNER, 999n)] }],
  };
  expect(judgeBought(TOKEN, pulled)).toMatchObject({
    notes: [{ code: "BOUGHT_TOKEN_DOUBTFUL", limitation: expect.stringContaining("LIQUIDITY_WITH_ACCOUNT") }],
    bought: { verdict: "review" },
  });
  const trap = { ...sampleLaunchReadings, trades: trades(run(100, { 3: failed })) };
  expect(judgeBought(TOKEN, trap).notes).toMatchObject([{ code: "BOUGHT_TOKEN_TRAPS" }]);
});

test("a sale that only has to wait for the next block differs from one that fails", () => {
  const waiting = {
    ...sampleLaunchReadings,
    trades: trades(run(100, { 3: failed, 4: failed })),
    crowd: valueReading([{ sender: NOBODY, sharePpm: 1_000, legs: [leg(), failed] }]),
    crowdLater: valueReading([{ sender: NOBODY, sharePpm: 1_000, legs: [leg(), leg()] }]),
    later: valueReading({
      bought: leg(),
      sales: [
        { wait: 0, sale: failed },
        { wait: 1, sale: leg() },
      ],
    }),
  };
  expect(judgeBought(TOKEN, waiting).isPatient).toBe(true);
  expect(judgeBought(TOKEN, sampleLaunchReadings).isPatient).toBe(false);
});

test("a token that others are quoted in is not judged", () => {
  expect(judgeBought(TOKEN, null)).toMatchObject({ notes: [], bought: null });
});
