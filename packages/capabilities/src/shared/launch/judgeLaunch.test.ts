import { absent, type Hex, mapReading, noAnswer, type Reading, valueReading } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { judgeLaunch } from "./judgeLaunch.js";
import { type LaunchReadings, launchReadingsSchema } from "./launchReadings.js";
import { type LaunchCode, launchReasons } from "./reasons.js";
import {
  act,
  actor,
  failed,
  leg,
  NOBODY,
  OWNER,
  owned,
  PAIR,
  program,
  run,
  sampleLaunchReadings,
  share,
  taxed,
  trades,
  word,
} from "./testing/sampleLaunchReadings.js";

const TOKEN = "0x00000000000000000000000000000000000000a1";
const judge = (changes: Partial<LaunchReadings> = {}) =>
  judgeLaunch(TOKEN, launchReadingsSchema.parse({ ...sampleLaunchReadings, ...changes }));
const SET: Hex = "0x11111111";
const MINT: Hex = "0x40c10f19";
const keeper = (changes: object = {}) => ({
  keys: [OWNER],
  until: 1_800_000_000 + 31_536_000,
  functions: 1,
  unexplained: [],
  opcodes: [],
  drained: valueReading([]),
  isComplete: true,
  ...changes,
});
const locked = (changes: object = {}): Partial<LaunchReadings> => ({
  liquidity: [
    {
      pool: PAIR,
      total: word(1_000n),
      isListed: true,
      shares: [share(OWNER, 1_000n, "contract", keeper(changes))],
    },
  ],
});
const later = (...sales: readonly [wait: number, sale: ReturnType<typeof leg>][]): LaunchReadings["later"] =>
  valueReading({ bought: leg(), sales: sales.map(([wait, sale]) => ({ wait, sale })) });

const withTrade = (changes: object): LaunchReadings["program"] => {
  const own = program([]);
  const trade = { isComplete: true, doubts: [], settings: [], changes: [], countsBlocks: false, ...changes };
  return own && { ...own, trade };
};

/** No sale succeeds in the first minute, of buyers in this transaction or in another one. */
const waitingForAll = (
  opcodes: NonNullable<LaunchReadings["program"]>["opcodes"],
): Partial<LaunchReadings> => ({
  trades: trades(run(100, { 3: failed, 4: failed })),
  crowd: valueReading([{ sender: NOBODY, sharePpm: 1_000, legs: [leg(), failed] }]),
  crowdLater: valueReading([{ sender: NOBODY, sharePpm: 1_000, legs: [leg(), leg()] }]),
  later: later([0, failed], [60, leg()], [86_400, leg()]),
  held: valueReading({ holder: NOBODY, legs: [failed, failed] }),
  program: program([], opcodes),
});

const HOOK: Hex = "0x00000000000000000000000000000000000000f1";
const ID: Hex = `0x${"44".repeat(32)}`;
const WETH: Hex = "0x4200000000000000000000000000000000000006";
/** The pair, with a hook or beside a V4 pool that has one; what holds for the pair holds for the other. */
const hooked = (
  {
    opcodes = [],
    names = [],
    looksAtCode = false,
    ...hook
  }: Partial<NonNullable<LaunchReadings["hooks"]>[number]> = {},
  etherBeside: bigint | null = null,
): Partial<LaunchReadings> => {
  const { pools, trades: own, liquidity } = sampleLaunchReadings;
  const [pair] = pools.status === "value" ? pools.value.found : [];
  if (!pair) throw new Error("there is no pair");
  const terms = { kind: "singleton" as const, pool: PAIR, id: ID, hooks: HOOK, isNamed: true };
  const isAlone = etherBeside === null;
  const found = isAlone
    ? [{ ...pair, ...terms }]
    : [pair, { ...pair, ...terms, quoteBalance: (etherBeside * 10n ** 18n).toString() }];
  return {
    pools: mapReading(pools, (value) => ({ ...value, found })),
    trades: [...(isAlone ? [] : own), ...own.map((one) => ({ ...one, id: ID }))],
    liquidity: liquidity.map((one) => ({ ...one, ...(isAlone && { id: ID }) })),
    hooks: [
      {
        address: HOOK,
        code: share(HOOK, 0n, "contract").code,
        opcodes,
        looksAtCode,
        names,
        knownAs: null,
        ...hook,
      },
    ],
  };
};
const holderSales = (...answers: readonly Reading<Hex>[]): Partial<LaunchReadings> => ({
  holderSales: answers.map((answer, index) => ({
    holder: toAddress(index),
    amount: "5",
    answer,
    code: share(OWNER, 0n, index > 1 ? "contract" : "empty").code,
  })),
});
const toAddress = (index: number): Hex => `0x${"7".repeat(39)}${index}`;
const done = word(1n);
const refused: Reading<Hex> = { status: "reverted", data: "0x" };

