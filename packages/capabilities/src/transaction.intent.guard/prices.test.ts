import { alteredChain } from "@assay/chain/testing/alteredChain";
import { type Hex, unanswered } from "@assay/protocol";
import { concat, parseEther } from "viem";
import { expect, test } from "vitest";
import { baseAddresses } from "../shared/chain-facts/baseAddresses.js";
import { encode, useIntentWorld } from "./testing/intentFixture.js";

const AERO = baseAddresses.aero;
/** An unknown contract that gives its caller the asked amount of AERO, for any payment. */
const SHOP: Hex = "0x00000000000000000000000000000000c0de5409";
const shopCode = concat([
  // transfer(caller, first argument), written from byte 0.
  "0x63a9059cbb60e01b5f52336004526004356024525f5f60445f5f73",
  AERO,
  "0x5af100",
]);

const world = useIntentWorld(async ({ devnet, send }) => {
  const { weth, uniswapV2Router } = devnet.contracts;
  const from = devnet.deployer.address;
  // AERO as a token that is made of ether: a hundred of it for each ether in the pool.
  await devnet.request("hardhat_setCode", [AERO, await devnet.request("eth_getCode", [weth, "latest"])]);
  await devnet.request("hardhat_setCode", [SHOP, shopCode]);
  await send({ from, to: AERO, data: encode("deposit()"), value: parseEther("12000") });
  await send({ from, to: weth, data: encode("deposit()"), value: parseEther("100") });
  for (const token of [AERO, weth])
    await send({
      from,
      to: token,
      data: encode("approve(address spender, uint256 amount)", [uniswapV2Router, parseEther("20000")]),
    });
  const added = await send({
    from,
    to: uniswapV2Router,
    data: encode(
      "addLiquidity(address a, address b, uint256 c, uint256 d, uint256 e, uint256 f, address to, uint256 deadline)",
      [AERO, weth, parseEther("10000"), parseEther("100"), 0n, 0n, from, 4_000_000_000n],
    ),
  });
  expect(added.status).toBe("0x1");
  await send({
    from,
    to: AERO,
    data: encode("transfer(address to, uint256 amount)", [SHOP, parseEther("1000")]),
  });
});

const trade = (amount: string) => ({
  to: SHOP,
  value: parseEther("0.3"),
  data: encode("trade(uint256 amount)", [parseEther(amount)]),
});

test("a published token that arrives is valued by its deepest pool, which the answer names", async () => {
  const fair = await world().guard(trade("30"));
  // The shop is not known, so a sum that is not small stays a review.
  expect(fair).toMatchObject({
    verdict: "review",
    reasonCodes: expect.arrayContaining(["RETURN_UNASSURED"]),
  });
  const [price] = fair.readings.poolPrices;
  if (price?.pools.status !== "value") throw new Error("no pools");
  expect(fair.findings.effects).toMatchObject({
    leaves: [{ token: null, usd: "$900.00", pricedBy: "feed" }],
    returns: [{ token: AERO.toLowerCase(), usd: "$900.00", pricedBy: price.pools.value[0]?.pool }],
  });
  const unfair = await world().guard(trade("10"));
  expect(unfair).toMatchObject({ verdict: "block", reasonCodes: expect.arrayContaining(["VALUE_LOST"]) });
});

test("where its pools are not read, it is a review", async () => {
  const silent = alteredChain(world().chain, (read, honest) =>
    // Longer than the question about fees, which has no recipient either.
    read.kind === "call" && read.to === null && read.data.length > 4_000 ? unanswered("timeout") : honest,
  );
  expect(await world().guard(trade("30"), silent)).toMatchObject({
    verdict: "review",
    reasonCodes: expect.arrayContaining(["PRICE_UNREAD", "RETURN_UNVALUED"]),
    limitations: expect.arrayContaining([expect.stringContaining("The pools that give")]),
  });
});
