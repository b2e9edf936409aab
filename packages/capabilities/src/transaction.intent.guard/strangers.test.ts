import { alteredChain } from "@assay/chain/testing/alteredChain";
import { type Hex, transferWithAuthorizationTypes } from "@assay/protocol";
import { concat, parseEther } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { baseAddresses } from "../shared/chain-facts/baseAddresses.js";
import { multicall, STRANGER, transfer, usd, ZERO } from "./testing/intentCalls.js";
import { encode, type Transaction, useIntentWorld } from "./testing/intentFixture.js";
import { prepareHoldings } from "./testing/prepareHoldings.js";
import { withoutTraces } from "./testing/withoutTraces.js";

const MORPHO: Hex = "0xbbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb";
const CLAIMED: Hex = "0x00000000000000000000000000000000c0de3a11";

/** Answers one function with one address, and no other. */
const answering = (selector: Hex, address: string): Hex =>
  concat(["0x5f3560e01c63", selector, "0x146011575f5ffd5b73", address as Hex, "0x5f5260205ff3"]);

const world = useIntentWorld(async (one) => {
  await prepareHoldings(one);
  // `entryPoint()` of ERC-4337.
  await one.devnet.request("hardhat_setCode", [
    CLAIMED,
    answering("0xb0d691fe", "0x0000000071727De22E5E9d8BAf0edAc6f37da032"),
  ]);
  await one.devnet.mine();
});

/** With traces, and as a node judges that offers none. */
async function judgeBoth(transaction: Transaction) {
  const untraced = alteredChain(world().chain, withoutTraces);
  return [await world().guard(transaction), await world().guard(transaction, untraced)];
}

describe("a contract that only says it is a wallet", () => {
  test("is paid little on its word, and no more", async () => {
    const { stablecoin } = world().devnet.contracts;
    const small = await world().guard({ to: stablecoin, data: transfer(CLAIMED, usd(50)) });
    expect(small).toMatchObject({ verdict: "allow", reasonCodes: expect.arrayContaining(["FIRST_PAYMENT"]) });
    const large = await world().guard({ to: stablecoin, data: transfer(CLAIMED, usd(500)) });
    expect(large).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["RECIPIENT_IS_CONTRACT"]),
    });
  });

  test("is credited little where it names the sender as its owner, and no more", async () => {
    const { devnet, alice, send } = world();
    const { id: _, ...market } = devnet.lendingMarket;
    const supply = (amount: bigint): Transaction => ({
      to: MORPHO,
      data: encode(
        "supply((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) market, uint256 assets, uint256 shares, address onBehalf, bytes data)",
        [market, amount, 0n, CLAIMED, "0x"],
      ),
    });
    const { stablecoin } = devnet.contracts;
    await send({
      to: stablecoin,
      data: encode("approve(address spender, uint256 amount)", [MORPHO, usd(1000)]),
    });
    expect(await world().guard(supply(usd(50)))).toMatchObject({
      verdict: "block",
      reasonCodes: expect.arrayContaining(["CREDITED_TO_STRANGER"]),
    });
    // `owner()`.
    await devnet.request("hardhat_setCode", [CLAIMED, answering("0x8da5cb5b", alice)]);
    await devnet.mine();
    expect(await world().guard(supply(usd(50)))).toMatchObject({
      verdict: "allow",
      reasonCodes: expect.arrayContaining(["DEPOSIT_AT_KNOWN_PARTY"]),
    });
    expect(await world().guard(supply(usd(500)))).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["CREDITED_TO_ANOTHER"]),
    });
  });
});

