import type { ChainLog } from "@assay/chain";
import { type Hex, noAnswer, valueReading } from "@assay/protocol";
import { expect, test } from "vitest";
import { countPending, readOperations } from "./timelockOperations.js";

const [TIMELOCK, TOKEN, OTHER]: readonly Hex[] = ["11", "22", "33"].map(
  (byte): Hex => `0x${byte.repeat(20)}`,
) as [Hex, Hex, Hex];
const [[SCHEDULED, EXECUTED, CANCELLED]] = readOperations(TIMELOCK as Hex).topics as unknown as [Hex[]];

const log = (kind: Hex | undefined, id: string, target = TOKEN): ChainLog =>
  ({
    address: TIMELOCK,
    topics: [kind, `0x${id.repeat(32)}`],
    data: `0x${(target as Hex).slice(2).padStart(64, "0")}`,
    blockNumber: 1,
    transactionHash: `0x${"00".repeat(32)}`,
  }) as ChainLog;

const count = (...logs: ChainLog[]) => countPending(valueReading(logs), TIMELOCK as Hex, TOKEN as Hex);

test.each<[string, number, ChainLog[]]>([
  ["none was scheduled", 0, []],
  ["one waits", 1, [log(SCHEDULED, "aa")]],
  ["one waits on the timelock's own delay", 1, [log(SCHEDULED, "aa", TIMELOCK)]],
  ["one waits that concerns another contract", 0, [log(SCHEDULED, "aa", OTHER)]],
  [
    "a batch waits of which a part concerns the token",
    1,
    [log(SCHEDULED, "aa", OTHER), log(SCHEDULED, "aa")],
  ],
  ["it was carried out", 0, [log(SCHEDULED, "aa"), log(EXECUTED, "aa")]],
  ["it was cancelled", 0, [log(SCHEDULED, "aa"), log(CANCELLED, "aa")]],
  ["another was carried out", 1, [log(SCHEDULED, "aa"), log(SCHEDULED, "bb"), log(EXECUTED, "bb")]],
  ["it was scheduled again", 1, [log(SCHEDULED, "aa"), log(CANCELLED, "aa"), log(SCHEDULED, "aa")]],
])("operations of a timelock count where %s: %i", (_, expected, logs) => {
  expect(count(...logs)).toEqual(valueReading(expected));
});

test("operations that were not read are not none", () => {
  expect(countPending(noAnswer, TIMELOCK as Hex, TOKEN as Hex)).toEqual(noAnswer);
});
