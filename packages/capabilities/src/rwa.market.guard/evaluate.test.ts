import { type Hex, unanswered, valueReading } from "@assay/protocol";
import { toFunctionSelector } from "viem";
import { describe, expect, test } from "vitest";
import { knownSlots } from "../shared/proxies/knownSlots.js";
import {
  ADDRESS,
  codeReading,
  followed,
  OTHER,
  PLAIN_CODE,
  plainReadings,
  wordReading,
} from "../shared/proxies/testing/sampleReadings.js";
import { evaluateRwaMarket } from "./evaluate.js";
import { findIssuerPower } from "./issuerPowers.js";
import { type RwaMarketReadings, rwaMarketReadingsSchema } from "./readings.js";
import {
  assetReadings,
  listedAsset,
  NOON,
  roundReading,
  textReading,
} from "./testing/sampleAssetReadings.js";

const judge = (changes: Partial<RwaMarketReadings> = {}, symbol: string | null = null) =>
  evaluateRwaMarket({ address: ADDRESS, symbol }, rwaMarketReadingsSchema.parse(assetReadings(changes)));
const { list, feed, erc3643, stranger } = assetReadings();

test("a listed token without any fault is allowed, and its powers are reported", () => {
  const { verdict, reasonCodes: codes, limitations } = judge({}, "STF");
  expect(verdict).toBe("allow");
  expect(codes).toEqual(expect.arrayContaining(["ISSUER_KNOWN", "POWER_SEIZE", "POWER_MINT", "FEED_FRESH"]));
  expect(limitations.join(" ")).toContain("Whether a certain wallet may hold");
});

test("every verdict's code has its sentence", () => {});

/** Paths of everything in the readings that was asked of the chain. */
function listReadingPaths(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, entry]) => listReadingPaths(entry, [...path, key]));
  return "status" in value ? [path, ...inner] : inner;
}
function silence(readings: RwaMarketReadings, path: readonly string[]): RwaMarketReadings {
  const changed = structuredClone(readings) as unknown as Record<string, unknown>;
  const holder = path.slice(0, -1).reduce((inside, key) => inside[key] as typeof changed, changed);
  holder[path.at(-1) as string] = unanswered("timeout");
  return changed as unknown as RwaMarketReadings;
}

test("no reading can go unanswered under an allow, but for what only native tokens are judged by", () => {
  const allowed = listReadingPaths(assetReadings()).filter(
    (path) => judge(silence(assetReadings(), path)).verdict === "allow",
  );
  expect(allowed.map((path) => path.join("."))).toEqual([
    "b20.isInitialized",
    "b20.transfersPaused",
    "b20.supplyCap",
    "b20.senderPolicy",
    "b20.receiverPolicy",
  ]);
});

describe("code that runs other code in its own place", () => {
  test.each(["CALLCODE", "DELEGATECALL"] as const)(
    "%s is a review where no slot says what runs",
    (opcode) => {
      const { verdict, reasonCodes: codes, limitations } = judge({ delegations: valueReading([opcode]) });
      expect(verdict).toBe("review");
      expect(codes).toEqual(expect.arrayContaining(["NO_PROXY_SLOT", "CODE_RUNS_OTHER_CODE"]));
      expect(limitations.join(" ")).toContain(`uses ${opcode}`);
    },
  );
});