test("an ordinary token is allowed", () => {
  expect(judge()).toMatchObject({
    verdict: "allow",
    reasonCodes: ["CODE_PRESENT", "SELLS", "TAX_NONE", "NO_POWER_FOUND", "LIQUIDITY_BURNT"],
    findings: { figures: { buyTaxBps: 0, sellTaxBps: 0, lockedLiquidityBps: 10_000, ageBlocks: 100 } },
  });
});

type Row = [string, Partial<LaunchReadings>, LaunchCode, "allow" | "review" | "block"];
const rows: readonly Row[] = [
  ["a sale that fails", { trades: trades(run(100, { 3: failed })) }, "SALE_FAILS", "block"],
  [
    "a sale that fails for one of the crowd",
    { crowd: valueReading([{ sender: NOBODY, sharePpm: 1_000, legs: [leg(), failed] }]) },
    "SALE_FAILS_FOR_SOME",
    "block",
  ],
  ["a tax of half", { trades: trades(run(100, { 4: taxed(5_000) })) }, "TAX_CONFISCATORY", "block"],
  ["a tax of an eighth", { trades: trades(run(100, { 4: taxed(1_250) })) }, "TAX_HIGH", "review"],
  ["a tax of a tenth", { trades: trades(run(100, { 4: taxed(1_000) })) }, "TAX_MODERATE", "allow"],
  [
    "a limit on large purchases",
    { trades: trades(run(100), run(10_000, { 0: failed })) },
    "BUY_LIMITED",
    "allow",
  ],
  [
    "a limit on small purchases",
    { trades: trades(run(100, { 0: failed }), run(10_000)) },
    "BUY_LIMITED_TIGHTLY",
    "review",
  ],
  [
    "a sale that waits for the next block",
    {
      trades: trades(run(100, { 3: failed, 4: failed })),
      crowd: valueReading([{ sender: NOBODY, sharePpm: 1_000, legs: [leg(), failed] }]),
      crowdLater: valueReading([{ sender: NOBODY, sharePpm: 1_000, legs: [leg(), leg()] }]),
      later: later([0, failed], [1, leg()], [86_400, leg()]),
    },
    "SALE_WAITS_A_BLOCK",
    "allow",
  ],
  ["a sale, also of who bought before, that waits for the launch", waitingForAll([]), "SALE_WAITS", "allow"],
  [
    "the same in a program that keeps values for one transaction",
    waitingForAll(["TLOAD"]),
    "HELD_SALE_UNTRIED",
    "review",
  ],
  [
    "a second sale that waits for the first",
    {
      trades: trades(run(100, { 4: failed })),
      program: withTrade({ changes: [60] }),
      parts: valueReading({ legs: [leg(), leg(), leg()] }),
      later: later([0, leg()], [60, leg()]),
    },
    "SALE_WAITS",
    "allow",
  ],
  [
    "a second sale that waits for the first for a day",
    {
      trades: trades(run(100, { 4: failed })),
      program: withTrade({ changes: [80_000] }),
      parts: valueReading({ legs: [leg(), leg(), leg()] }),
      later: later([0, leg()], [86_400, leg()]),
    },
    "SALE_WAITS_LONG",
    "review",
  ],
  [
    "a second sale that never succeeds",
    {
      trades: trades(run(100, { 4: failed })),
      program: withTrade({ changes: [60] }),
      parts: valueReading({ legs: [leg(), leg(), failed] }),
      later: later([0, leg()], [60, leg()]),
    },
    "SALE_FAILS",
    "block",
  ],
  [
    "an account that may spend what the pool has",
    { grants: [{ holder: PAIR, spender: OWNER, allowed: word(5n), code: share(OWNER, 0n).code }] },
    "POOL_SPENDABLE_BY_ACCOUNT",
    "block",
  ],
  [
    "a contract that may spend what was burnt",
    {
      grants: [
        {
          holder: "0x000000000000000000000000000000000000dead",
          spender: OWNER,
          allowed: word(5n),
          code: share(OWNER, 0n, "contract").code,
        },
      ],
    },
    "POOL_SPENDABLE",
    "review",
  ],
  [
    "a right to spend that was not read",
    { grants: [{ holder: PAIR, spender: OWNER, allowed: noAnswer, code: noAnswer }] },
    "POOL_SPENDABLE",
    "review",
  ],
  [
    "an account that the code which created the token let spend what the pool has",
    {
      unannounced: {
        isCreationRead: true,
        created: [],
        unnamed: [],
        grants: [{ holder: PAIR, spender: OWNER }],
      },
    },
    "POOL_SPENDABLE",
    "review",
  ],
  ["a hook that keeps something", hooked({ opcodes: ["SLOAD"] }), "POOL_HOOKED", "review"],
  [
    "a hook that asks another contract",
    hooked({ opcodes: ["STATICCALL"], names: [OWNER] }),
    "POOL_HOOKED",
    "review",
  ],
  ["a hook that looks at code", hooked({ looksAtCode: true }), "POOL_HOOKED", "review"],
  ["a hook whose code was not read", hooked({ code: noAnswer }), "POOL_HOOKED", "review"],
  ["a deeper pool with a hook", hooked({ opcodes: ["SLOAD"] }, 11n), "POOL_HOOKED", "review"],
  ["a less deep pool with a hook", hooked({ opcodes: ["SLOAD"] }, 1n), "POOL_HOOKED", "review"],
  ["a small pool with a hook", hooked({ opcodes: ["SLOAD"] }, 0n), "SELLS", "allow"],
  ["a hook that treats swaps differently", hooked({ isSteady: false }), "POOL_HOOKED", "review"],
  ["a hook that only pays the manager", hooked({ opcodes: ["CALL"], names: [PAIR, WETH] }), "SELLS", "allow"],
  ["a hook that a launchpad publishes", hooked({ opcodes: ["SLOAD"], knownAs: "Clanker" }), "SELLS", "allow"],
  ["several holders that are refused", holderSales(refused, refused), "HOLDERS_REFUSED", "block"],
  ["holders to whom the token says no", holderSales(word(0n), refused), "HOLDERS_REFUSED", "block"],
  ["one holder of several that is refused", holderSales(refused, done), "SOME_HOLDERS_REFUSED", "review"],
  ["the only holder, who is refused", holderSales(refused), "SOME_HOLDERS_REFUSED", "review"],
  ["a contract that is refused", holderSales(done, done, refused), "SELLS", "allow"],
  ["holders that may send to the pool", holderSales(done, valueReading("0x")), "SELLS", "allow"],
  ["a sale that ends", { later: later([0, leg()], [1, failed], [60, failed]) }, "SALE_ENDS", "block"],
  [
    "a sale that waits for a day",
    { later: later([0, failed], [86_400, leg()]) },
    "SALE_WAITS_LONG",
    "review",
  ],
  ["a tax that grows", { later: later([0, leg()], [3_600, taxed(4_000)]) }, "SALE_WORSENS", "review"],
  ["a clock that was not read", { later: noAnswer }, "LATER_SALE_UNMEASURED", "review"],
  ["the gas that is left", { program: program([], ["GAS"]) }, "DEPENDS_ON_BLOCK", "review"],
  ["code that delegates", { program: program([], ["DELEGATECALL"]) }, "CODE_DELEGATES", "review"],
  ["code that ends itself", { program: program([], ["SELFDESTRUCT"]) }, "CODE_SELF_DESTRUCTS", "review"],
  [
    "a contract that is asked and can change",
    {
      program: program([], ["STATICCALL"]),
      callees: valueReading([
        { address: OWNER, code: share(OWNER, 0n, "contract").code, opcodes: ["SLOAD"] },
      ]),
    },
    "CALLS_OTHERS",
    "review",
  ],
  [
    "calls that were not traced",
    { program: program([], ["CALL"]), callees: absent },
    "CALLEES_UNREAD",
    "review",
  ],
  [
    "an owner who stops sales",
    {
      ...owned("empty"),
      program: program([[SET, "uint256", true]]),
      actors: [actor("anyone", NOBODY), actor("key", OWNER, { accepted: [act(SET, failed)] })],
    },
    "SALES_STOPPABLE_BY_OWNER",
    "block",
  ],
  [
    "the same by a contract",
    {
      ...owned("contract"),
      program: program([[SET, "uint256", true]]),
      actors: [actor("anyone", NOBODY), actor("key", OWNER, { accepted: [act(SET, failed)] })],
    },
    "SALES_STOPPABLE_BY_CONTRACT",
    "review",
  ],
  [
    "the same by a key that owner() does not name",
    {
      ...owned("empty"),
      owner: absent,
      keys: [{ address: OWNER, sources: ["storage"] }],
      program: program([[SET, "uint256", true]]),
      actors: [actor("anyone", NOBODY), actor("key", OWNER, { accepted: [act(SET, failed)] })],
    },
    "SALES_STOPPABLE_BY_HIDDEN_KEY",
    "block",
  ],
  [
    "the same by anyone",
    {
      program: program([[SET, "uint256", true]]),
      actors: [actor("anyone", NOBODY, { accepted: [act(SET, failed)] })],
    },
    "SALES_STOPPABLE_BY_ANYONE",
    "block",
  ],
  [
    "a holder's tokens taken",
    {
      ...owned("empty"),
      program: program([[SET, "address", true]]),
      actors: [
        actor("anyone", NOBODY),
        actor("key", OWNER, { accepted: [act(SET, leg(), { trader: "-1" })] }),
      ],
    },
    "SALES_STOPPABLE_BY_OWNER",
    "block",
  ],
  [
    "tokens made of nothing",
    {
      ...owned("empty"),
      program: program([[MINT, "address,uint256", true]]),
      actors: [
        actor("anyone", NOBODY),
        actor("key", OWNER, { accepted: [act(MINT, leg(), { caller: (10n ** 23n).toString() })] }),
      ],
    },
    "SUPPLY_INFLATABLE",
    "review",
  ],
  [
    "a function that nobody may call",
    {
      program: program([[SET, "uint256", true]]),
      actors: [actor("anyone", NOBODY, { refused: [{ selector: SET, refusal: "0x" }] })],
    },
    "FUNCTION_UNEXPLAINED",
    "review",
  ],
  [
    "a function that nobody may call and that touches no trade",
    {
      program: program([[SET, "uint256", false]]),
      actors: [actor("anyone", NOBODY, { refused: [{ selector: SET, refusal: "0x" }] })],
    },
    "POWERS_RENOUNCED",
    "allow",
  ],
  [
    "a function that a key nobody has would open",
    {
      program: program([[SET, "uint256", true]]),
      actors: [
        actor("anyone", NOBODY, { refused: [{ selector: SET, refusal: "0x01" }] }),
        { ...actor("pretender", OWNER, { unchanged: [SET] }), place: { slot: "0x05", offset: 0 } },
      ],
    },
    "POWERS_RENOUNCED",
    "allow",
  ],
  ["actors that were not asked", { actors: [] }, "POWERS_NOT_EXERCISED", "review"],
  [
    "a program that was not analysed",
    { program: { analysis: noAnswer, opcodes: [], looksAtCode: false } },
    "POWERS_UNREAD",
    "review",
  ],
  [
    "liquidity with one account",
    { liquidity: [{ pool: PAIR, total: word(1_000n), isListed: true, shares: [share(OWNER, 999n)] }] },
    "LIQUIDITY_WITH_ACCOUNT",
    "review",
  ],
  ["liquidity that is locked for a year", locked(), "LIQUIDITY_SECURED", "allow"],
  ["liquidity whose lock ends soon", locked({ until: 1_800_000_100 }), "LIQUIDITY_LOCK_ENDS", "review"],
  [
    "liquidity whose lock ends before the time that its keeper has stored",
    locked({ staysUntil: 1_800_086_400 }),
    "LIQUIDITY_LOCK_ENDS",
    "review",
  ],
  [
    "a locker that lets go",
    locked({ drained: valueReading(["0x3ccfd60b"]) }),
    "LIQUIDITY_WITH_ACCOUNT",
    "review",
  ],
  [
    "a locker with a key that was not found",
    locked({ unexplained: [SET] }),
    "LIQUIDITY_HOLDER_UNKNOWN",
    "review",
  ],
  ["liquidity that was not read", { liquidity: [] }, "LIQUIDITY_HOLDER_UNKNOWN", "review"],
  [
    "half the supply with one account",
    { totalSupply: word(2n * 10n ** 24n), holders: [share(OWNER, 10n ** 24n)] },
    "SUPPLY_CONCENTRATED",
    "review",
  ],
  [
    "half the supply with nobody knows whom",
    { totalSupply: word(2n * 10n ** 24n) },
    "HOLDERS_UNREAD",
    "review",
  ],
];

