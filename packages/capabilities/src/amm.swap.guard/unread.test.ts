import type { ChainRead } from "@assay/chain";
import { alteredChain } from "@assay/chain/testing/alteredChain";
import { withoutAnswers } from "@assay/chain/testing/withoutAnswers";
import type { Hex } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { v2Orders } from "../testing/swapOrders.js";
import { gatherer } from "./gather/gather.js";
import { rule } from "./rule.js";
import { dollars, ether, useSwapFixture } from "./testing/swapFixture.js";

const swapGuard = { ...rule, ...gatherer };

const world = useSwapFixture();
type Guarded = Awaited<ReturnType<typeof world.guard>>;

const expectReasons = (
  { verdict, reasonCodes }: Pick<Guarded, "verdict" | "reasonCodes">,
  expected: string[],
) => expect([verdict, ...reasonCodes]).toEqual(expected);

/** 300 dollars for ether through the classic router. */
async function build({ limit }: { readonly limit: bigint }) {
  const at = { from: world.alice, router: world.v2, deadline: await world.soon() };
  const path = [world.tokens.usdc, world.tokens.weth];
  return v2Orders.swapExactTokensForTokens(at, path, dollars("300"), limit);
}
/** One percent less than what 300 dollars give. */
const FAIR = ether("0.0986");

const deafTo = (matches: (read: ChainRead) => boolean) => withoutAnswers(world.chain, matches);

describe("what could not be read", () => {
  const isCallTo = (read: ChainRead, selector: string) =>
    read.kind === "call" && read.overrides === undefined && read.data.startsWith(selector);
  const isSimulation = (read: ChainRead) => read.kind === "call" && read.overrides !== undefined;
  const isCodeOf = (read: ChainRead, address: Hex) => read.kind === "code" && read.address === address;

  test.each<[string, (read: ChainRead) => boolean, string[], string]>([
    ["the router's code", (read) => isCodeOf(read, world.v2), ["CODE_UNREAD"], "code of the router"],
    [
      "the input token's code",
      (read) => isCodeOf(read, world.tokens.usdc),
      ["CODE_UNREAD"],
      "code of the input",
    ],
    [
      "the output token's code",
      (read) => isCodeOf(read, world.tokens.weth),
      ["CODE_UNREAD"],
      "code of the output",
    ],
    ["the native balance", ({ kind }) => kind === "balance", ["SWAP_UNREAD"], "native balance was not read"],
    [
      "the token's balance",
      (read) => isCallTo(read, "0x70a08231"),
      ["SWAP_UNREAD"],
      "balance of the input token",
    ],
    ["the allowance", (read) => isCallTo(read, "0xdd62ed3e"), ["SWAP_UNREAD"], "allowance to the router"],
    ["the call", (read) => isCallTo(read, "0x38ed1739"), ["SWAP_UNREAD"], "plain call was not read"],
    ["the gas estimate", ({ kind }) => kind === "gasEstimate", ["SWAP_UNREAD"], "gas estimate was not read"],
  ])("%s makes a fair swap a review that says so", async (_, matches, codes, sentence) => {
    const result = await world.guard(await build({ limit: FAIR }), deafTo(matches));
    expectReasons(result, ["review", ...codes, "LIMIT_WITHIN_TOLERANCE"]);
    expect(result.limitations.join(" ")).toContain(sentence);
  });

  test("a node that refuses state overrides leaves what the router returned", async () => {
    const result = await world.guard(await build({ limit: FAIR }), deafTo(isSimulation));
    expectReasons(result, ["review", "SIMULATION_UNAVAILABLE", "LIMIT_WITHIN_TOLERANCE"]);
    expect(result.findings).toMatchObject({ measured: null, inferred: { amountOut: expect.any(String) } });
    const bad = await world.guard(await build({ limit: 1n }), deafTo(isSimulation));
    expectReasons(bad, ["block", "SIMULATION_UNAVAILABLE", "MIN_OUT_NEGLIGIBLE"]);
  });

  test("a simulation that is not the runner's answer is none", async () => {
    const garbled = alteredChain(world.chain, (read) =>
      isSimulation(read) ? { status: "value", value: "0x1234" } : undefined,
    );
    const result = await world.guard(await build({ limit: FAIR }), garbled);
    expectReasons(result, ["review", "SIMULATION_UNAVAILABLE", "LIMIT_WITHIN_TOLERANCE"]);
  });

  test("the small swap alone leaves the price impact unknown", async () => {
    const input = await build({ limit: FAIR });
    const { readings } = await world.guard(input);
    const small = { status: "unanswered", reason: "timeout" } as const;
    const expected = ["review", "LIMIT_WITHIN_TOLERANCE", "PRICE_IMPACT_UNMEASURED"];
    expectReasons(swapGuard.evaluate(input, { ...readings, small }), expected);
  });

  test("a call and a simulation that end differently are a review, or a block where the call fails", async () => {
    const input = await build({ limit: FAIR });
    const { readings } = await world.guard(input);
    if (readings.simulation.status !== "value") throw new Error("the swap was not simulated");
    const failed = { ...readings.simulation.value, success: false, returned: "0x" as Hex };
    const differing = swapGuard.evaluate(input, {
      ...readings,
      simulation: { status: "value", value: failed },
    });
    expect(differing.verdict).toBe("review");
    expect(differing.reasonCodes).toContain("SIMULATION_DISAGREES");
    const call = { status: "reverted", data: null } as const;
    const refused = swapGuard.evaluate(input, { ...readings, call });
    expect(refused.verdict).toBe("block");
    expect(refused.reasonCodes).toEqual(expect.arrayContaining(["SIMULATION_DISAGREES", "SWAP_REVERTS"]));
  });

  test("everything: a review, not an error", async () => {
    const result = await world.guard(
      await build({ limit: FAIR }),
      deafTo(() => true),
    );
    expectReasons(result, ["review", "CODE_UNREAD", "SWAP_UNREAD", "SIMULATION_UNAVAILABLE"]);
    expect(result.context.proofs.finish()).toBeNull();
  });
});