describe("a token that replaces its own code", () => {
  const implementation = `0x${"3".repeat(40)}` as const;
  const admin = `0x${"4".repeat(40)}` as const;
  const { contract, roles, scan } = assetReadings();
  const running = (delegations: RwaMarketReadings["delegations"]) => ({
    address: implementation,
    code: codeReading(PLAIN_CODE),
    scan,
    delegations,
    isProvable: true,
  });
  /** Its owner is a contract. */
  const selfUpgrading = (changes: Partial<RwaMarketReadings>) =>
    judge({
      contract: plainReadings({
        paused: contract.paused,
        owner: contract.owner,
        controllers: contract.controllers,
        slots: { eip1967Implementation: wordReading(implementation) },
        followed: [
          followed(implementation, { proxiableUuid: valueReading(knownSlots.eip1967Implementation) }),
        ],
      }),
      implementation: running(valueReading([])),
      ...changes,
    });
  const administered = (code: Hex) => ({
    ...roles,
    defaultAdmin: wordReading(admin) as RwaMarketReadings["cap"],
    admin: { address: admin, code: codeReading(code) },
  });
  const listed = [{ address: admin, hasRole: wordReading(1n) as RwaMarketReadings["cap"] }];

  test.each<[who: string, roles: RwaMarketReadings["roles"], verdict: string, code: string]>([
    ["its owner, a contract", roles, "allow", "UPGRADE_HELD_BY_CONTRACT"],
    ["a contract as administrator too", administered(PLAIN_CODE), "allow", "UPGRADE_HELD_BY_CONTRACT"],
    ["a plain account as administrator too", administered("0x"), "review", "UPGRADE_IN_ONE_HAND"],
    ["a listed administrator too", { ...roles, listed }, "review", "UPGRADE_HOLDER_UNKNOWN"],
    [
      "the same, whom the token names",
      { ...administered(PLAIN_CODE), listed },
      "allow",
      "UPGRADE_HELD_BY_CONTRACT",
    ],
    [
      "an administrator who was not followed",
      { ...administered("0x"), admin: null },
      "review",
      "UPGRADE_HOLDER_UNKNOWN",
    ],
  ])("at the word of %s", (_, changed, verdict, code) => {
    expect(selfUpgrading({ roles: changed })).toMatchObject({
      verdict,
      reasonCodes: expect.arrayContaining(["PROXY_UUPS", code]),
    });
  });

  test("runs other code to do so, which is reported, but does not lower the verdict", () => {
    const judged = selfUpgrading({ implementation: running(valueReading(["DELEGATECALL"])) });
    expect(judged.verdict).toBe("allow");
    expect(judged.reasonCodes).not.toContain("CODE_RUNS_OTHER_CODE");
    expect(judged.limitations.join(" ")).toContain("uses DELEGATECALL");
    const without = selfUpgrading({ implementation: running(valueReading([])) });
    expect(without.limitations.join(" ")).not.toContain("DELEGATECALL");
  });
});

describe("readings that leave out what they must carry", () => {
  test("an entry of another address vouches for nothing", () => {
    const own = listedAsset({ addresses: [OTHER] });
    expect(judge({ list: { ...list, own } })).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["ISSUER_UNKNOWN"]),
    });
  });

  test("a listed feed that was not asked is unread", () => {
    const { verdict, reasonCodes: codes } = judge({ feed: null });
    expect(verdict).toBe("review");
    expect(codes).toEqual(expect.arrayContaining(["FEED_UNREAD", "SEQUENCER_UNREAD"]));
  });

  test("a pool that hands nothing out was not tried", () => {
    const pool: Hex = `0x${"c".repeat(40)}`;
    const quote = assetReadings().quotes.weth;
    const deep = { kind: "classic", quote, fee: 3000, isRead: true, pool } as const;
    const found = [{ ...deep, quoteBalance: (10n ** 18n).toString(), tokenBalance: "5000" }];
    const pools = valueReading({ found, pricing: { weth: "0", stablecoin: "0" } });
    expect(judge({ pools }).reasonCodes).toContain("SIMULATION_UNAVAILABLE");
    const outcome = valueReading({ success: true, arrived: "5" });
    const foreign = { pool: OTHER, amount: "5", outcome };
    expect(judge({ pools, poolTransfer: foreign }).reasonCodes).toContain("SIMULATION_UNAVAILABLE");
    // What the pool hands to a stranger shows that nobody is shut out.
    expect(judge({ pools, poolTransfer: { ...foreign, pool } })).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["RESTRICTION_NOT_ENFORCED"]),
    });
  });

  test("a registry or a compliance contract that was not followed is unread", () => {
    for (const left of ["registry", "rules"] as const)
      expect(judge({ erc3643: { ...erc3643, [left]: null } }).reasonCodes).toContain(
        "PERMISSION_CONTRACT_UNREAD",
      );
  });

  test("an authority that was not followed leaves the upgrade in unknown hands", () => {
    const authority = { slot: wordReading(OTHER), account: null, implementation: null };
    expect(judge({ authority } as Partial<RwaMarketReadings>)).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining([
        "UPGRADE_HOLDER_UNKNOWN",
        "ADMIN_UNREAD",
        "IMPLEMENTATION_UNREAD",
      ]),
    });
  });
});

describe("ERC-3643", () => {
  test("with no compliance named is incomplete, with nobody there is broken", () => {
    const refused = { status: "reverted", data: null } as const;
    const codes = (changes: Partial<typeof erc3643>) =>
      judge({ erc3643: { ...erc3643, ...changes } }).reasonCodes;
    expect(codes({ compliance: refused, rules: null })).toContain("ERC3643_INCOMPLETE");
    expect(codes({ compliance: refused, rules: null })).not.toContain("PERMISSION_CONTRACT_MISSING");
    expect(codes({ compliance: wordReading(0n), rules: null } as never)).toContain(
      "PERMISSION_CONTRACT_MISSING",
    );
    const rules = { ...erc3643.rules, code: codeReading("0x") } as typeof erc3643.rules;
    expect(codes({ rules })).toContain("PERMISSION_CONTRACT_MISSING");
  });
});

