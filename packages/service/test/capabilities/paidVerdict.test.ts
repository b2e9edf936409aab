import { knownSlots, upgradeTopics } from "@assay/capabilities";
import type { Fault, NodeCall } from "@assay/chain/testing/faultyNode";
import { canonicalClaimSchema, claimIdOf, type Hex, type Problem } from "@assay/protocol";
import { keccak256 } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { insertClaim } from "../../src/claims/testing/insertClaim.js";
import { sendChallenge } from "../../src/claims/testing/sendChallenge.js";
import {
  type Moment,
  type ProxyKind,
  proxyKinds,
  recordUpgradeHistories,
  type UpgradeHistory,
} from "../../src/claims/testing/upgradeHistory.js";
import { publishLine } from "../../src/obligations/testing/publishLine.js";
import { expectSameVerdict } from "../expectSameVerdict.js";
import { accountOf, balanceOf, buyAnswer } from "../payer.js";
import { useFaultyNodes } from "./testing/useFaultyNodes.js";

const fixture = useFaultyNodes();
let histories: Record<ProxyKind, UpgradeHistory>;
beforeAll(async () => {
  histories = await recordUpgradeHistories(fixture.service.chainOf);
}, 60_000);

const PATH = "/api/v1/capabilities/obligation.verdict/invoke";
const verdictUrl = (obligationId: string) => `${fixture.service.url}${PATH}?obligationId=${obligationId}`;

/** An obligation about one of the proxies, from one moment of its history to another. */
const publishWindow = (kind: ProxyKind, from: Moment, to: Moment, change: object = {}) => {
  const { proxy, blockAt } = histories[kind];
  return publishLine(fixture.service, proxy, { fromBlock: blockAt(from), toBlock: blockAt(to), ...change });
};

const buy = (obligationId: Hex) => buyAnswer(verdictUrl(obligationId), accountOf(fixture.service, "alice"));

describe("an obligation that holds", () => {
  test.each(proxyKinds)("%s: allow, with everything needed to reach that alone", async (kind) => {
    const id = await publishWindow(kind, "A1 first", "A1 last");
    const answer = await buy(id);
    expect([answer.verdict, answer.result.reasonCodes]).toEqual([
      "allow",
      ["OBLIGATION_HOLDS", "OBLIGATION_OPEN"],
    ]);
    expect(answer.result.limitations.join(" ")).toContain("Open to challenge until");
    const { decisionGrade, receiptUri, survivalHash, recompute, challenges } = answer.result.evidence;
    expect([decisionGrade, challenges]).toEqual([true, []]);
    // The bytes behind the link hash to what is stated, and the claim to its id.
    const receipt = await fetch(receiptUri as string);
    expect(keccak256(new Uint8Array(await receipt.arrayBuffer()))).toBe(survivalHash);
    const { claim } = recompute as { claim: unknown };
    expect(claimIdOf(canonicalClaimSchema.parse(claim))).toBe(id);
    expect(answer.evidenceReference.shareable).toBe(false);
  });

  test("follows from the recorded readings by the rule alone", async () => {
    const id = await publishWindow("beacon", "A1 first", "A1 last");
    const answer = await buy(id);
    const again = await expectSameVerdict(answer);
    expect(again.limitations).toEqual(answer.result.limitations);
    expect(answer.result.evidence).toMatchObject(again.evidence ?? {});
  });

  test("and whose deadline has passed has survived", async () => {
    const id = await publishWindow("EIP-1967", "A1 first", "A1 last", { challengeHours: 0.0002 });
    await new Promise((resume) => setTimeout(resume, 1_000));
    const { verdict, result } = await buy(id);
    expect([verdict, result.reasonCodes]).toEqual(["allow", ["OBLIGATION_HOLDS", "OBLIGATION_SURVIVED"]]);
    expect(result.limitations.join(" ")).not.toContain("Open to challenge until");
  });

  test("costs 0.001, taken from the payer on the chain", async () => {
    const id = await publishWindow("EIP-1967", "A1 first", "A1 last");
    const { address } = accountOf(fixture.service, "alice");
    const before = await balanceOf(fixture.service, address);
    expect((await buy(id)).pricing.pricePaidUsd).toBe(0.001);
    expect(before - (await balanceOf(fixture.service, address))).toBe(1_000n);
  });
});

