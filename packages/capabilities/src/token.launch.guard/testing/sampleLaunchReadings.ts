import { absent, type Hex, valueReading } from "@assay/protocol";
import type { LaunchExercise, TokenLaunchReadings } from "../readings.js";
import type { LaunchLeg, LaunchRun } from "../tradeReadings.js";

const zero = valueReading<Hex>(`0x${"0".repeat(64)}`);
const word = (value: bigint) => valueReading<Hex>(`0x${value.toString(16).padStart(64, "0")}`);
const weth: Hex = "0x4200000000000000000000000000000000000006";
const stablecoin: Hex = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";

export const PAIR: Hex = "0x00000000000000000000000000000000000000b1";
export const OWNER: Hex = "0x00000000000000000000000000000000000000c1";
const SENDERS: readonly Hex[] = [
  "0x00000000000000000000000000000000000000d1",
  "0x00000000000000000000000000000000000000d2",
];

export const leg = (changes: Partial<LaunchLeg> = {}): LaunchLeg => ({
  success: true,
  sent: "10000",
  reached: "10000",
  quoted: "10000",
  received: "10000",
  refusal: "0x",
  ...changes,
});
/** A leg of which so many basis points are kept back. */
export const taxed = (bps: number) => leg({ reached: `${10_000 - bps}`, received: `${10_000 - bps}` });
export const failed = leg({ success: false, reached: "0", received: "0", refusal: "0x08c379a0" });

export const run = (
  shareBps: number,
  changes: Partial<Record<0 | 1 | 2 | 3 | 4, LaunchLeg>> = {},
): LaunchRun => ({
  shareBps,
  legs: ([0, 1, 2, 3, 4] as const).map((index) => changes[index] ?? leg()),
});

export const exercise = (changes: Partial<LaunchExercise> = {}): LaunchExercise => ({
  bought: leg(),
  plainSale: leg(),
  accepted: [],
  unchanged: [],
  refused: [],
  untried: [],
  ...changes,
});

/** Both senders have the same outcome in the one pair. */
export const trades = (...runs: readonly LaunchRun[]): TokenLaunchReadings["trades"] =>
  SENDERS.map((sender) => ({ pool: PAIR, sender, runs: valueReading([...runs]) }));

export const scanOf = (...selectors: readonly string[]): TokenLaunchReadings["scan"] =>
  valueReading({ scanner: "test 1", source: "now" as const, selectors: [...selectors] });

/** An ordinary token without owner or powers, which sells at both sizes without a tax. */
export const sampleLaunchReadings: TokenLaunchReadings = {
  fees: {
    conditions: {
      baseFee: "10",
      gasPrice: "20",
      seen: valueReading({ gasPrice: "20", baseFee: "10" }),
      isFeeLent: false,
    },
    programs: [],
  },
  code: valueReading({
    codeHash: `0x${"11".repeat(32)}`,
    bytecodeBytes: 100,
    strippedCodeHash: `0x${"22".repeat(32)}`,
    form: "contract",
    target: null,
  }),
  scan: scanOf("0xa9059cbb"),
  slots: {
    eip1967Implementation: zero,
    eip1967Admin: zero,
    eip1967Beacon: zero,
    eip1822Implementation: zero,
    zeppelinosImplementation: zero,
  },
  owner: absent,
  getOwner: absent,
  totalSupply: word(10n ** 27n),
  beaconImplementation: null,
  implementation: null,
  ownerAccount: null,
  quotes: { weth, stablecoin },
  pools: valueReading({
    found: [
      {
        kind: "classic" as const,
        quote: weth,
        fee: 3000,
        isRead: true,
        pool: PAIR,
        quoteBalance: (10n ** 19n).toString(),
        tokenBalance: (10n ** 24n).toString(),
      },
    ],
    pricing: { weth: (10n ** 21n).toString(), stablecoin: (3n * 10n ** 12n).toString() },
  }),
  trades: trades(run(1), run(100)),
  powers: {
    caller: "0x00000000000000000000000000000000000000e1",
    role: "anyone",
    trader: "0x00000000000000000000000000000000000000d1",
    exercises: [valueReading(exercise())],
    leftOut: [],
  },
  liquidity: {
    pool: PAIR,
    totalSupply: word(1_000n),
    atZero: word(1_000n),
    atDead: word(0n),
    atOwner: null,
    atToken: word(0n),
  },
};

/** The same with somebody in office. */
export const owned = (form: "empty" | "contract" | "eip7702_delegation"): Partial<TokenLaunchReadings> => ({
  owner: valueReading<Hex>(`0x${OWNER.slice(2).padStart(64, "0")}`),
  ownerAccount: {
    address: OWNER,
    code: valueReading({
      codeHash: `0x${"33".repeat(32)}`,
      bytecodeBytes: form === "empty" ? 0 : 23,
      strippedCodeHash: null,
      form,
      target: null,
    }),
  },
});