test("a fresh account that may act as agent, administrator or minter makes it a block", () => {
  const scan = assetReadings().scan;
  if (scan?.status !== "value") throw new Error("the sample is scanned");
  const names = ["isAgent(address)", "hasRole(bytes32,address)"].map((name) => toFunctionSelector(name));
  const wide = valueReading({ ...scan.value, selectors: [...scan.value.selectors, ...names] });
  const yes = wordReading(1n) as RwaMarketReadings["cap"];
  const roles = { ...assetReadings().roles, stranger: yes };
  for (const changes of [
    { scan: wide, erc3643: { ...erc3643, strangerIsAgent: yes } },
    { scan: wide, roles },
    { stranger: { ...stranger, mint: { status: "absent" } as const } },
  ])
    expect(judge(changes)).toMatchObject({
      verdict: "block",
      reasonCodes: expect.arrayContaining(["POWERS_OPEN_TO_ANYONE"]),
    });
  // A function that the code does not have was not exercised.
  expect(judge({ stranger: { ...stranger, freeze: yes } }).verdict).toBe("allow");
});

describe("the price", () => {
  const codesOf = (changes: Partial<NonNullable<typeof feed>>) =>
    judge({ feed: { ...(feed as NonNullable<typeof feed>), ...changes } } as Partial<RwaMarketReadings>)
      .reasonCodes;

  test.each([
    [3_600, "FEED_FRESH"],
    [3_601, "FEED_STALE"],
  ])("%i seconds old is %s", (age, code) => {
    expect(codesOf({ latestRound: roundReading(1n, age) } as never)).toContain(code);
  });

  test.each([
    [3_600, "SEQUENCER_JUST_UP"],
    [3_601, "SEQUENCER_UP"],
  ])("with the sequencer up for %i seconds is %s", (age, code) => {
    expect(codesOf({ sequencerRound: roundReading(0n, age) } as never)).toContain(code);
  });

  test("of a feed with absurd decimals or a sixth word is unreadable", () => {
    expect(codesOf({ decimals: wordReading(37n) } as never)).toContain("FEED_UNREADABLE");
    const round = roundReading(1n, 60);
    const longer = round.status === "value" && valueReading(`${round.value}${"0".repeat(64)}` as Hex);
    expect(codesOf({ latestRound: longer } as never)).toContain("FEED_UNREADABLE");
    expect(codesOf({ sequencerRound: roundReading(2n, 7_200) } as never)).toContain("SEQUENCER_UNREADABLE");
    expect(codesOf({ sequencerRound: roundReading(0n, NOON) } as never)).toContain("SEQUENCER_UNREADABLE");
  });

  test.each([
    [[1], "12:00", "12:01", "MARKET_OPEN"],
    [[1], "11:00", "12:00", "MARKET_CLOSED"],
    [[2, 3, 4, 5, 6, 7], "00:00", "24:00", "MARKET_CLOSED"],
    [[1], "00:00", "24:00", "MARKET_OPEN"],
  ])("on days %j from %s to %s is of a market that is %s on Monday at noon", (days, opens, closes, code) => {
    const own = listedAsset({ marketHours: { days, opens, closes } });
    expect(judge({ list: { ...list, own } }).reasonCodes).toContain(code);
  });
});

test.each(["STF", "$STF", "ЅТF", "S\u200bTF", "stf."])(
  "an unlisted token called %j imitates the listed one",
  (symbol) => {
    const alike = [listedAsset({ addresses: [OTHER] })];
    const labels = { name: textReading("Fund"), symbol: textReading(symbol) } as RwaMarketReadings["labels"];
    expect(judge({ list: { ...list, own: null, alike }, labels, feed: null })).toMatchObject({
      verdict: "block",
      reasonCodes: expect.arrayContaining(["SYMBOL_IMITATES_ISSUER", "ISSUER_UNKNOWN"]),
    });
  },
);

test("powers are known by the standards' names, and by those of launched tokens", () => {
  const kindOf = (signature: string) => findIssuerPower(toFunctionSelector(signature))?.kind;
  expect(kindOf("forcedTransfer(address,address,uint256)")).toBe("seize");
  expect(kindOf("setAddressFrozen(address,bool)")).toBe("freeze");
  expect(kindOf("burn(address,uint256)")).toBe("seize");
  expect(kindOf("blacklist(address)")).toBe("freeze");
  expect(kindOf("mint(address,uint256)")).toBe("mint");
  expect(kindOf("transfer(address,uint256)")).toBeUndefined();
  expect(kindOf("owner()")).toBeUndefined();
});