const given = (bps: readonly bigint[], changes: Partial<LaunchReadings> = {}): Partial<LaunchReadings> => {
  const holders = bps.map((one, index) =>
    share(`0x${(0xf100 + index).toString(16).padStart(40, "0")}`, (10n ** 24n * one) / 10_000n),
  );
  return {
    holders,
    given: holders.map(({ address }) => address),
    pools: mapReading(sampleLaunchReadings.pools, (all) => ({
      ...all,
      found: all.found.map((pool) => ({ ...pool, tokenBalance: (4n * 10n ** 23n).toString() })),
    })),
    ...changes,
  };
};
const acted = (accepted: ReturnType<typeof act>): Partial<LaunchReadings> => ({
  ...owned("empty"),
  program: program([[SET, "uint256", true]]),
  actors: [actor("anyone", NOBODY), actor("key", OWNER, { accepted: [accepted] })],
});
const rushed = (sale: ReturnType<typeof leg>): Partial<LaunchReadings> => ({
  rush: valueReading({ sender: NOBODY, sharePpm: 100, legs: [leg(), sale] }),
});
const TWELVE = Array.from({ length: 12 }, () => 500n);

const otherRows: readonly Row[] = [
  ["a sale fails once others have bought", rushed(failed), "SALE_FAILS_AFTER_OTHERS", "block"],
  ["a sale loses half once others have bought", rushed(taxed(9_000)), "SALE_FAILS_AFTER_OTHERS", "block"],
  ["a sale costs more once others have bought", rushed(taxed(2_000)), "SALE_WORSENS", "review"],
  [
    "a key can let itself take what a holder has",
    acted(act(SET, leg(), { allowance: "1000" })),
    "SALES_STOPPABLE_BY_OWNER",
    "block",
  ],
  [
    "a key can make tokens for another account",
    acted(act("0xa9059cbb", leg(), { caller: "-31337", trader: (10n ** 25n).toString() })),
    "SUPPLY_INFLATABLE",
    "review",
  ],
  ["sending ether to the token stops sales", acted(act("0x", failed)), "SALES_STOPPABLE_BY_OWNER", "block"],
  ["the supply lies in many accounts of one hand", given(TWELVE), "SUPPLY_HANDED_OUT", "review"],
];

