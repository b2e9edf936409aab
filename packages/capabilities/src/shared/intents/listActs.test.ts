import { concatHex, encodeAbiParameters, encodeFunctionData, type Hex, maxUint256, parseAbiItem } from "viem";
import { describe, expect, test } from "vitest";
import { baseAddresses, lowercaseAddress } from "../chain-facts/baseAddresses.js";
import { AERODROME_PERMIT2, PERMIT2, WETH } from "../chain-facts/knownContracts.js";
import { classifyIntent } from "./classifyIntent.js";
import { decodeCalls } from "./decodeCalls.js";
import { listActs } from "./listActs.js";

const FROM: Hex = "0x00000000000000000000000000000000000a11ce";
const TO: Hex = "0x0000000000000000000000000000000000000070";
const TOKEN: Hex = "0x00000000000000000000000000000000000070c3";
const BOB: Hex = "0x0000000000000000000000000000000000000b0b";
const KNOWN_ROUTER: Hex = "0x2626664c2603336e57b271c5c0b26f421741e481";
const SIGNATURE = [27, `0x${"11".repeat(32)}`, `0x${"22".repeat(32)}`] as const;

const encode = (signature: string, args: readonly unknown[] = []): Hex =>
  encodeFunctionData({ abi: [parseAbiItem(`function ${signature}`)], args } as never);
const list = (data: Hex, { to = TO, value = "0" } = {}) =>
  listActs(decodeCalls({ from: FROM, to, value, data }).call, new Set([KNOWN_ROUTER]));
const details = { token: TOKEN, amount: 5n, expiration: 99, nonce: 0 };
const DETAILS = "(address token, uint160 amount, uint48 expiration, uint48 nonce)";

describe("approvals", () => {
  test.each<[string, Hex, object]>([
    [
      "approve",
      encode("approve(address s, uint256 a)", [BOB, 5n]),
      { form: "erc20", token: TO, amount: "5" },
    ],
    ["increaseAllowance", encode("increaseAllowance(address s, uint256 a)", [BOB, 5n]), { form: "increase" }],
    [
      "decreaseAllowance",
      encode("decreaseAllowance(address s, uint256 a)", [BOB, 5n]),
      { form: "decrease", isRevocation: true },
    ],
    ["approve of nothing", encode("approve(address s, uint256 a)", [BOB, 0n]), { isRevocation: true }],
    [
      "permit (ERC-2612)",
      encode("permit(address o, address s, uint256 v, uint256 d, uint8 a, bytes32 b, bytes32 c)", [
        BOB,
        TOKEN,
        5n,
        99n,
        ...SIGNATURE,
      ]),
      { form: "permit", owner: BOB, spender: TOKEN, amount: "5", expiresAt: "99" },
    ],
    [
      "permit of Dai, for ever",
      encode("permit(address h, address s, uint256 n, uint256 e, bool w, uint8 a, bytes32 b, bytes32 c)", [
        FROM,
        BOB,
        0n,
        0n,
        true,
        ...SIGNATURE,
      ]),
      { form: "permit", amount: maxUint256.toString(), expiresAt: maxUint256.toString() },
    ],
    [
      "selfPermit of a router",
      encode("selfPermit(address t, uint256 v, uint256 d, uint8 a, bytes32 b, bytes32 c)", [
        TOKEN,
        5n,
        99n,
        ...SIGNATURE,
      ]),
      { form: "permit", keeper: TOKEN, token: TOKEN, owner: FROM, spender: TO, amount: "5" },
    ],
    [
      "Permit2 approve",
      encode("approve(address t, address s, uint160 a, uint48 e)", [TOKEN, BOB, 5n, 99]),
      { form: "permit2", keeper: TO, token: TOKEN, owner: FROM, amount: "5", expiresAt: "99" },
    ],
    [
      "Permit2 permit",
      encode(`permit(address o, (${DETAILS} details, address spender, uint256 sigDeadline) p, bytes s)`, [
        FROM,
        { details, spender: BOB, sigDeadline: 1n },
        "0x",
      ]),
      { form: "permit2", token: TOKEN, owner: FROM, amount: "5" },
    ],
    [
      "Permit2 permit of many",
      encode(`permit(address o, (${DETAILS}[] details, address spender, uint256 sigDeadline) p, bytes s)`, [
        FROM,
        { details: [details], spender: BOB, sigDeadline: 1n },
        "0x",
      ]),
      { form: "permit2", token: TOKEN, owner: FROM, amount: "5" },
    ],
    [
      "setApprovalForAll",
      encode("setApprovalForAll(address o, bool a)", [BOB, true]),
      { form: "operator", amount: null, isRevocation: false },
    ],
    [
      "setApprovalForAll, taken back",
      encode("setApprovalForAll(address o, bool a)", [BOB, false]),
      { form: "operator", isRevocation: true },
    ],
    [
      "setAuthorization",
      encode("setAuthorization(address a, bool b)", [BOB, true]),
      { form: "authorization", amount: null, isRevocation: false },
    ],
  ])("%s", (_, data, expected) => {
    const { acts, unknownCalls } = list(data);
    expect(acts).toMatchObject([{ kind: "approval", spender: BOB, ...expected }]);
    expect(unknownCalls).toEqual([]);
    expect(classifyIntent(acts, false)).toBe("approve");
  });
});

