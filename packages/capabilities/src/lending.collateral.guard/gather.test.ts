import { lowercase } from "@assay/chain/testing/lowercase";
import { recordReads } from "@assay/chain/testing/recordReads";
import { mapReading, valueReading } from "@assay/protocol";
import { encodeFunctionData, parseEther, parseUnits } from "viem";
import { expect, test } from "vitest";
import { evaluateLendingCollateral } from "./evaluate.js";
import { locateMarket, morphoSlotNames } from "./morphoLayout.js";
import type { LendingCollateralReadings } from "./readings.js";
import { morphoArtifact } from "./testing/lendingActions.js";
import { type LendingWorld, useLendingWorld } from "./testing/lendingFixture.js";

const world = useLendingWorld();

const askWell = ({ guard, honest, alice }: LendingWorld) =>
  guard({ params: honest, user: alice, amount: parseUnits("5000", 6) });

/** Every reading in the readings, with a way to put something else in its place. */
function* eachReading(
  value: unknown,
  path: string,
  rebuild: (replacement: unknown) => LendingCollateralReadings,
): Generator<[path: string, replace: (replacement: unknown) => LendingCollateralReadings]> {
  if (typeof value !== "object" || value === null) return;
  if ("status" in value) yield [path, rebuild];
  for (const [name, inner] of Object.entries(value)) {
    const around = (replacement: unknown) =>
      rebuild(
        Array.isArray(value) ? value.with(Number(name), replacement) : { ...value, [name]: replacement },
      );
    yield* eachReading(inner, `${path}.${name}`, around);
  }
}

test("no reading can be missing from an allow", async () => {
  const { input, readings: recorded, verdict } = await askWell(world());
  expect(verdict).toBe("allow");
  const missing = [
    { status: "unanswered", reason: "timeout" },
    { status: "reverted", data: "0x" },
    { status: "absent" },
  ];
  let tried = 0;
  const allowed: string[] = [];
  for (const [path, replace] of eachReading(recorded, "readings", (all) => all as LendingCollateralReadings))
    for (const replacement of missing) {
      tried += 1;
      const { verdict: then, reasonCodes } = evaluateLendingCollateral(input, replace(replacement));
      expect(reasonCodes.length).toBeGreaterThan(0);
      if (then === "allow") allowed.push(`${path}: ${replacement.status}`);
    }
  // Whether masterCopy() is refused or answers nothing, it is no Safe.
  const harmless = "readings.market.oracle.masterCopy";
  expect(allowed).toEqual([`${harmless}: reverted`, `${harmless}: absent`]);
  expect(tried).toBeGreaterThan(80);
  const unfollowed = evaluateLendingCollateral(input, { ...recorded, market: null });
  expect(unfollowed).toMatchObject({ verdict: "review", reasonCodes: ["MARKET_UNREAD"] });
});

test("the market and the position are proven word by word, and are what Morpho's functions say", async () => {
  const { input, facts, proofs, reasonCodes } = await askWell(world());
  const places = locateMarket(input.marketId, input.userAddress);
  expect(facts[0]).toMatchObject({ address: world().morpho, codeHash: expect.any(String) });
  expect(facts[0]?.slots.map(({ slot }) => slot)).toEqual(morphoSlotNames.map((name) => places[name]));
  for (const { slot, value } of facts[0]?.slots ?? [])
    expect(proofs.getSlot(world().morpho, slot)).toBe(value);
  // Two tokens, the oracle's factory, the interest model and the oracle beside Morpho.
  expect(facts).toHaveLength(6);
  expect(reasonCodes).not.toContain("MARKET_STATE_DISAGREES");
});

test.each(morphoSlotNames)(
  "a word of the storage that is not what Morpho returns, %s, is no allow",
  async (name) => {
    const { input, readings: recorded } = await askWell(world());
    const slots = {
      ...recorded.slots,
      [name]: mapReading(recorded.slots[name], (word) => {
        const other = BigInt(word) ^ 1n;
        return `0x${other.toString(16).padStart(64, "0")}`;
      }),
    } as LendingCollateralReadings["slots"];
    const { verdict, reasonCodes } = evaluateLendingCollateral(input, { ...recorded, slots });
    expect(verdict).not.toBe("allow");
    expect(reasonCodes.some((code) => /^MARKET_(MISFILED|TOKENS_DIFFER|STATE_DISAGREES)$/.test(code))).toBe(
      true,
    );
  },
);