test("what holders bought themselves is not counted together", () => {
  expect(judge(given(TWELVE, { given: [] })).reasonCodes).not.toContain("SUPPLY_HANDED_OUT");
});

test("a locker that a launchpad publishes keeps liquidity, and code that is not understood does not", () => {
  const held = (knownAs: string | null) => ({
    liquidity: [
      {
        pool: PAIR,
        total: word(1_000n),
        isListed: true,
        shares: [{ ...share(OWNER, 1_000n, "contract"), knownAs }],
      },
    ],
  });
  expect(judge(held("Clanker v3.1 locker"))).toMatchObject({
    verdict: "allow",
    reasonCodes: expect.arrayContaining(["LIQUIDITY_SECURED"]),
  });
  expect(judge(held(null)).reasonCodes).toContain("LIQUIDITY_HOLDER_UNKNOWN");
});

test("a contract of the chain itself may make tokens", () => {
  const bridge = "0x4200000000000000000000000000000000000010";
  const mint = act(MINT, leg(), { caller: (10n ** 25n).toString(), supply: (10n ** 25n).toString() });
  const held = (address: Hex) => ({
    program: program([[MINT, "address,uint256", true]]),
    keys: [{ address, sources: ["constant" as const] }],
    actors: [actor("anyone", NOBODY), actor("key", address, { accepted: [mint] })],
  });
  expect(judge(held(bridge)).verdict).toBe("allow");
  expect(judge(held("0x4200000000000000000000000000000000001010")).verdict).toBe("review");
});