describe("transfers", () => {
  const AUTHORIZATION =
    "(address f, address t, uint256 v, uint256 a, uint256 b, bytes32 n, uint8 x, bytes32 y, bytes32 z)";
  const authorization = [FROM, BOB, 5n, 0n, 99n, SIGNATURE[1], ...SIGNATURE] as const;
  test.each<[string, Hex, object]>([
    ["transfer", encode("transfer(address t, uint256 a)", [BOB, 5n]), { form: "erc20", token: TO }],
    [
      "transferFrom",
      encode("transferFrom(address f, address t, uint256 a)", [FROM, BOB, 5n]),
      { form: "erc20", token: TO },
    ],
    [
      "Permit2 transferFrom",
      encode("transferFrom(address f, address t, uint160 a, address k)", [FROM, BOB, 5n, TOKEN]),
      { form: "permit2", token: TOKEN },
    ],
    [
      "Permit2 permitTransferFrom",
      encode(
        "permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) p, (address to, uint256 requestedAmount) t, address o, bytes s)",
        [
          { permitted: { token: TOKEN, amount: 9n }, nonce: 0n, deadline: 9n },
          { to: BOB, requestedAmount: 5n },
          FROM,
          "0x",
        ],
      ),
      { form: "permit2", token: TOKEN },
    ],
    ["EIP-3009", encode(`transferWithAuthorization${AUTHORIZATION}`, authorization), { form: "eip3009" }],
    [
      "EIP-3009, received",
      encode(`receiveWithAuthorization${AUTHORIZATION}`, authorization),
      { form: "eip3009" },
    ],
    [
      "ERC-1155",
      encode("safeTransferFrom(address f, address t, uint256 i, uint256 a, bytes d)", [
        FROM,
        BOB,
        3n,
        5n,
        "0x",
      ]),
      { form: "erc1155", id: "3" },
    ],
  ])("%s", (_, data, expected) => {
    const { acts } = list(data);
    expect(acts).toMatchObject([{ kind: "transfer", from: FROM, to: BOB, amount: "5", ...expected }]);
    expect(classifyIntent(acts, false)).toBe("transfer");
  });

  test("ether with no data", () => {
    expect(list("0x", { value: "5" }).acts).toMatchObject([
      { kind: "transfer", form: "native", token: null, from: FROM, to: TO, amount: "5" },
    ]);
    expect(list("0x").acts).toEqual([]);
  });

  test("every item of a batch", () => {
    const data = encode("safeBatchTransferFrom(address f, address t, uint256[] i, uint256[] a, bytes d)", [
      FROM,
      BOB,
      [1n, 2n],
      [3n],
      "0x",
    ]);
    expect(list(data).acts).toMatchObject([
      { id: "1", amount: "3" },
      { id: "2", amount: "0" },
    ]);
  });
});

