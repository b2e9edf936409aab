import { parseEther } from "viem";
import { FAR, multicall, soon, TAKER, usd, v2Swap, v3Swap } from "./intentCalls.js";
import { encode, type IntentWorld } from "./intentFixture.js";
import type { Row } from "./intentRow.js";

const ROUTER = "0x0000000000000000000000000000000000000002";

/** Swaps that lose what they need not. */
export function listHostileSwapRows(world: IntentWorld): Row[] {
  return [
    ...listWrongRecipients(world),
    ...listLooseLimits(world),
    ...listTraps(world),
    ...listHelpersElsewhere(),
  ];
}

function listWrongRecipients({ devnet, alice, bob, drainer }: IntentWorld): Row[] {
  const { stablecoin, weth, uniswapV2Router, swapRouter02 } = devnet.contracts;
  const swap = { intent: "swap", verdict: "block" } as const;
  return [
    {
      ...swap,
      name: "a router that keeps everything",
      reasons: ["SWAP_RETURNS_NOTHING", "SWAP_ROUTER_UNKNOWN"],
      transaction: { to: drainer, data: v2Swap(usd(100), 1n, [stablecoin, weth], alice) },
    },
    {
      ...swap,
      name: "V2: output to somebody else",
      reasons: ["SWAP_RETURNS_NOTHING", "RECIPIENT_NOT_SENDER"],
      transaction: {
        to: uniswapV2Router,
        data: v2Swap(usd(300), parseEther("0.0986"), [stablecoin, weth], bob),
      },
    },
    {
      ...swap,
      name: "V3: output to somebody else",
      reasons: ["SWAP_RETURNS_NOTHING", "RECIPIENT_NOT_SENDER"],
      transaction: { to: swapRouter02, data: v3Swap(stablecoin, weth, 500, bob, usd(90)) },
    },
    {
      ...swap,
      name: "V3: unwrapped for somebody else",
      reasons: ["SWAP_RETURNS_NOTHING", "RECIPIENT_NOT_SENDER"],
      transaction: {
        to: swapRouter02,
        data: multicall([
          v3Swap(stablecoin, weth, 500, ROUTER, usd(90)),
          encode("unwrapWETH9(uint256 m, address to)", [1n, bob]),
        ]),
      },
    },
    {
      ...swap,
      name: "V3: output left with the router",
      reasons: ["SWAP_RETURNS_NOTHING", "OUTPUT_UNREACHABLE"],
      transaction: { to: swapRouter02, data: v3Swap(stablecoin, weth, 500, ROUTER, usd(90)) },
    },
    {
      ...swap,
      name: "V3: ether left with the router beside a swap of dollars",
      reasons: ["FUNDS_LEFT_IN_ROUTER", "LIMIT_WITHIN_TOLERANCE"],
      transaction: {
        to: swapRouter02,
        value: parseEther("5"),
        data: v3Swap(stablecoin, weth, 500, alice, usd(90), parseEther("0.0297")),
      },
    },
    {
      ...swap,
      name: "V3: what ether is left over is not asked back",
      reasons: ["FUNDS_LEFT_IN_ROUTER", "LIMIT_WITHIN_TOLERANCE"],
      transaction: {
        to: swapRouter02,
        value: parseEther("2"),
        data: v3Swap(weth, stablecoin, 500, alice, parseEther("1"), usd(2970)),
      },
    },
  ];
}