describe("each reason decides as the policy says", () => {
  test.each([...rows, ...otherRows])("%s", (_, changes, code, verdict) => {
    const result = judge(changes);
    expect(result.reasonCodes).toContain(code);
    expect(launchReasons[code].verdict).toBe(verdict);
    expect(result.verdict).toBe(verdict);
  });
});

test("of two pools the one that nobody can withdraw decides, where the deeper one is an account's", () => {
  const { pools, trades: own, liquidity } = sampleLaunchReadings;
  const DECOY: Hex = "0x00000000000000000000000000000000000000b2";
  const beside = (withdraws: boolean): Partial<LaunchReadings> => ({
    pools: mapReading(pools, (value) => {
      const [pair] = value.found;
      if (!pair) throw new Error("there is no pair");
      const decoy = { ...pair, pool: DECOY, kind: "routed" as const, quoteBalance: (10n ** 20n).toString() };
      return { ...value, found: [pair, decoy] };
    }),
    trades: [
      ...own.map((trade) => ({ ...trade, pool: DECOY })),
      ...trades(run(100, { 3: failed, 4: failed })),
    ],
    liquidity: [
      ...liquidity,
      {
        pool: DECOY,
        total: word(1_000n),
        isListed: true,
        shares: withdraws ? [share(OWNER, 1_000n)] : (liquidity[0]?.shares ?? []),
      },
    ],
  });
  expect(judge(beside(true)).reasonCodes).toEqual(
    expect.arrayContaining(["SALE_FAILS", "LIQUIDITY_WITH_ACCOUNT"]),
  );
  expect(judge(beside(false))).toMatchObject({
    verdict: "review",
    reasonCodes: expect.arrayContaining(["OTHER_POOL_FAILS"]),
  });
});