describe("an obligation that was broken inside its window and then restored", () => {
  test.each(["EIP-1967", "beacon", "ZeppelinOS"] as const)(
    "%s: the event shows it, and the state proves it",
    async (kind) => {
      const id = await publishWindow(kind, "A1 first", "A2 last");
      const { verdict, result } = await buy(id);
      expect([verdict, result.reasonCodes]).toEqual([
        "block",
        ["OBLIGATION_CONTRADICTED", "OBLIGATION_OPEN"],
      ]);
      const { blockAt, implementationOf } = histories[kind];
      const b = implementationOf("B")?.toLowerCase();
      expect(result.evidence.findings).toMatchObject({
        holds: false,
        counterexamples: [
          { block: blockAt("B1 first"), observed: { implementation: b } },
          { block: blockAt("B1 last"), observed: { implementation: b } },
        ],
      });
      // The finding is a real counterexample.
      const evidence = { block: blockAt("B1 first"), implementation: implementationOf("B") };
      const wallet = privateKeyToAccount(generatePrivateKey());
      expect((await sendChallenge(fixture.service.url, wallet, id, evidence)).status).toBe(201);
    },
  );

  test("EIP-1822, which emits no event: unseen until a challenge shows it", async () => {
    const id = await publishWindow("EIP-1822", "A1 first", "A2 last");
    const before = await buy(id);
    expect(before.verdict).toBe("allow");
    expect(before.result.limitations.join(" ")).toContain("without an event leave no trace");
    const { blockAt, implementationOf } = histories["EIP-1822"];
    const wallet = privateKeyToAccount(generatePrivateKey());
    const evidence = { block: blockAt("B1 middle"), implementation: implementationOf("B") };
    expect((await sendChallenge(fixture.service.url, wallet, id, evidence)).status).toBe(201);
    const { verdict, result } = await buy(id);
    expect([verdict, result.reasonCodes]).toEqual([
      "block",
      ["OBLIGATION_CONTRADICTED", "OBLIGATION_FALSIFIED"],
    ]);
    expect(result.evidence).toMatchObject({
      decisionGrade: true,
      challengesTotal: 1,
      challenges: [{ wallet: wallet.address.toLowerCase(), resolution: "counterexample_valid", evidence }],
      findings: { counterexamples: [{ block: evidence.block, observed: { implementation: b() } }] },
    });

    // The record alone does not block: a chain that has what was claimed at that block contradicts it.
    const lie: Fault = {
      kind: "edit",
      edit: ({ method, params }, honest) =>
        method === "eth_getStorageAt" && params[1] === knownSlots.eip1822Implementation
          ? { result: `0x${implementationOf("A")?.slice(2).toLowerCase().padStart(64, "0")}` }
          : honest,
    };
    const question = { capability: "obligation.verdict", input: { obligationId: id } };
    const answer = await fixture.ask(question, () => {
      fixture.first.fault = lie;
    });
    expect([answer.verdict, answer.reasonCodes]).toEqual([
      "review",
      ["OBLIGATION_FALSIFICATION_UNCONFIRMED"],
    ]);
  });
  const b = () => histories["EIP-1822"].implementationOf("B")?.toLowerCase();

  test("an event that names the claimed code while the slot is set to other code: the state decides", async () => {
    const { chainOf } = fixture.service;
    const { boxV1, boxV2 } = chainOf.contracts;
    const word = (address: Hex) => address.slice(2).toLowerCase().padStart(64, "0");
    const slot = knownSlots.eip1967Implementation;
    const liar: Hex = `0x${"11a2".repeat(10)}`;
    // Emits Upgraded(first word of the call), and sets the slot to the second.
    const code = `0x6000357f${upgradeTopics.Upgraded.slice(2)}60006000a26020357f${slot.slice(2)}5500`;
    await chainOf.request("hardhat_setCode", [liar, code]);
    await chainOf.request("hardhat_setStorageAt", [liar, slot, `0x${word(boxV1)}`]);
    await chainOf.mine(3);
    const from = chainOf.deployer.address;
    const data = `0x${word(boxV1)}${word(boxV2)}`;
    const hash = await chainOf.request<Hex>("eth_sendTransaction", [
      { from, to: liar, data, gas: "0x30d40" },
    ]);
    const receipt = await chainOf.request<{ blockNumber: Hex; status: Hex }>("eth_getTransactionReceipt", [
      hash,
    ]);
    expect(receipt.status).toBe("0x1");
    await chainOf.mine(1);
    // Back again, without an event.
    await chainOf.request("hardhat_setStorageAt", [liar, slot, `0x${word(boxV1)}`]);
    await chainOf.mine(3);
    const block = Number(receipt.blockNumber);
    const id = await publishLine(fixture.service, liar, { fromBlock: block - 1, toBlock: block + 4 });
    const { verdict, result } = await buy(id);
    expect([verdict, result.reasonCodes]).toEqual(["block", ["OBLIGATION_CONTRADICTED", "OBLIGATION_OPEN"]]);
    expect(result.evidence.findings).toMatchObject({
      counterexamples: [{ block, observed: { implementation: boxV2.toLowerCase() } }],
    });
  });
});

