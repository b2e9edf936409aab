import { erc20Abi, parseEther, toHex } from "viem";
import { describe, expect, test } from "vitest";
import { useLaunchFixture } from "./testing/launchFixture.js";

const fixture = useLaunchFixture();
const { guard } = fixture;
const launch = (sample: string, args: readonly unknown[]) =>
  fixture.launcher.launchForGood(sample, ...args).then((token) => guard(token));
const DAY = 86_400n;
/** The pairs of these tests hold a million tokens and a hundred ether. */
const POOLED = parseEther("1000000");

describe("a token that a real holder cannot sell is blocked", () => {
  test.each<[string, string, readonly unknown[], string]>([
    ["sales need a purchase in the same transaction", "TransientTrapToken", [], "HELD_SALE_FAILS"],
    ["sales end after 45 days", "EndingSaleToken", [45n * DAY], "SALE_ENDS"],
    ["sales end after five years", "EndingSaleToken", [5n * 365n * DAY], "SALE_ENDS"],
    ["sales end with half of the pool", "ReserveTrapToken", [POOLED / 2n], "SALE_FAILS_AFTER_OTHERS"],
    ["sales end with a tenth of the pool", "ReserveTrapToken", [POOLED / 10n], "SALE_FAILS_AFTER_OTHERS"],
    ["holders of 4.5 % of the pool are refused", "WhaleTrapToken", [POOLED / 22n], "SALE_FAILS_FOR_SOME"],
    [
      "holders of 30 % of the pool are refused",
      "WhaleTrapToken",
      [(POOLED * 3n) / 10n],
      "SALE_FAILS_FOR_SOME",
    ],
    ["the fourth sale of a holder fails", "CountedSaleToken", [3n], "SALES_RUN_OUT"],
    ["the eleventh sale of a holder fails", "CountedSaleToken", [10n], "SALES_RUN_OUT"],
  ])("when %s", async (_, sample, args, reason) => {
    const { verdict, reasonCodes } = await launch(sample, args);
    expect([verdict, reasonCodes]).toEqual(["block", expect.arrayContaining([reason])]);
  });
});

test.each<[string, string, readonly unknown[], string]>([
  ["a guard that lasts for the transaction", "TransientGuardToken", [], "SELLS"],
  ["no wallet above two percent", "MaxWalletToken", [POOLED / 50n], "BUY_LIMITED"],
  ["taxes that it sells itself", "SwapBackToken", [], "TAX_MODERATE"],
])("an honest token with %s is allowed", async (_, sample, args, reason) => {
  const { verdict, reasonCodes } = await launch(sample, args);
  expect([verdict, reasonCodes]).toEqual(["allow", expect.arrayContaining([reason])]);
});

test("a program that keeps values for one transaction is no allow where no holder could be made", async () => {
  const { verdict, reasonCodes, limitations } = await launch("PackedTransientToken", []);
  expect([verdict, reasonCodes]).toEqual(["review", expect.arrayContaining(["SELLS", "HELD_SALE_UNTRIED"])]);
  expect(limitations.join()).toContain("apart from the purchase");
});

describe("a condition that nobody can name is no allow", () => {
  test.each<[string, string, string, string]>([
    ["an approval of a secret amount makes tokens", "HashedAmountToken", "HASH_LOCK", "0x095ea7b3"],
    ["a hash in storage names who may take tokens", "HashedCallerToken", "HASH_LOCK", "0x23b872dd"],
    ["half of another hash opens a transfer", "DigestedCallerToken", "HASH_LOCK", "0xa9059cbb"],
    ["the hash of a signer stands in for the owner's", "HashedSignerToken", "HASH_LOCK", "0xd505accf"],
  ])("when %s", async (_, sample, reason, selector) => {
    const { verdict, reasonCodes, limitations } = await launch(sample, []);
    expect([verdict, reasonCodes]).toEqual(["review", expect.arrayContaining([reason])]);
    expect(limitations.join()).toContain(selector);
  });

  test("and an unusual amount in the code is tried", async () => {
    const { verdict, reasonCodes } = await launch("MagicAmountToken", []);
    expect([verdict, reasonCodes]).toEqual([
      "block",
      expect.arrayContaining(["SUPPLY_INFLATABLE_BY_ANYONE"]),
    ]);
  });

  test("but permits of OpenZeppelin hash for signatures alone", async () => {
    const { verdict, readings } = await launch("PermittedToken", []);
    expect([verdict, readings.program?.locks]).toEqual(["allow", { isComplete: true, functions: [] }]);
  });
});