test("holders who have to wait, as everybody, are not refused", () => {
  const waits = later([0, failed], [1, leg()], [60, leg()]);
  const crowdLater = sampleLaunchReadings.crowd;
  expect(judge({ ...holderSales(refused, refused), later: waits, crowdLater }).reasonCodes).not.toContain(
    "HOLDERS_REFUSED",
  );
});

test("roles that only a timelock has are no reason to doubt a function, and those of an account are", () => {
  const held = (knownAs: string | null): Partial<LaunchReadings> => {
    const [account] = owned("contract").accounts ?? [];
    const own = program([
      [SET, "bytes32", true],
      ["0x91d14854", "bytes32,address", false],
    ]);
    return {
      program: own,
      accounts: account ? [{ ...account, knownAs, minDelay: word(172_800n) }] : [],
      events: valueReading({ firstBlock: 900, count: 3, roleMembers: [OWNER], everGranted: true }),
      actors: [actor("anyone", NOBODY, { refused: [{ selector: SET, refusal: "0x" }] })],
    };
  };
  expect(judge(held("TimelockController 5.0")).reasonCodes).not.toContain("FUNCTION_UNEXPLAINED");
  expect(judge(held(null)).reasonCodes).toContain("FUNCTION_UNEXPLAINED");
});

test("a setting that only Permit2 can write is nobody's, and one of another account is somebody's", () => {
  const setBy = (account: string): Partial<LaunchReadings> => ({
    program: withTrade({
      settings: [{ function: SET, place: "0x1", guards: [`account ${account}`], proof: "none" }],
    }),
  });
  expect(judge(setBy("0x000000000022d473030f116ddee9f6b43ac78ba3")).verdict).toBe("allow");
  expect(judge(setBy(OWNER)).reasonCodes).toContain("SALE_DEPENDS_ON");
});