function listLooseLimits({ devnet, alice }: IntentWorld): Row[] {
  const { stablecoin, plainToken, weth, uniswapV2Router: to, swapRouter02, multicall3 } = devnet.contracts;
  const swap = { intent: "swap", verdict: "block" } as const;
  const fair = [usd(300), parseEther("0.0986"), [stablecoin, weth], alice] as const;
  const exactOut = (most: bigint) =>
    encode("swapTokensForExactTokens(uint256 o, uint256 i, address[] path, address to, uint256 d)", [
      parseEther("5"),
      most,
      [stablecoin, plainToken],
      alice,
      soon(),
    ]);
  const etherIn = encode("swapExactETHForTokens(uint256 m, address[] path, address to, uint256 d)", [
    1n,
    [weth, stablecoin],
    alice,
    soon(),
  ]);
  return [
    {
      ...swap,
      name: "V2: any output will do",
      reasons: ["MIN_OUT_ZERO"],
      transaction: { to, data: v2Swap(usd(100), 0n, [stablecoin, plainToken], alice) },
    },
    {
      ...swap,
      name: "V2: a minimum of one unit",
      reasons: ["MIN_OUT_NEGLIGIBLE"],
      transaction: { to, data: v2Swap(usd(100), 1n, [stablecoin, plainToken], alice) },
    },
    {
      ...swap,
      name: "V3: a minimum of one unit",
      reasons: ["MIN_OUT_NEGLIGIBLE"],
      transaction: { to: swapRouter02, data: v3Swap(stablecoin, weth, 500, alice, usd(90)) },
    },
    {
      ...swap,
      name: "V2: a minimum a tenth below",
      verdict: "review",
      reasons: ["MIN_OUT_BELOW_TOLERANCE"],
      transaction: { to, data: v2Swap(usd(300), parseEther("0.09"), [stablecoin, weth], alice) },
    },
    {
      ...swap,
      name: "V2: exact output for any price",
      reasons: ["MAX_IN_UNBOUNDED"],
      transaction: { to, data: exactOut(usd(1000)) },
    },
    {
      ...swap,
      name: "V2: good for years",
      verdict: "review",
      reasons: ["DEADLINE_FAR", "LIMIT_WITHIN_TOLERANCE"],
      transaction: { to, data: v2Swap(...fair, FAR) },
    },
    {
      ...swap,
      name: "V2: too late",
      reasons: ["DEADLINE_PASSED", "TX_REVERTS"],
      transaction: { to, data: v2Swap(...fair, 1_700_000_000n) },
    },
    {
      ...swap,
      name: "V2: so much that the price gives way",
      reasons: ["PRICE_IMPACT_SEVERE"],
      transaction: { to, data: v2Swap(usd(900_000), parseEther("225"), [stablecoin, weth], alice) },
    },
    {
      ...swap,
      name: "V2: a minimum nobody pays",
      reasons: ["TX_REVERTS"],
      transaction: { to, data: v2Swap(usd(100), parseEther("1000"), [stablecoin, weth], alice) },
    },
    {
      ...swap,
      verdict: "block",
      name: "a loose swap inside Multicall3",
      reasons: ["SWAP_RETURNS", "MIN_OUT_NEGLIGIBLE"],
      transaction: {
        to: multicall3,
        value: parseEther("1"),
        data: encode(
          "aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)",
          [[{ target: to, allowFailure: false, value: parseEther("1"), callData: etherIn }]],
        ),
      },
    },
    {
      ...swap,
      verdict: "block",
      name: "V3: two loose swaps at once",
      reasons: ["SWAP_RETURNS", "MIN_OUT_NEGLIGIBLE"],
      transaction: {
        to: swapRouter02,
        data: multicall([
          v3Swap(stablecoin, weth, 500, alice, usd(90)),
          v3Swap(stablecoin, weth, 500, alice, usd(50)),
        ]),
      },
    },
  ];
}

/** What is bought cannot be sold again. */
function listTraps({ devnet, alice, trapToken }: IntentWorld): Row[] {
  const { weth, honeypotToken, uniswapV2Router, swapRouter02 } = devnet.contracts;
  const trap = {
    intent: "swap",
    verdict: "block",
    reasons: ["LIMIT_WITHIN_TOLERANCE", "BOUGHT_TOKEN_NOT_SELLABLE"],
  } as const;
  return [
    {
      ...trap,
      name: "V2: a token that cannot be sold, for wrapped ether",
      transaction: {
        to: uniswapV2Router,
        data: v2Swap(parseEther("0.1"), parseEther("985"), [weth, honeypotToken], alice),
      },
    },
    {
      ...trap,
      name: "V2: a token that cannot be sold, for ether",
      transaction: {
        to: uniswapV2Router,
        value: parseEther("0.1"),
        data: encode("swapExactETHForTokens(uint256 m, address[] path, address to, uint256 d)", [
          parseEther("985"),
          [weth, honeypotToken],
          alice,
          soon(),
        ]),
      },
    },
    {
      ...trap,
      name: "V3: a token that cannot be sold, for wrapped ether",
      transaction: {
        to: swapRouter02,
        data: v3Swap(weth, trapToken, 3000, alice, parseEther("0.1"), parseEther("0.098")),
      },
    },
    {
      ...trap,
      name: "V3: a token that cannot be sold, for ether",
      transaction: {
        to: swapRouter02,
        value: parseEther("0.1"),
        data: v3Swap(weth, trapToken, 3000, alice, parseEther("0.1"), parseEther("0.098")),
      },
    },
  ];
}

/** What stands beside swaps on a router means nothing elsewhere. */
function listHelpersElsewhere(): Row[] {
  const helpers = {
    "refundETH()": encode("refundETH()"),
    "sweepToken(address,uint256,address)": encode("sweepToken(address t, uint256 m, address to)", [
      TAKER,
      0n,
      TAKER,
    ]),
    "unwrapWETH9(uint256,address)": encode("unwrapWETH9(uint256 m, address to)", [0n, TAKER]),
    "unwrapWETH9(uint256)": encode("unwrapWETH9(uint256 m)", [0n]),
    "wrapETH(uint256)": encode("wrapETH(uint256 v)", [1n]),
  };
  return Object.entries(helpers).map(
    ([name, data]): Row => ({
      name: `${name} of an unknown contract, with ether`,
      intent: "contract_call",
      verdict: "block",
      reasons: ["TX_EXECUTES"],
      transaction: { to: TAKER, data, value: parseEther("1") },
    }),
  );
}
