import { encodeFunctionData, type Hex, maxUint160, maxUint256, parseAbi, zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { PERMIT2 } from "../shared/chain-facts/knownContracts.js";
import {
  ITSELF,
  PACKED,
  packed,
  SENDER,
  type Step,
  writeProgram,
} from "../shared/swaps/testing/writeProgram.js";
import { multicall, refund, v3Orders } from "../testing/swapOrders.js";
import { swapInV4, usePublishedRouter } from "./testing/publishedRouter.js";
import { dollars, ether, useSwapFixture } from "./testing/swapFixture.js";

/** What a call takes from its sender besides what the swap says that it takes. */
const world = useSwapFixture();
const router = usePublishedRouter(world);

const MOVE = "address, address, uint160";
const PAYOUT = "address, address, uint256";
const WRAP = "address, uint256";
/** 900 dollars for about one percent less than they give. */
const sold = (): Step => [
  0x00,
  PACKED,
  [SENDER, dollars("900"), ether("0.2965"), packed(world.tokens.usdc, 500, world.tokens.weth), true],
];

async function guardProgram(steps: readonly Step[], value = 0n) {
  const data = writeProgram(steps, await world.soon());
  const to = router().address as Hex;
  return world.guard({ from: world.alice, to, data, value: value.toString() }, world.chain, [router()]);
}

async function expectBlocked(steps: readonly Step[], codes: readonly string[], value?: bigint) {
  const result = await guardProgram(steps, value);
  expect(result.verdict).toBe("block");
  expect(result.reasonCodes).toEqual(expect.arrayContaining([...codes]));
}

describe("a program that moves an asset of neither side", () => {
  const third = (recipient: Hex): Step => [0x02, MOVE, [world.tokens.plainToken, recipient, ether("1000")]];

  test.each<[string, () => readonly Step[]]>([
    ["takes it for another account", () => [sold(), third(world.bob)]],
    ["leaves it in the router", () => [sold(), third(router().address as Hex)]],
    [
      "pays a portion of it and sweeps the rest back",
      () => [
        sold(),
        third(ITSELF),
        [0x06, PAYOUT, [world.tokens.plainToken, world.bob, 100n]],
        [0x04, PAYOUT, [world.tokens.plainToken, SENDER, 0n]],
      ],
    ],
    [
      "sweeps it to another account",
      () => [sold(), third(ITSELF), [0x04, PAYOUT, [world.tokens.plainToken, world.bob, 0n]]],
    ],
    [
      "transfers it to another account before the swap",
      () => [third(ITSELF), [0x05, PAYOUT, [world.tokens.plainToken, world.bob, ether("1000")]], sold()],
    ],
    [
      "pays it into V4's manager and takes it out for another account",
      () => [
        swapInV4(
          world,
          SENDER,
          ether("0.5"),
          ether("739"),
          {},
          [0x0b, "address, uint256, bool", [world.tokens.usdc, dollars("100"), true]],
          [0x0e, PAYOUT, [world.tokens.usdc, world.bob, dollars("100")]],
        ),
      ],
    ],
  ])("is blocked where it %s", async (_, steps) => {
    await expectBlocked(steps(), ["OTHER_ASSET_MOVED", "OTHER_ASSET_LOST"]);
  });

  test("is blocked even where all of it comes back", async () => {
    const { plainToken } = world.tokens;
    await expectBlocked(
      [sold(), third(ITSELF), [0x04, PAYOUT, [plainToken, SENDER, 0n]]],
      ["OTHER_ASSET_MOVED"],
    );
  });
});

describe("native value that the swap does not take", () => {
  const codes = ["OTHER_ASSET_LOST", "VALUE_FAR_ABOVE_INPUT"];

  test.each<[string, () => readonly Step[]]>([
    ["is wrapped for another account", () => [sold(), [0x0b, WRAP, [world.bob, ether("20")]]]],
    [
      "is transferred to another account",
      () => [sold(), [0x05, PAYOUT, [zeroAddress, world.bob, ether("20")]]],
    ],
    ["is swept to another account", () => [sold(), [0x04, PAYOUT, [zeroAddress, world.bob, 0n]]]],
    ["stays in the router", () => [sold()]],
    [
      "is paid into V4's manager and taken out for another account",
      () => [
        swapInV4(
          world,
          SENDER,
          ether("0.5"),
          ether("739"),
          {},
          [0x0b, "address, uint256, bool", [zeroAddress, ether("20"), false]],
          [0x0e, PAYOUT, [zeroAddress, world.bob, ether("20")]],
        ),
      ],
    ],
  ])("is a block where it %s", async (_, steps) => {
    await expectBlocked(steps(), codes, ether("20"));
  });

  test("is a block where it is on the way with a swap of a two-thousandth of it", async () => {
    const { weth, usdc, plainToken } = world.tokens;
    const at = { from: world.alice, router: world.v3, deadline: await world.soon() };
    const swap = v3Orders.exactInput(at, [weth, plainToken, usdc], ether("0.01"), dollars("29.3"));
    const data = multicall(at.deadline, [swap.data, refund()]);
    const honest = await world.guard({ ...swap, data, value: ether("0.01").toString() });
    expect(honest.verdict).toBe("allow");
    const risked = await world.guard({ ...swap, data, value: ether("20").toString() });
    expect([risked.verdict, risked.reasonCodes]).toEqual([
      "block",
      expect.arrayContaining(["VALUE_FAR_ABOVE_INPUT"]),
    ]);
  });
});

describe("more of the input than is swapped", () => {
  const taken = (part: string): readonly Step[] => [
    [0x02, MOVE, [world.tokens.usdc, world.bob, dollars(part)]],
    sold(),
  ];

  test("that another account gets is judged as a portion is", async () => {
    const small = await guardProgram(taken("9"));
    expect([small.verdict, small.reasonCodes]).toEqual([
      "allow",
      ["LIMIT_WITHIN_TOLERANCE", "PORTION_SMALL"],
    ]);
    const large = await guardProgram(taken("20"));
    expect(large.verdict).toBe("review");
    expect(large.reasonCodes).toEqual(expect.arrayContaining(["PAID_ABOVE_INPUT", "PORTION_LARGE"]));
    await expectBlocked(taken("100"), ["PAID_FAR_ABOVE_INPUT", "PORTION_EXCESSIVE"]);
  });

  test("that the router is given to pay a portion of is counted", async () => {
    const { usdc, weth } = world.tokens;
    const give = (all: string): readonly Step[] => [
      [0x02, MOVE, [usdc, ITSELF, dollars(all)]],
      [0x06, PAYOUT, [usdc, world.bob, 100n]],
      [0x00, PACKED, [SENDER, dollars("900"), ether("0.2965"), packed(usdc, 500, weth), false]],
      [0x04, PAYOUT, [usdc, SENDER, 0n]],
    ];
    expect((await guardProgram(give("910"))).verdict).toBe("review");
    await expectBlocked(give("9000"), ["PAID_FAR_ABOVE_INPUT"]);
  });
});

describe("a signature for Permit2 in the program", () => {
  const types = {
    PermitDetails: [
      { name: "token", type: "address" },
      { name: "amount", type: "uint160" },
      { name: "expiration", type: "uint48" },
      { name: "nonce", type: "uint48" },
    ],
    PermitSingle: [
      { name: "details", type: "PermitDetails" },
      { name: "spender", type: "address" },
      { name: "sigDeadline", type: "uint256" },
    ],
  } as const;
  const PERMIT =
    "((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permit, bytes signature";

  async function sign(token: Hex, spender: Hex, lasts = 30 * 86_400): Promise<Step> {
    const deadline = await world.soon();
    const details = { token, amount: maxUint160, expiration: Number(deadline) + lasts, nonce: 0 };
    const message = { details, spender, sigDeadline: deadline };
    const signer = privateKeyToAccount(world.devnet.accounts[0]?.privateKey as Hex);
    const domain = { name: "Permit2", chainId: 8453, verifyingContract: PERMIT2 };
    const signature = await signer.signTypedData({ domain, types, primaryType: "PermitSingle", message });
    return [0x0a, PERMIT, [message, signature]];
  }

  test("may let the router take the token that is swapped, for as long as exchanges ask", async () => {
    const honest = await guardProgram([await sign(world.tokens.usdc, router().address as Hex), sold()]);
    expect([honest.verdict, honest.reasonCodes]).toEqual(["allow", ["LIMIT_WITHIN_TOLERANCE"]]);
    const long = await sign(world.tokens.usdc, router().address as Hex, 10 * 366 * 86_400);
    const lasting = await guardProgram([long, sold()]);
    expect([lasting.verdict, lasting.reasonCodes]).toEqual([
      "review",
      ["PERMIT_LASTS_LONG", "LIMIT_WITHIN_TOLERANCE"],
    ]);
  });

  test("is a block for another spender or another token", async () => {
    const { usdc, plainToken } = world.tokens;
    await expectBlocked([await sign(usdc, world.bob), sold()], ["PERMIT_ASTRAY"]);
    await expectBlocked([await sign(plainToken, router().address as Hex), sold()], ["PERMIT_ASTRAY"]);
  });
});

test("a permit of another token in a multicall is a block", async () => {
  const { weth, usdc, plainToken } = world.tokens;
  const at = { from: world.alice, router: world.v3, deadline: await world.soon() };
  const swap = v3Orders.exactInputSingle(at, [usdc, weth], dollars("900"), ether("0.2965"));
  const abi = parseAbi([
    "function selfPermit(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  ]);
  const word: Hex = `0x${"1".repeat(64)}`;
  const guardWith = (token: Hex) => {
    const permit = encodeFunctionData({ abi, args: [token, maxUint256, at.deadline, 27, word, word] });
    return world.guard({ ...swap, data: multicall(at.deadline, [permit, swap.data]) });
  };
  expect((await guardWith(plainToken)).reasonCodes).toContain("PERMIT_ASTRAY");
  expect((await guardWith(usdc)).reasonCodes).not.toContain("PERMIT_ASTRAY");
});