describe("what stays where anybody may take it", () => {
  const aggregateValue = (calls: readonly (readonly [string, bigint, Hex])[]) =>
    encode("aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)", [
      calls.map(([target, value, callData]) => ({ target, allowFailure: false, value, callData })),
    ]);

  test("ether wrapped in Multicall3's name is a block, unless it is passed on", async () => {
    const { devnet, alice } = world();
    const { multicall3, weth } = devnet.contracts;
    const value = parseEther("1");
    const wrap = [weth, value, encode("deposit()")] as const;
    for (const result of await judgeBoth({ to: multicall3, value, data: aggregateValue([wrap]) }))
      expect(result).toMatchObject({
        verdict: "block",
        reasonCodes: expect.arrayContaining(["LEFT_FOR_ANYBODY"]),
      });
    const passedOn = aggregateValue([wrap, [weth, 0n, transfer(alice, value)]]);
    for (const { reasonCodes } of await judgeBoth({ to: multicall3, value, data: passedOn }))
      expect(reasonCodes).not.toContain("LEFT_FOR_ANYBODY");
  });

  const decrease = encode(
    "decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params)",
    [{ tokenId: 1n, liquidity: 10n ** 12n, amount0Min: 0n, amount1Min: 0n, deadline: 4_000_000_000n }],
  );
  const collect = (recipient: string) =>
    encode("collect((uint256 tokenId, address recipient, uint128 amount0Max, uint128 amount1Max) params)", [
      { tokenId: 1n, recipient, amount0Max: 2n ** 128n - 1n, amount1Max: 2n ** 128n - 1n },
    ]);
  const positionCall = (calls: readonly Hex[]): Transaction => ({
    from: world().devnet.deployer.address,
    to: baseAddresses.uniswapV3Positions,
    data: multicall(calls),
  });

  test("a position's proceeds left in its manager are a block, unless they are swept out", async () => {
    const { devnet } = world();
    const owner = devnet.deployer.address;
    for (const result of await judgeBoth(positionCall([decrease, collect(ZERO)])))
      expect(result).toMatchObject({
        verdict: "block",
        reasonCodes: expect.arrayContaining(["LEFT_FOR_ANYBODY"]),
      });
    const sweep = encode("sweepToken(address token, uint256 amountMinimum, address recipient)", [
      devnet.contracts.stablecoin,
      0n,
      owner,
    ]);
    const unwrap = encode("unwrapWETH9(uint256 amountMinimum, address recipient)", [0n, owner]);
    for (const { reasonCodes } of await judgeBoth(positionCall([decrease, collect(ZERO), unwrap, sweep])))
      expect(reasonCodes).not.toContain("LEFT_FOR_ANYBODY");
  });

  test("a position's proceeds for a stranger are a block, for the owner they are not", async () => {
    for (const result of await judgeBoth(positionCall([decrease, collect(STRANGER)])))
      expect(result).toMatchObject({
        verdict: "block",
        reasonCodes: expect.arrayContaining(["PROCEEDS_TO_STRANGER"]),
      });
    const owner = world().devnet.deployer.address;
    for (const { verdict } of await judgeBoth(positionCall([decrease, collect(owner)])))
      expect(verdict).toBe("allow");
  });
});

describe("most of what is held, to an account that was not paid before", () => {
  test("is a review above 100 dollars, also where the account is in use", async () => {
    const { devnet, bob, send } = world();
    const { stablecoin } = devnet.contracts;
    // From now on bob has sent a transaction.
    await send({ from: bob, to: bob });
    const held = BigInt(
      await devnet.request<Hex>("eth_call", [
        { to: stablecoin, data: encode("balanceOf(address holder)", [world().alice]) },
        "latest",
      ]),
    );
    const most = await world().guard({ to: stablecoin, data: transfer(bob, (held * 6n) / 10n) });
    expect(most).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["MOST_TO_NEW_ACCOUNT"]),
    });
    const some = await world().guard({ to: stablecoin, data: transfer(bob, held / 10n) });
    expect(some.verdict).toBe("allow");
  });

  test("is a review where a signed authorization moves it (EIP-3009)", async () => {
    const { devnet, alice } = world();
    const { stablecoin } = devnet.contracts;
    const signer = privateKeyToAccount(devnet.accounts[0]?.privateKey as Hex);
    expect(signer.address.toLowerCase()).toBe(alice);
    const message = {
      from: signer.address,
      to: STRANGER,
      value: usd(5000),
      validAfter: 0n,
      validBefore: 4_000_000_000n,
      nonce: `0x${"5a".repeat(32)}` as Hex,
    };
    const signature = await signer.signTypedData({
      domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: stablecoin as Hex },
      types: transferWithAuthorizationTypes,
      primaryType: "TransferWithAuthorization",
      message,
    });
    const result = await world().guard({
      to: stablecoin,
      data: encode(
        "transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
        [...Object.values(message), signature],
      ),
    });
    expect(result.reasonCodes).toContain("TX_EXECUTES");
    expect(result.verdict).toBe("review");
    expect(result.reasonCodes.some((code) => /^(BALANCE_UNREAD|MOST_TO_NEW_ACCOUNT)$/.test(code))).toBe(true);
  });
});