test("no number that the probe brings back can be another in an allow", async () => {
  const { input, readings: recorded } = await askWell(world());
  const probe = recorded.market?.borrow.probe;
  if (!recorded.market || probe?.status !== "value") throw new Error("the probe gave no answer");
  const { market } = recorded;
  const { market: totals, position, ...rest } = probe.value;
  const more = (value: unknown) => (typeof value === "string" ? String(BigInt(value) + 1n) : !value);
  const changes = [
    ...Object.entries(totals).map(([name, value]) => ({ market: { ...totals, [name]: more(value) } })),
    ...Object.entries(position).map(([name, value]) => ({ position: { ...position, [name]: more(value) } })),
    // That more arrives than was borrowed harms nobody, and what was returned is compared in the plain call.
    ...Object.entries(rest).flatMap(([name, value]) =>
      name === "heldAfter" || name === "returned" ? [] : [{ [name]: more(value) }],
    ),
  ];
  expect(changes).toHaveLength(14);
  for (const change of changes) {
    const other = { status: "value", value: { ...probe.value, ...change } } as typeof probe;
    const readings = { ...recorded, market: { ...market, borrow: { ...market.borrow, probe: other } } };
    expect([change, evaluateLendingCollateral(input, readings).verdict]).not.toEqual([change, "allow"]);
  }
});

test("a user without ether is lent the fee, so that strict nodes run the borrow too", async () => {
  const { chain, guard, honest, addCollateral } = world();
  const user = "0x00000000000000000000000000000000000b0b0b";
  await addCollateral(honest, parseEther("10"), user);
  const watched = recordReads(chain);
  const { verdict } = await guard({ params: honest, user, amount: 1n }, watched.chain);
  expect(verdict).toBe("allow");
  const lent = watched.asked
    .flat()
    .flatMap((read) => (read.kind === "call" && read.from === user ? [read.overrides?.[user]?.balance] : []));
  expect(lent).toEqual([expect.any(BigInt), expect.any(BigInt)]);
});

test("states when interest alone makes the position unhealthy, and to the second liquidators may come then", async () => {
  const { guard, borrow, honest, alice, devnet, deployer, morpho, trySend } = world();
  await borrow(honest, parseUnits("25799", 6), alice);
  const { findings, block, limitations } = await guard({ params: honest, user: alice, amount: 1n });
  const { secondsUntilUnhealthy } = findings.position as { secondsUntilUnhealthy: string };
  expect(limitations.join(" ")).toContain(`${secondsUntilUnhealthy} seconds after this block`);
  await devnet.request("evm_setNextBlockTimestamp", [block.timestamp]);
  await borrow(honest, 1n, alice);
  const liquidation = {
    from: deployer,
    to: morpho,
    data: encodeFunctionData({
      abi: morphoArtifact.abi,
      functionName: "liquidate",
      args: [honest, alice, 0n, 1_000_000n, "0x"],
    }),
  };
  const brink = block.timestamp + Number(secondsUntilUnhealthy);
  const ends: string[] = [];
  for (const timestamp of [brink - 1, brink]) {
    await devnet.request("evm_setNextBlockTimestamp", [timestamp]);
    ends.push((await trySend(liquidation)).status);
  }
  expect(ends).toEqual(["0x0", "0x1"]);
});

test.each<[string, from: number[], loanToken: "stablecoin" | "plainToken", differs: boolean]>([
  ["no feed for the stablecoin, which is then a dollar", [0, 1, 1, 1], "stablecoin", false],
  ["no feed for a token that is not the stablecoin", [0, 1, 1, 1], "plainToken", true],
  ["one feed twice on a side", [0, 0, 2, 1], "stablecoin", true],
  ["one feed for each side", [0, 1, 2, 1], "stablecoin", false],
])("an oracle with %s", async (_, from, loanToken, differs) => {
  const { honest, devnet, guard, alice, createMarket } = world();
  const params = { ...honest, loanToken: lowercase(devnet.contracts[loanToken]) };
  if (loanToken !== "stablecoin") await createMarket(params);
  const { input, readings: recorded } = await guard({ params, user: alice, amount: 1n });
  const sight = recorded.market?.oracle.sight;
  if (!recorded.market || sight?.status !== "value") throw new Error("the oracle was not seen");
  const feeds = from.map((index) => sight.value.feeds[index]) as typeof sight.value.feeds;
  const oracle = { ...recorded.market.oracle, sight: valueReading({ ...sight.value, feeds }) };
  const { reasonCodes } = evaluateLendingCollateral(input, {
    ...recorded,
    market: { ...recorded.market, oracle },
  });
  expect(reasonCodes.includes("FEED_PAIR_DIFFERS")).toBe(differs);
});