test("a hash that closes a function is no doubt where the function does nothing to others", () => {
  const locked = (harmless: readonly Hex[]) => {
    const own = withTrade({ harmless });
    return judge({ program: own && { ...own, locks: { isComplete: true, functions: [SET] } } });
  };
  expect(locked([]).reasonCodes).toContain("HASH_LOCK");
  expect(locked([SET]).verdict).toBe("allow");
});

test("limits that the token states are figures, those that nobody reaches are not", () => {
  const limits = [
    { kind: "transaction" as const, selector: SET, answer: word(10n ** 22n) },
    { kind: "wallet" as const, selector: MINT, answer: word(2n * 10n ** 22n) },
    { kind: "wallet" as const, selector: SET, answer: word(10n ** 25n) },
  ];
  expect(judge({ limits }).findings.figures).toMatchObject({ maxTransactionBps: 100, maxWalletBps: 200 });
  expect(judge().findings.figures).toMatchObject({ maxTransactionBps: null, maxWalletBps: null });
});

test("no reading left unanswered passes as an allow", () => {
  const isReading = (value: unknown): value is Reading<unknown> =>
    typeof value === "object" && value !== null && "status" in value;
  // A program that calls nobody needs no trace of whom it calls.
  const harmless = new Set(["getOwner", "callees"]);
  for (const [name, value] of Object.entries(sampleLaunchReadings)) {
    if (!isReading(value) || harmless.has(name)) continue;
    const { verdict } = judge({ [name]: noAnswer });
    // Events only name accounts to ask; what they would have named is then missing from the shares.
    if (name !== "events") expect([name, verdict]).toEqual([name, "review"]);
  }
});

test("a right to spend what the pool has that was used up is none", () => {
  const grants = [{ holder: PAIR, spender: OWNER, allowed: word(0n), code: share(OWNER, 0n).code }];
  expect(judge({ grants } as Partial<LaunchReadings>).verdict).toBe("allow");
});

test("a timelock in known code may hold powers, and no other contract", () => {
  const held = (knownAs: string | null, delay: bigint): Partial<LaunchReadings> => {
    const [account] = owned("contract").accounts ?? [];
    return {
      ...owned("contract"),
      accounts: account ? [{ ...account, knownAs, minDelay: word(delay) }] : [],
      program: program([[SET, "uint256", true]]),
      actors: [actor("anyone", NOBODY), actor("key", OWNER, { accepted: [act(SET, failed)] })],
    };
  };
  expect(judge(held("TimelockController 5.0", 172_800n)).verdict).toBe("allow");
  expect(judge(held("TimelockController 5.0", 60n)).verdict).toBe("review");
  expect(judge(held(null, 172_800n)).verdict).toBe("review");
});
