import { absent, type Hex, valueReading } from "@assay/protocol";
import { NOTHING } from "../gather/restOfReadings.js";
import type { LaunchActor, LaunchExercise, LaunchReadings, LaunchShare } from "../launchReadings.js";
import type { LaunchLeg, LaunchRun } from "../tradeReadings.js";

const zero = valueReading<Hex>(`0x${"0".repeat(64)}`);
export const word = (value: bigint) => valueReading<Hex>(`0x${value.toString(16).padStart(64, "0")}`);
const weth: Hex = "0x4200000000000000000000000000000000000006";
const stablecoin: Hex = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";

export const PAIR: Hex = "0x00000000000000000000000000000000000000b1";
export const OWNER: Hex = "0x00000000000000000000000000000000000000c1";
export const NOBODY: Hex = "0x00000000000000000000000000000000000000e1";
const DEAD: Hex = "0x000000000000000000000000000000000000dead";
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
  sharePpm: number,
  changes: Partial<Record<0 | 1 | 2 | 3 | 4, LaunchLeg>> = {},
): LaunchRun => ({
  sharePpm,
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

export const actor = (
  role: LaunchActor["role"],
  caller: Hex,
  changes: Partial<LaunchExercise> = {},
): LaunchActor => ({
  caller,
  role,
  isOrigin: false,
  place: null,
  exercises: [valueReading(exercise(changes))],
});

/** A call that was accepted, and what it did. */
export const act = (
  data: Hex,
  sale: LaunchLeg,
  changes: Partial<LaunchExercise["accepted"][number]["changes"]> = {},
): LaunchExercise["accepted"][number] => ({
  data,
  sale,
  changes: { caller: "0", trader: "0", pool: "0", supply: "0", allowance: "0", ...changes },
});

const codeOf = (form: "empty" | "contract" | "eip7702_delegation") =>
  valueReading({
    codeHash: `0x${"33".repeat(32)}` as Hex,
    bytecodeBytes: form === "empty" ? 0 : 23,
    strippedCodeHash: null,
    form,
    target: null,
  });

export const share = (
  address: Hex,
  held: bigint,
  form: "empty" | "contract" = "empty",
  keeper: LaunchShare["keeper"] = null,
): LaunchShare => ({ address, held: word(held), code: codeOf(form), knownAs: null, keeper });

/** Both senders have the same outcome in the one pair. */
export const trades = (...runs: readonly LaunchRun[]): LaunchReadings["trades"] =>
  SENDERS.map((sender) => ({ pool: PAIR, sender, runs: valueReading([...runs]) }));

/** A program with these functions besides a token's own. */
export const program = (
  functions: readonly (readonly [selector: Hex, parameters: string, writesTrade: boolean])[] = [],
  opcodes: NonNullable<LaunchReadings["program"]>["opcodes"] = [],
): LaunchReadings["program"] => ({
  analysis: valueReading({
    functions: [
      { selector: "0xa9059cbb", parameters: "address,uint256", isView: false },
      ...functions.map(([selector, parameters]) => ({ selector, parameters, isView: false })),
    ],
    storage: [
      {
        slot: `0x${"0".repeat(63)}1` as Hex,
        offset: 0,
        type: "mapping(address => uint256)",
        reads: ["0xa9059cbb"],
        writes: ["0xa9059cbb", ...functions.flatMap(([selector, , writes]) => (writes ? [selector] : []))],
      },
      {
        slot: `0x${"0".repeat(63)}2` as Hex,
        offset: 0,
        type: "string",
        reads: [],
        writes: functions.flatMap(([selector, , writes]) => (writes ? [] : [selector])),
      },
    ],
  }),
  opcodes,
  looksAtCode: false,
});

/** An ordinary token without owner or powers, which sells at both sizes without a tax. */
export const sampleLaunchReadings: LaunchReadings = {
  block: { number: 1_000, hash: `0x${"10".repeat(32)}`, timestamp: 1_800_000_000 },
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
  slots: {
    eip1967Implementation: zero,
    eip1967Admin: zero,
    eip1967Beacon: zero,
    eip1822Implementation: zero,
    zeppelinosImplementation: zero,
  },
  owner: absent,
  getOwner: absent,
  totalSupply: word(10n ** 24n),
  ...NOTHING,
  program: program(),
  events: valueReading({ firstBlock: 900, count: 3, roleMembers: [], everGranted: false }),
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
  trades: trades(run(100), run(10_000)),
  crowd: valueReading([{ sender: NOBODY, sharePpm: 1_000, legs: [leg(), leg()] }]),
  rush: valueReading({ sender: NOBODY, sharePpm: 100, legs: [leg(), leg()] }),
  callees: valueReading([]),
  actors: [actor("anyone", NOBODY)],
  liquidity: [{ pool: PAIR, total: word(1_000n), shares: [share(DEAD, 1_000n)], isListed: true }],
  pooled: (10n ** 24n).toString(),
};

/** The same with somebody in office. */
export const owned = (form: "empty" | "contract" | "eip7702_delegation"): Partial<LaunchReadings> => ({
  owner: valueReading<Hex>(`0x${OWNER.slice(2).padStart(64, "0")}`),
  keys: [{ address: OWNER, sources: ["owner"] }],
  accounts: [
    { address: OWNER, code: codeOf(form), minDelay: null, threshold: null, owners: null, knownAs: null },
  ],
});
