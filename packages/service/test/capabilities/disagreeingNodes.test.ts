import { knownSlots } from "@assay/capabilities";
import type { Fault, FaultyNode, NodeCall } from "@assay/chain/testing/faultyNode";
import type { LocalAnswer } from "@assay/chain/testing/localChain";
import { unfoldCall } from "@assay/chain/testing/unfoldCall";
import { unanswered } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { type Asked, sampleQuestions } from "./testing/sampleQuestions.js";
import { useFaultyNodes } from "./testing/useFaultyNodes.js";

const fixture = useFaultyNodes();
const { ask, guard, addressOf } = fixture;
const both = () => ({ nodes: [fixture.first, fixture.second] });

const ZERO_WORD = `0x${"0".repeat(64)}`;
const OTHER_CODE = "0x60006000fd";
const DISAGREEMENT = unanswered("nodes_disagree");

const question = (capability: Asked) => sampleQuestions(fixture.service, fixture.mined)(capability);

const selectorOf = ({ method, params }: NodeCall) =>
  method === "eth_call" ? (params[0] as { data: string }).data.slice(0, 10) : undefined;
const hasOverrides = ({ method, params }: NodeCall) => method === "eth_call" && params.length === 3;
const lying = (isLie: (call: NodeCall) => boolean, lie: (honest: LocalAnswer) => LocalAnswer): Fault => ({
  kind: "edit",
  edit: (call, honest) => (isLie(call) ? lie(honest) : honest),
});
const zero = (): LocalAnswer => ({ result: ZERO_WORD });
/** A lie that differs from the truth as little as possible. */
const altered = ({ result }: LocalAnswer): LocalAnswer =>
  typeof result === "string" && result !== "0x"
    ? { result: result.replace(/.$/, (digit) => (Number.parseInt(digit, 16) ^ 1).toString(16)) }
    : { result: `0x${"1".padStart(64, "0")}` };

describe.each(["first", "second"] as const)("the %s of two nodes lies about", (which) => {
  const liar = (): FaultyNode => fixture[which];
  const lieAbout = (isLie: (call: NodeCall) => boolean, lie: (honest: LocalAnswer) => LocalAnswer) => () => {
    liar().fault = lying(isLie, lie);
  };

  test("paused(): not read, so for review", async () => {
    const paused = (call: NodeCall) => selectorOf(call) === "0x5c975abb";
    const answer = await guard("plainToken", lieAbout(paused, zero), both());
    expect(answer).toMatchObject({ verdict: "review", readings: { paused: DISAGREEMENT } });
    expect(answer.reasonCodes).toContain("PAUSE_UNREAD");
    expect(answer.reasonCodes).not.toContain("NOT_PAUSED");
  });

  test("owner(): not read, so for review", async () => {
    const owner = (call: NodeCall) => selectorOf(call) === "0x8da5cb5b";
    const answer = await guard("taxedToken", lieAbout(owner, zero), both());
    expect(answer).toMatchObject({ verdict: "review", readings: { owner: DISAGREEMENT } });
    expect(answer.reasonCodes).toContain("OWNER_UNREAD");
    expect(answer.reasonCodes).not.toContain("OWNER_RENOUNCED");
  });

  test("a token's name: not read, so for review", async () => {
    const name = (call: NodeCall) => selectorOf(call) === "0x06fdde03";
    const answer = await ask(question("token.metadata"), lieAbout(name, altered), both());
    expect(answer).toMatchObject({ verdict: "review", readings: { name: DISAGREEMENT } });
  });

  test("what a simulated transaction moves: not measured, so for review", async () => {
    const answer = await ask(question("transaction.intent.guard"), lieAbout(hasOverrides, altered), both());
    expect(answer).toMatchObject({ verdict: "review", readings: { simulation: DISAGREEMENT } });
  });

  test("code and slots it will not prove: not read, so for review", async () => {
    const slots = Object.values(knownSlots);
    const other = await fixture.service.chainOf.request("eth_getProof", [addressOf("boxV2"), slots, "0x1"]);
    const breakProofs = () => {
      liar().fault = {
        kind: "edit",
        edit: ({ method }, honest) => {
          if (method === "eth_getProof") return { result: other };
          if (method === "eth_getCode") return { result: OTHER_CODE };
          return method === "eth_getStorageAt" ? { result: ZERO_WORD } : honest;
        },
      };
      const honest = which === "first" ? fixture.second : fixture.first;
      honest.fault = lying(
        ({ method }) => method === "eth_getProof",
        () => ({ error: { code: -32601, message: "the method eth_getProof does not exist" } }),
      );
    };
    const answer = await guard("transparentProxy", breakProofs, both());
    expect(answer).toMatchObject({ verdict: "review", proofs: null, readings: { code: DISAGREEMENT } });
    expect(answer.reasonCodes).toEqual(expect.arrayContaining(["CODE_UNREAD", "SLOT_UNREAD"]));
  });
});

/** `npm run campaign:disagreement` lies about every reading; here about one in the middle of those of each capability. */
const chooseLies = (count: number): number[] =>
  process.env.ASSAY_EVERY_READING
    ? Array.from({ length: count }, (_, place) => place)
    : [Math.floor(count / 2)];

describe("a lie about any one reading that both were asked for is never allowed", () => {
  /** A request that stands for several is counted by its parts. */
  const isPinned = (call: NodeCall) =>
    unfoldCall(call).length === 0 && (JSON.stringify(call.params[1])?.includes("blockHash") ?? false);

  test.each<[Asked, unjudged: string[]]>([
    ["contract.guard", []],
    ["contract.interface", []],
    ["token.metadata", []],
    // getOwner() where owner() has answered; pools of venues beside the one that decides; delay, threshold and owners of an owner
    // that can do nothing; balances of accounts beside the largest holders; code that a proof shows.
    [
      "token.launch.guard",
      ["0x893d20e8", "0x35fd631a", "0xf27a0c92", "0xe75235b8", "0xa0e67e2b", "0x70a08231", "eth_getCode"],
    ],
    // What only native tokens are judged by: isB20Initialized(), isPaused(), supplyCap(), policyId().
    ["rwa.market.guard", ["0x6a45ba98", "0xbc61e733", "0x8f770ad0", "0xdb3de624"]],
    // What the chain asks beside gas: a cost is information.
    ["transaction.intent.guard", ["0x82ad56cb"]],
    ["amm.swap.guard", []],
    ["message.intent.guard", []],
    ["prediction.evidence", []],
    ["amm.v4.hook.guard", []],
    ["lending.collateral.guard", []],
    ["trade.execution.notarize", []],
  ])(
    "%s",
    async (capability, unjudged) => {
      const asked: NodeCall[] = [];
      const askWithLie = (index: number) => {
        fixture.second.fault = undefined;
        asked.length = 0;
        const isLie = (call: NodeCall) => isPinned(call) && asked.push(call) === index + 1;
        const breakSecond = () => {
          fixture.second.fault = lying(isLie, altered);
        };
        return ask(question(capability), breakSecond, both());
      };
      expect(await askWithLie(-1)).toMatchObject({ verdict: "allow" });
      const count = asked.length;
      expect(count).toBeGreaterThan(0);
      const lies = chooseLies(count);
      const allowed: unknown[] = [];
      for (const index of lies) {
        const { verdict } = await askWithLie(index);
        const call = asked[index];
        if (verdict === "allow") allowed.push(call && (selectorOf(call) ?? call.method));
      }
      expect(allowed.filter((name) => !unjudged.includes(String(name)))).toEqual([]);
    },
    // Once for each reading; rwa.market.guard asks for some fifty.
    180_000,
  );
});
