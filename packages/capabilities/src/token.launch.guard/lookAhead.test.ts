import type { ChainRead } from "@assay/chain";
import type { Hex } from "@assay/protocol";
import { erc20Abi, parseEther } from "viem";
import { expect, test } from "vitest";
import { useLaunchFixture } from "./testing/launchFixture.js";

const fixture = useLaunchFixture();
const SUPPLY = parseEther("1000000000");

/** The contract, which has functions of its own, keeps all the liquidity of the token. */
async function launchKept(): Promise<{ token: Hex; pair: Hex; keep(): Promise<unknown> }> {
  const { launcher, devnet } = fixture;
  const token = await launcher.deploy("LaunchToken", [SUPPLY]);
  const pair = await launcher.addPair(token);
  await launcher.giveAway(token);
  const shares = 10n ** 21n;
  return {
    token,
    pair,
    keep: () => launcher.call(pair, erc20Abi, "transfer", [devnet.contracts.boxV2, shares]),
  };
}

test("a look ahead saves a batch where a contract keeps the liquidity, and changes no reading", async () => {
  const { token, keep } = await launchKept();
  await keep();
  const gather = await fixture.lookAhead(token);
  await fixture.devnet.mine();
  const ahead = await fixture.guard(token, undefined, gather);
  const alone = await fixture.guard(token);
  expect([ahead.batches, alone.batches]).toEqual([2, 3]);
  expect(alone.readings.liquidity[0]?.shares.some(({ keeper }) => keeper !== null)).toBe(true);
  expect(ahead.readings).toEqual(alone.readings);
});

test("what became true after the look ahead is read all the same", async () => {
  const { token, keep } = await launchKept();
  const gather = await fixture.lookAhead(token);
  await keep();
  const ahead = await fixture.guard(token, undefined, gather);
  const alone = await fixture.guard(token);
  expect([ahead.batches, alone.batches]).toEqual([3, 3]);
  expect(ahead.readings).toEqual(alone.readings);
});

test("a look ahead that no node answers, or that a node makes up, changes nothing", async () => {
  const { token, keep } = await launchKept();
  await keep();
  const deaf = fixture.deafTo((read: ChainRead) => read.kind === "logs" || read.kind === "code");
  const blind = await fixture.lookAhead(token, deaf);
  const other = await fixture.lookAhead(fixture.devnet.contracts.plainToken);
  const alone = await fixture.guard(token);
  for (const gather of [blind, other])
    expect((await fixture.guard(token, undefined, gather)).readings).toEqual(alone.readings);
});