describe("an obligation with no known way to fail", () => {
  const recent = { windowBlocks: 4 };

  test.each<[string, () => [Hex, object], string]>([
    [
      "about code that nobody can replace",
      () => [fixture.service.chainOf.contracts.plainToken, recent],
      "NO_UPGRADE_PATH",
    ],
    [
      "about a clone of fixed code",
      () => [fixture.service.chainOf.contracts.minimalProxy, recent],
      "NO_UPGRADE_PATH",
    ],
    [
      "over one block",
      () => [fixture.service.chainOf.contracts.upgradeableProxy, { windowBlocks: 1 }],
      "WINDOW_OF_ONE_BLOCK",
    ],
    [
      "that was never open to challenge",
      () => [fixture.service.chainOf.contracts.upgradeableProxy, { ...recent, challengeHours: 0 }],
      "NEVER_OPEN_TO_CHALLENGE",
    ],
  ])("%s: review, not of decision grade", async (_, about, code) => {
    const [address, change] = about();
    const { verdict, result } = await buy(await publishLine(fixture.service, address, { ...change }));
    expect([verdict, result.reasonCodes.includes(code)]).toEqual(["review", true]);
    expect(result.evidence).toMatchObject({ decisionGrade: false, decisionGradeReasons: [code] });
  });

  test("about code at one block: no receipt, and a limitation says why", async () => {
    const line = { type: "bytecode", windowBlocks: 4 };
    const id = await publishLine(fixture.service, fixture.service.chainOf.contracts.plainToken, line);
    const { verdict, result } = await buy(id);
    expect(verdict).toBe("review");
    expect(result.evidence).toMatchObject({ decisionGrade: false, receiptUri: null, survivalHash: null });
    expect(result.limitations.join(" ")).toContain("There is no receipt");
    expect((await fetch(`${fixture.service.url}/api/v1/claims/${id}/receipt`)).status).toBe(404);
  });
});

describe("what was not read", () => {
  const failing = (...methods: string[]): Fault => ({
    kind: "edit",
    edit: (call: NodeCall, honest) =>
      methods.includes(call.method) ? { error: { code: -32000, message: "missing trie node" } } : honest,
  });

  test.each<[string, string[], string]>([
    ["slots", ["eth_getStorageAt"], "OBLIGATION_UNREAD"],
    ["code", ["eth_getCode"], "OBLIGATION_UNREAD"],
    ["events", ["eth_getLogs"], "UPGRADE_EVENTS_UNREAD"],
  ])("%s: review, and a limitation says so", async (_, methods, code) => {
    const id = await publishWindow("EIP-1967", "A1 first", "A1 last");
    const answer = await fixture.ask(
      { capability: "obligation.verdict", input: { obligationId: id } },
      () => {
        fixture.first.fault = failing(...methods);
      },
    );
    expect(answer.verdict).toBe("review");
    expect(answer.reasonCodes).toContain(code);
    expect(answer.limitations).toMatch(/Not read at block|Not every block/);
  });

  test("a block that the node no longer has: review", async () => {
    const id = await publishWindow("EIP-1967", "A1 first", "A1 last");
    const from = `0x${histories["EIP-1967"].blockAt("A1 first").toString(16)}`;
    const answer = await fixture.ask(
      { capability: "obligation.verdict", input: { obligationId: id } },
      () => {
        fixture.first.fault = {
          kind: "edit",
          edit: ({ method, params }, honest) =>
            method === "eth_getBlockByNumber" && params[0] === from ? { result: null } : honest,
        };
      },
    );
    expect([answer.verdict, answer.reasonCodes?.includes("OBLIGATION_UNREAD")]).toEqual(["review", true]);
  });

  test.each<[string, () => Fault]>([
    ["says something else", () => lying(`0x${"0b".repeat(20).padStart(64, "0")}`)],
    ["says nothing", () => failing("eth_getStorageAt")],
  ])("what a second node %s about: review, never what one of them says", async (_, fault) => {
    const id = await publishWindow("EIP-1967", "A1 first", "A1 last");
    const { first, second } = fixture;
    const breakSecond = () => {
      second.fault = fault();
    };
    const question = { capability: "obligation.verdict", input: { obligationId: id } };
    const answer = await fixture.ask(question, breakSecond, { nodes: [first, second] });
    expect([answer.verdict, answer.reasonCodes?.includes("OBLIGATION_UNREAD")]).toEqual(["review", true]);
  });

  const lying = (result: string): Fault => ({
    kind: "edit",
    edit: ({ method }, honest) => (method === "eth_getStorageAt" ? { result } : honest),
  });
});

describe("an id that is no obligation's", () => {
  const unknown = `0x${"ab".repeat(32)}`;
  const wallet = `0x${"cc".repeat(20)}`;
  const quoteUrl = (id: string) =>
    `${fixture.service.url}/api/v1/quotes?capability=obligation.verdict&obligationId=${id}&wallet=${wallet}`;

  test("is 404 before anybody pays, also in quotes", async () => {
    const opened = await insertClaim(fixture.service.db, {
      type: "upgrade_window",
      address: wallet as Hex,
      implementation: null,
      fromBlock: 1,
      toBlock: 2,
    });
    for (const id of [unknown, opened])
      for (const url of [verdictUrl(id), quoteUrl(id)]) {
        const response = await fetch(url);
        expect([response.status, ((await response.json()) as Problem).code]).toEqual([404, "not_found"]);
      }
  });

  test("is 400 when it is no id at all, and a bare probe is 402", async () => {
    expect((await fetch(verdictUrl("0x12"))).status).toBe(400);
    expect((await fetch(`${fixture.service.url}${PATH}`)).status).toBe(402);
  });

  test("a published one is quoted at 0.001", async () => {
    const quote = await fetch(quoteUrl(await publishWindow("EIP-1967", "A1 first", "A1 last")));
    expect(await quote.json()).toMatchObject({ priceUsd: 0.001, cacheStatus: "miss" });
  });
});
