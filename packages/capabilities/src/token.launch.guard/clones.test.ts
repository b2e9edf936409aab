import type { Chain, ChainRead } from "@assay/chain";
import { type Hex, type Reading, valueReading } from "@assay/protocol";
import { decodeFunctionResult, encodeFunctionResult, parseEther } from "viem";
import { describe, expect, test } from "vitest";
import { launchProbe } from "../shared/pools/gather/findPools.js";
import { isAsking } from "./testing/isAsking.js";
import { useLaunchFixture } from "./testing/launchFixture.js";

const fixture = useLaunchFixture();
const { guard } = fixture;
const SUPPLY = parseEther("1000000000");

describe("clones", () => {
  /** The taxed token as a clone of another one. */
  async function putClone() {
    const target = await fixture.launcher.deploy("BlacklistToken", [SUPPLY]);
    const clone: Hex = `0x363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`;
    const { taxedToken } = fixture.devnet.contracts;
    await fixture.devnet.request("hardhat_setCode", [taxedToken, clone]);
    await fixture.devnet.mine();
    return { target, token: taxedToken };
  }

  /** A chain whose answer to the search for pools has other code behind the clone, or none. */
  function withOtherCode(code: Hex): Chain {
    const { abi } = launchProbe;
    const chain = fixture.deafTo(() => false);
    const change = (read: ChainRead, answer: Reading<Hex>): Reading<Hex> => {
      if (!isAsking("codeBehindClone(address)")(read) || answer.status !== "value") return answer;
      const data = answer.value;
      const [pools, behind] = decodeFunctionResult({ abi, functionName: "several", data }) as [Hex, Hex];
      const [target] = decodeFunctionResult({ abi, functionName: "codeBehindClone", data: behind }) as [Hex];
      const other = encodeFunctionResult({ abi, functionName: "codeBehindClone", result: [target, code] });
      const result = [pools, other];
      return valueReading(encodeFunctionResult({ abi, functionName: "several", result }));
    };
    return {
      ...chain,
      readAt: async (block, reads, caller) => {
        const answers = (await chain.readAt(block, reads, caller)) as readonly Reading<Hex>[];
        return answers.map((answer, i) => change(reads[i] as ChainRead, answer)) as never;
      },
    };
  }

  test("a clone's powers are those of its target, which is read with the pools", async () => {
    const { target, token } = await putClone();
    const result = await guard(token);
    expect(result).toMatchObject({ findings: { implementation: target, upgradeable: false }, batches: 2 });
    expect(result.reasonCodes).toEqual(
      expect.arrayContaining(["MINIMAL_PROXY", "SELLS", "SALES_STOPPABLE_BY_OWNER"]),
    );
    expect(result.verdict).toBe("block");
  });

  test.each<[string, Hex]>([
    ["is none", "0x"],
    // One that does nothing has no powers.
    ["is another than is proven", "0x00"],
  ])("where the code that came with the pools %s, the proven one is tried later", async (_, code) => {
    const { token } = await putClone();
    const honest = await guard(token);
    const result = await guard(token, withOtherCode(code));
    expect(result.batches).toBe(3);
    expect([result.verdict, result.reasonCodes]).toEqual([honest.verdict, honest.reasonCodes]);
    expect(result.readings.program).toEqual(honest.readings.program);
  });
});
