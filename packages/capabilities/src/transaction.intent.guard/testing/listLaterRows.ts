import { parseEther } from "viem";
import { approve, soon, usd, v2Swap } from "./intentCalls.js";
import { encode, type IntentWorld } from "./intentFixture.js";
import type { Row } from "./intentRow.js";

const MARKET = "(address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) m";
const exchange = (amount: bigint) => encode("exchange(uint256 a)", [amount]);
const call = { intent: "contract_call" } as const;

function listCalls({ devnet, alice, patient }: IntentWorld) {
  const { stablecoin, morpho, uniswapV2Router, plainToken, weth } = devnet.contracts;
  const { vault, desk, keeper } = patient;
  return {
    allow: (dollars: number) => ({ to: stablecoin, data: approve(vault, usd(dollars)) }),
    deposit: (dollars: number) => ({
      to: vault,
      data: encode("deposit(uint256 a, address r)", [usd(dollars), alice]),
    }),
    exchange: (dollars: number) => ({ to: desk, data: exchange(usd(dollars)) }),
    lend: (dollars: number) => ({
      to: morpho,
      data: encode(`supply(${MARKET}, uint256 a, uint256 s, address o, bytes d)`, [
        devnet.lendingMarket,
        usd(dollars),
        0n,
        alice,
        "0x",
      ]),
    }),
    join: (token: string, dollars: number, amount: bigint) => ({
      to: uniswapV2Router,
      data: encode(
        "addLiquidity(address a, address b, uint256 c, uint256 d, uint256 e, uint256 f, address t, uint256 g)",
        [stablecoin, token, usd(dollars), amount, 0n, 0n, alice, soon()],
      ),
    }),
    buy: (ether: string, least: string) => ({
      to: uniswapV2Router,
      data: v2Swap(parseEther(ether), parseEther(least), [weth, plainToken], alice),
    }),
    keep: (signature: string, args: readonly unknown[]) => ({ to: keeper, data: encode(signature, args) }),
    lets: (spender: string) => ({ to: stablecoin, data: approve(spender, usd(5000)) }),
  };
}

/** Code that behaves well in the simulation, and may not later. */
export function listHostileLaterRows(world: IntentWorld): Row[] {
  const { plainToken, morpho } = world.devnet.contracts;
  const { vault, desk } = world.patient;
  const make = listCalls(world);
  const review = { ...call, verdict: "review" } as const;
  return [
    {
      ...review,
      intent: "approve",
      name: "an allowance of more than a small sum for a patient vault",
      reasons: ["SPENDER_UNKNOWN"],
      transaction: make.allow(1000),
    },
    {
      ...review,
      name: "a large deposit in a patient vault",
      reasons: ["EXIT_UNASSURED"],
      before: [make.lets(vault)],
      transaction: make.deposit(2000),
    },
    {
      ...review,
      name: "a large trade at a desk that may close",
      reasons: ["RETURN_UNASSURED"],
      before: [make.lets(desk)],
      transaction: make.exchange(900),
    },
    {
      ...review,
      name: "much lent on an oracle that is not known",
      reasons: ["POSITION_ON_UNKNOWN"],
      before: [make.lets(morpho)],
      transaction: make.lend(3000),
    },
    {
      ...review,
      name: "much liquidity beside a token that is not known",
      reasons: ["POSITION_ON_UNKNOWN"],
      transaction: make.join(plainToken, 3000, parseEther("1500")),
    },
    {
      ...review,
      intent: "swap",
      name: "much for a token that is not known",
      reasons: ["BUYS_UNKNOWN_TOKEN"],
      transaction: make.buy("1", "1480"),
    },
    {
      ...review,
      name: "shares moved by a function that is not known",
      reasons: ["STRANGER_NAMED"],
      transaction: make.keep("move(address a, uint256 b)", [world.bob, usd(1000)]),
    },
    {
      ...review,
      name: "an operator named by a function that is not known",
      reasons: ["STRANGER_NAMED"],
      transaction: make.keep("authorizeOperator(address a)", [world.bob]),
    },
  ];
}

/** The same with small sums, with published parts, or without anybody else. */
export function listSafeLaterRows(world: IntentWorld): Row[] {
  const { weth, plainToken, morpho } = world.devnet.contracts;
  const { vault, desk } = world.patient;
  const make = listCalls(world);
  const allow = { ...call, verdict: "allow" } as const;
  return [
    {
      ...allow,
      intent: "approve",
      name: "a small allowance for a vault",
      reasons: ["APPROVAL_TO_VAULT"],
      transaction: make.allow(90),
    },
    {
      ...allow,
      name: "a small deposit in a vault",
      reasons: ["EXIT_MEASURED"],
      before: [make.lets(vault)],
      transaction: make.deposit(90),
    },
    {
      ...allow,
      name: "a small trade at a desk",
      reasons: ["BALANCED_RETURN"],
      before: [make.lets(desk)],
      transaction: make.exchange(60),
    },
    {
      ...allow,
      name: "little lent",
      reasons: ["DEPOSIT_AT_KNOWN_PARTY"],
      before: [make.lets(morpho)],
      transaction: make.lend(100),
    },
    {
      ...allow,
      name: "much liquidity of known tokens",
      reasons: ["RETURN_AT_KNOWN_PARTY"],
      transaction: make.join(weth, 3000, parseEther("1")),
    },
    {
      ...allow,
      name: "little liquidity beside a token that is not known",
      reasons: ["RETURN_AT_KNOWN_PARTY"],
      transaction: make.join(plainToken, 60, parseEther("30")),
    },
    {
      ...allow,
      intent: "swap",
      name: "little for a token that is not known",
      reasons: ["SWAP_RETURNS"],
      transaction: make.buy("0.01", "14.8"),
    },
    {
      ...allow,
      name: "a view-like function that is not known and names nobody",
      reasons: ["UNKNOWN_FUNCTION"],
      transaction: make.keep("pickChoice(uint256 a)", [7n]),
    },
    {
      ...allow,
      name: "a view-like function that is not known and names the sender",
      reasons: ["UNKNOWN_FUNCTION"],
      transaction: make.keep("enrollMember(address a)", [world.alice]),
    },
  ];
}