describe("routers", () => {
  const path = concatHex([TOKEN, "0x0001f4", WETH]);
  const ROUTER: Hex = "0x0000000000000000000000000000000000000002";
  test("an exact output's path runs backwards, and the router's own name is resolved", () => {
    const data = encode(
      "exactOutput((bytes path, address recipient, uint256 amountOut, uint256 amountInMaximum) params)",
      [{ path, recipient: ROUTER, amountOut: 5n, amountInMaximum: 9n }],
    );
    expect(list(data).acts).toEqual([
      {
        kind: "swap",
        router: TO,
        payer: FROM,
        tokenIn: WETH,
        tokenOut: TOKEN,
        recipient: TO,
        exact: "out",
        amountIn: "9",
        amountOut: "5",
      },
    ]);
  });

  test("routes of pairs are a path", () => {
    const data = encode(
      "swapExactTokensForTokens(uint256 a, uint256 b, (address from, address to, bool stable, address factory)[] routes, address to, uint256 d)",
      [5n, 4n, [{ from: TOKEN, to: WETH, stable: false, factory: BOB }], FROM, 9n],
    );
    expect(list(data).acts).toMatchObject([
      { tokenIn: TOKEN, tokenOut: WETH, recipient: FROM, amountOut: "4" },
    ]);
  });

  test("commands become permits, swaps and payouts", () => {
    const permit = encodeAbiParameters(
      [
        {
          type: "tuple",
          components: [
            {
              type: "tuple",
              components: [{ type: "address" }, { type: "uint160" }, { type: "uint48" }, { type: "uint48" }],
            },
            { type: "address" },
            { type: "uint256" },
          ],
        },
        { type: "bytes" },
      ] as const,
      [[[TOKEN, 5n, 99, 0], BOB, 9n], "0x"] as never,
    );
    const swap = encodeAbiParameters(
      [{ type: "address" }, { type: "uint256" }, { type: "uint256" }, { type: "bytes" }, { type: "bool" }],
      [ROUTER, 5n, 4n, path, true],
    );
    const unwrap = encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [BOB, 4n]);
    const { acts } = list(encode("execute(bytes c, bytes[] i)", ["0x0a000c", [permit, swap, unwrap]]));
    expect(acts).toMatchObject([
      { kind: "approval", form: "permit2", keeper: PERMIT2, owner: FROM, spender: BOB, amount: "5" },
      { kind: "swap", tokenIn: TOKEN, tokenOut: WETH, payer: FROM, recipient: TO, amountOut: "4" },
      { kind: "payout", token: null, to: BOB },
    ]);
    expect(classifyIntent(acts, false)).toBe("swap");
    // Aerodrome's router takes the permission from another keeper.
    const aerodrome = lowercaseAddress(baseAddresses.aerodromeUniversalRouter2);
    const elsewhere = list(encode("execute(bytes c, bytes[] i)", ["0x0a", [permit]]), { to: aerodrome });
    expect(elsewhere.acts).toMatchObject([{ kind: "approval", form: "permit2", keeper: AERODROME_PERMIT2 }]);
  });
});

describe("the rest", () => {
  test("deposit() is known of wrapped ether alone", () => {
    expect(list(encode("deposit()"), { to: WETH, value: "5" }).acts).toMatchObject([
      { kind: "wrap", direction: "wrap", amount: "5" },
    ]);
    expect(list(encode("deposit()"), { value: "5" }).acts).toEqual([]);
  });

  test.each([
    encode("unwrapWETH9(uint256 m, address r)", [1n, BOB]),
    encode("unwrapWETH9(uint256 m)", [1n]),
    encode("sweepToken(address t, uint256 m, address r)", [TOKEN, 1n, BOB]),
    encode("refundETH()"),
    encode("wrapETH(uint256 v)", [1n]),
  ])("what stands beside a swap is known of a router alone: %s", (data) => {
    expect(list(data, { to: KNOWN_ROUTER }).unknownCalls).toEqual([]);
    expect(list(data).acts).toEqual([]);
  });

  test.each([
    encode("transferOwnership(address o)", [BOB]),
    encode("upgradeTo(address i)", [BOB]),
    encode("upgradeToAndCall(address i, bytes d)", [BOB, "0x"]),
    encode("changeAdmin(address a)", [BOB]),
    encode("grantRole(bytes32 r, address a)", [SIGNATURE[1], BOB]),
    encode("diamondCut((address f, uint8 a, bytes4[] s)[] c, address i, bytes d)", [[], BOB, "0x"]),
  ])("control changes hands: %s", (data) => {
    expect(list(data).acts).toMatchObject([{ kind: "control", target: TO, successor: BOB }]);
  });

  test("different things in one transaction are a contract call", () => {
    const calls = [
      encode("approve(address s, uint256 a)", [BOB, 5n]),
      encode("transfer(address t, uint256 a)", [BOB, 5n]),
    ];
    const { acts } = list(encode("multicall(bytes[] c)", [calls]));
    expect(classifyIntent(acts, false)).toBe("contract_call");
    expect(classifyIntent(acts.slice(0, 1), true)).toBe("contract_call");
  });
});