describe("tokens that no event names", () => {
  const HIDDEN = "0x5e1fd2a7b4c60d1f2a3b4c5d6e7f8091a2b3c4d5";
  /** Events are kept by the number of the block, and each test begins at the same one: so each has numbers of its own. */
  const launchAfter = async (blocks: number, more: bigint) => {
    for (let mined = 0; mined < blocks; mined += 1) await fixture.devnet.mine();
    return launch("HiddenBalanceToken", [HIDDEN, more]);
  };

  test("are found in the code that created the token", async () => {
    const { verdict, reasonCodes, readings } = await launchAfter(30, POOLED * 1_000n);
    expect(readings.unannounced).toMatchObject({ isCreationRead: true, created: [HIDDEN] });
    expect([verdict, reasonCodes]).toEqual(["review", expect.arrayContaining(["UNANNOUNCED_BALANCE"])]);
  });

  test("and a creation without them is read and allowed", async () => {
    const { verdict, readings } = await launchAfter(60, 0n);
    expect(verdict).toBe("allow");
    expect(readings.unannounced).toEqual({ isCreationRead: true, created: [], unnamed: [], grants: [] });
  });
});

describe("who may spend what the pair has", () => {
  const SPENDER = "0x6e1fd2a7b4c60d1f2a3b4c5d6e7f8091a2b3c4d5";
  const grant = async (blocks: number, isAnnounced: boolean) => {
    await fixture.devnet.request("hardhat_mine", [toHex(blocks)]);
    return launch("GrantingToken", [SPENDER, isAnnounced]);
  };

  test("is named by an event, and an account that may is a reason to block", async () => {
    const { verdict, reasonCodes, limitations } = await grant(90, true);
    expect([verdict, reasonCodes]).toEqual(["block", expect.arrayContaining(["POOL_SPENDABLE_BY_ACCOUNT"])]);
    expect(limitations.join()).toContain(SPENDER);
  });

  test("is found in the code that created the token where no event names it", async () => {
    const { verdict, reasonCodes, readings } = await grant(120, false);
    expect(readings.grants).toEqual([]);
    expect(readings.unannounced?.grants).toMatchObject([{ spender: SPENDER }]);
    expect([verdict, reasonCodes]).toEqual(["review", expect.arrayContaining(["POOL_SPENDABLE"])]);
  });
});

test("real holders whom the token refuses are found though fresh accounts sell", async () => {
  await fixture.devnet.request("hardhat_mine", [toHex(150)]);
  const { launcher } = fixture;
  const token = await launcher.deploy("GiftTrapToken", [POOLED * 100n]);
  const pair = await launcher.addPair(token);
  const gifts = ["1", "2"].map((digit) => `0x${digit.repeat(40)}`);
  for (const holder of gifts) await launcher.call(token, erc20Abi, "transfer", [holder, POOLED / 20n]);
  for (const held of [pair, token]) await launcher.giveAway(held);
  const { reasonCodes, readings } = await guard(token);
  const asked = readings.holderSales ?? [];
  expect(new Map(asked.map(({ holder, answer }) => [holder, answer.status]))).toEqual(
    new Map(gifts.map((holder) => [holder, "reverted"])),
  );
  expect(reasonCodes).toEqual(expect.arrayContaining(["SELLS", "HOLDERS_REFUSED"]));
});
