import { toFunctionSelector } from "viem";
import { describe, expect, test } from "vitest";
import { loadSample } from "../../testing/loadSample.js";
import { readTrade } from "./gather/readProgram.js";

/** Words of storage by the number of their slot; those left out are not known. */
const NOW = { time: 1_700_000_000n, number: 1_000n };

async function judge(sample: string, words: Readonly<Record<string, bigint>> = {}) {
  const trade = await readTrade(loadSample(sample).deployedBytecode, new Map(Object.entries(words)), NOW);
  return {
    isComplete: trade?.isComplete,
    open: trade?.doubts.filter(({ on }) => on === "open_setting").map((doubt) => doubt.function) ?? [],
    keyed: trade?.settings.filter(({ proof }) => proof === "none").map((one) => one.function) ?? [],
  };
}

const [MARK, PAY, PERMIT, POKE, SET_PART, TRANSFER, TRANSFER_FROM] = [
  "mark(uint256)",
  "pay(address,address,uint256,uint256)",
  "permit(address,address,uint256,uint8,bytes32,bytes32)",
  "poke()",
  "setPart(uint256)",
  "transfer(address,uint256)",
  "transferFrom(address,address,uint256)",
].map((signature) => toFunctionSelector(signature)) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

describe("a way on which tokens are made, or taken without consent, is found", () => {
  test.each<[string, string, readonly string[]]>([
    ["a sum of two amounts wraps around", "WrappedSumLedger", [PAY]],
    ["what is kept may be more than the amount", "WrappedFeeLedger", [SET_PART, TRANSFER, TRANSFER_FROM]],
    ["a second purse pays", "TwoPurseLedger", [TRANSFER, TRANSFER_FROM]],
    ["a form of signature is not looked at", "LooseSignatureLedger", [PERMIT]],
    ["one account has called three times", "ThirdCallLedger", [POKE]],
    ["nothing was allowed", "UnaskedLedger", [TRANSFER_FROM]],
    ["a rare amount brings a bonus", "BonusLedger", [TRANSFER, TRANSFER_FROM]],
    ["a check has no consequence", "LooseCheckLedger", [TRANSFER, TRANSFER_FROM]],
    ["the way that has enough meets another", "ShortJoinLedger", [TRANSFER, TRANSFER_FROM]],
    ["the way that has too little meets another", "AmpleJoinLedger", [TRANSFER, TRANSFER_FROM]],
    ["a part of a number was compared before the whole", "CutTwiceLedger", [MARK]],
  ])("where %s", async (_, sample, functions) => {
    const found = await judge(sample);
    expect(found.isComplete).toBe(true);
    expect([...found.open, ...found.keyed].toSorted()).toEqual(functions.toSorted());
  });
});

describe("no way is found", () => {
  test.each([
    "OrdinaryLedger",
    "PlainToken",
    "FreshToken",
    "SamplePermitToken",
    "SignerLedger",
    "SmallRateLedger",
    "SmallWholeLedger",
  ])("in %s", async (sample) => {
    expect(await judge(sample)).toEqual({ isComplete: true, open: [], keyed: [] });
  });

  test("where a condition closes it that nothing changes any more", async () => {
    const { abi } = loadSample("OnceLedger");
    expect(abi.some((item) => item.type === "function" && item.name === "begin")).toBe(true);
    // totalSupply, held, allowance and keeper with the flag beside it.
    const flag = 1n << 160n;
    expect((await judge("OnceLedger", { "0x3": flag | 0xabcn })).open).toEqual([]);
    expect((await judge("OnceLedger", { "0x3": 0xabcn })).open).toHaveLength(1);
  });
});

describe("what a key can write that decides about transfers is found", () => {
  test.each([
    ["a text whose length decides", "MottoLedger", "setMotto(string)"],
    ["a rate of which only the last bits are bounded", "CutRateLedger", "setRate(uint256)"],
  ])("where it is %s", async (_, sample, signature) => {
    expect(await judge(sample)).toEqual({
      isComplete: true,
      open: [],
      keyed: [toFunctionSelector(signature)],
    });
  });

  test("where a part of an address is compared, the caller's or the key's", async () => {
    const functions = ["shut()", "close()", "stop()"].map((signature) => toFunctionSelector(signature));
    expect((await judge("CutKeyLedger")).open.toSorted()).toEqual(functions.toSorted());
  });
});

test("a function that only buys with its own ether is harmless, and one that tells another contract is not", async () => {
  const { deployedBytecode } = loadSample("BuyingLedger");
  const { harmless } = (await readTrade(deployedBytecode, new Map(), NOW)) ?? {};
  expect(harmless).toContain(toFunctionSelector("buyBack()"));
  expect(harmless).not.toContain(toFunctionSelector("tell(uint256)"));
});

test("transfers that are refused in every sixteenth block depend on its number", async () => {
  const { deployedBytecode } = loadSample("TurnLedger");
  // None of these meets such a block at a round distance.
  const states = [1_001n, 1_002n, 1_005n].map((number) =>
    readTrade(deployedBytecode, new Map(), { ...NOW, number }),
  );
  for (const trade of await Promise.all(states)) expect(trade?.countsBlocks).toBe(true);
});

test("transfers that are refused for half a minute of each day change with the time", async () => {
  const { deployedBytecode } = loadSample("DayLedger");
  // At this time no sample is within the half minute of any day.
  const trade = await readTrade(deployedBytecode, new Map(), { ...NOW, time: 1_700_001_619n });
  expect(trade?.changes.length).toBeGreaterThan(1);
});

test("transfers that are refused for two hours of each week change with the time", async () => {
  const { deployedBytecode } = loadSample("WeekLedger");
  // Four days and two hours before such a time: no round distance meets one.
  const time = 2_900n * 604_800n - 4n * 86_400n - 7_200n;
  const trade = await readTrade(deployedBytecode, new Map(), { ...NOW, time });
  expect(trade?.changes.length).toBeGreaterThan(1);
});
