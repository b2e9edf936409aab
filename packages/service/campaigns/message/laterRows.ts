import type { Hex } from "@assay/protocol";
import { maxUint256, parseEther } from "viem";
import { encode, sample } from "../accuracy/accuracyWorld.js";
import { approve, soon, transfer, usd } from "../accuracy/caseTools.js";
import { USDC, WETH } from "../accuracy/setUp.js";
import * as make from "./documents.js";
import type { MessageWorld } from "./messageWorld.js";
import * as orders from "./orderDocuments.js";
import { collect, type TableRow } from "./rowTools.js";

/** An account with twenty-five dollars. */
const MODEST: Hex = "0x00000000000000000000000000000000a11ce0b7";
const MARKET = "(address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) m";

/** Contracts that behave well today, and what stands on them. */
export interface LaterWorld extends MessageWorld {
  /** A vault whose owner may take allowances and deposits. */
  readonly vault: Hex;
  /** A desk whose owner may close it. Alice traded 1,500 dollars with it, which went to its owner. */
  readonly desk: Hex;
  readonly deskOwner: Hex;
  /** A contract that keeps something for each caller which no balance shows. */
  readonly keeper: Hex;
  /** A market of Morpho whose oracle and collateral are somebody's own. */
  readonly ownMarket: object;
}

export async function prepareLater(messages: MessageWorld): Promise<LaterWorld> {
  const { world, alice } = messages;
  const { devnet, deploy, send } = world;
  const { morpho, plainToken } = devnet.contracts;
  const deskOwner: Hex = "0x00000000000000000000000000000000de5c0001";
  const vault = await deploy(sample("PatientVault"), [USDC, deskOwner]);
  const desk = await deploy(sample("PatientDesk"), [USDC, WETH, deskOwner]);
  const keeper = await deploy(sample("PlainKeeper"));
  const oracle = await deploy(sample("OracleMock"));
  const ownMarket = { ...devnet.lendingMarket, collateralToken: plainToken, oracle };
  await send({ to: morpho as Hex, data: encode(`createMarket(${MARKET})`, [ownMarket]) });
  await send({ from: alice, to: WETH, data: transfer(desk, parseEther("50")) });
  for (const spender of [vault, desk])
    await send({ from: alice, to: USDC, data: approve(spender, maxUint256) });
  await send({ from: alice, to: desk, data: encode("exchange(uint256 a)", [usd(1500)]) });
  await send({ from: alice, to: USDC, data: transfer(MODEST, usd(25)) });
  await devnet.mine();
  const aliceNonce = Number(await devnet.request<Hex>("eth_getTransactionCount", [alice, "latest"]));
  return { ...messages, aliceNonce, vault, desk, deskOwner, keeper, ownMarket };
}

/** What unknown code does in a simulation says nothing about later, so only small sums are trusted to it. */
export function listLaterRows(later: LaterWorld): TableRow[] {
  return [
    ...listPatientRows(later),
    ...listMarketRows(later),
    ...listPoolRows(later),
    ...listKeeperRows(later),
    ...listLossRows(later),
  ];
}

function listPatientRows({ alice, vault, desk, deskOwner, oldThief }: LaterWorld): TableRow[] {
  const rows = collect(alice, (add) => {
    const call = (verdict: TableRow["verdict"], code: string, name: string, to: Hex, data: Hex) =>
      add(verdict, code, name, { calls: [{ to, data }] });
    const deposit = (amount: bigint) => encode("deposit(uint256 a, address r)", [amount, alice]);
    const exchange = (amount: bigint) => encode("exchange(uint256 a)", [amount]);
    const unknown = ["review", "SPENDER_UNKNOWN"] as const;
    call(...unknown, "much for a patient vault", USDC, approve(vault, usd(1000)));
    call(...unknown, "one dollar more than a small sum for it", USDC, approve(vault, usd(101)));
    call(...unknown, "ether for it", WETH, approve(vault, parseEther("0.9")));
    add(...unknown, "much for it through Permit2", {
      typedData: make.permitTransfer(USDC, usd(5900), vault),
    });
    call("allow", "APPROVAL_TO_VAULT", "little for it", USDC, approve(vault, usd(90)));
    call("review", "EXIT_UNASSURED", "a large deposit in it", vault, deposit(usd(2000)));
    call("allow", "EXIT_MEASURED", "a small deposit in it", vault, deposit(usd(90)));
    call("review", "RETURN_UNASSURED", "a large trade at a desk that may close", desk, exchange(usd(900)));
    call("allow", "BALANCED_RETURN", "a small trade at it", desk, exchange(usd(60)));
    // The trade with the desk paid its owner 1,500 dollars, for which ether came.
    add("review", "LARGE_PAYMENT", "a payment to one who was only traded with", {
      typedData: make.payment(alice, deskOwner, usd(4400), 81),
    });
    add("allow", "SMALL_PAYMENT", "a small payment to him", {
      typedData: make.payment(alice, oldThief, usd(44), 82),
    });
  });
  const modest = collect(MODEST, (add) => {
    add("allow", "SMALL_PAYMENT", "most of a small sum to an account in use", {
      typedData: make.payment(MODEST, oldThief, usd(20), 83),
    });
    add("review", "MOST_TO_NEW_ACCOUNT", "most of a small sum to an account that was never used", {
      typedData: make.payment(MODEST, deskOwner, usd(20), 84),
    });
  });
  return [...rows, ...modest];
}

/** Anybody may open a market of Morpho with an oracle that says what they like. */
function listMarketRows({ world, alice, ownMarket }: LaterWorld): TableRow[] {
  const morpho = world.devnet.contracts.morpho as Hex;
  const supply = (market: object, amount: bigint) => ({
    to: morpho,
    data: encode(`supply(${MARKET}, uint256 a, uint256 s, address o, bytes d)`, [
      market,
      amount,
      0n,
      alice,
      "0x",
    ]),
  });
  const collateral = {
    to: morpho,
    data: encode(`supplyCollateral(${MARKET}, uint256 a, address o, bytes d)`, [
      world.devnet.lendingMarket,
      parseEther("1"),
      alice,
      "0x",
    ]),
  };
  const { lendingMarket } = world.devnet;
  return collect(alice, (add) => {
    const unknown = ["review", "POSITION_ON_UNKNOWN"] as const;
    const known = ["allow", "DEPOSIT_AT_KNOWN_PARTY"] as const;
    add(...unknown, "much lent in a market of one's own", { calls: [supply(ownMarket, usd(3000))] });
    add(...unknown, "much lent on an oracle that is not known", {
      calls: [supply(lendingMarket, usd(3000))],
    });
    add(...known, "little lent", { calls: [supply(lendingMarket, usd(100))] });
    add(...known, "an approval, and little lent", {
      calls: [{ to: USDC, data: approve(morpho, usd(100)) }, supply(lendingMarket, usd(100))],
    });
    add(...known, "collateral, which no oracle takes without a debt", { calls: [collateral] });
  });
}

function listPoolRows({ world, alice }: LaterWorld): TableRow[] {
  const { uniswapV2Router, positionManager, plainToken } = world.devnet.contracts;
  const [router, manager, plain] = [uniswapV2Router, positionManager, plainToken] as [Hex, Hex, Hex];
  const add2 = (token: Hex, dollars: number, amount: bigint) => ({
    to: router,
    data: encode(
      "addLiquidity(address a, address b, uint256 c, uint256 d, uint256 e, uint256 f, address t, uint256 g)",
      [USDC, token, usd(dollars), amount, 0n, 0n, alice, soon()],
    ),
  });
  const swap = (dollars: number) => ({
    to: router,
    data: encode("swapExactTokensForTokens(uint256 a, uint256 m, address[] p, address t, uint256 d)", [
      usd(dollars),
      // Two dollars a token, less the fees of two pools and the price that a large swap moves.
      (parseEther(dollars.toString()) * 490n) / 1000n,
      [USDC, WETH, plain],
      alice,
      soon(),
    ]),
  });
  const mint = (dollars: number) => ({
    to: manager,
    data: encode(
      "mint((address t0, address t1, uint24 f, int24 l, int24 u, uint256 a, uint256 b, uint256 c, uint256 d, address r, uint256 e) p)",
      [
        {
          t0: WETH,
          t1: USDC,
          f: 500,
          l: -887_270,
          u: 887_270,
          a: parseEther((dollars / 3000).toString()),
          b: usd(dollars),
          c: 0n,
          d: 0n,
          r: alice,
          e: soon(),
        },
      ],
    ),
  });
  return collect(alice, (add) => {
    const returns = ["allow", "RETURN_AT_KNOWN_PARTY"] as const;
    add("review", "POSITION_ON_UNKNOWN", "much beside a token that is not known", {
      calls: [add2(plain, 3000, parseEther("1500"))],
    });
    add(...returns, "little beside it", { calls: [add2(plain, 60, parseEther("30"))] });
    add(...returns, "much beside ether", { calls: [add2(WETH, 3000, parseEther("1"))] });
    add(...returns, "a large position of known tokens", { calls: [mint(3000)] });
    add("review", "BUYS_UNKNOWN_TOKEN", "much for a token that is not known", { calls: [swap(900)] });
    add("allow", "SWAP_RETURNS", "little for such a token", { calls: [swap(25)] });
    add("allow", "SWAP_RETURNS", "an approval, and little for such a token", {
      calls: [{ to: USDC, data: approve(router, usd(25)) }, swap(25)],
    });
  });
}

/** Functions of any name, at a contract whose storage nobody can read. */
function listKeeperRows({ alice, oldThief, thief, keeper }: LaterWorld): TableRow[] {
  return collect(alice, (add) => {
    const call = (verdict: TableRow["verdict"], code: string, signature: string, args: unknown[]) =>
      add(verdict, code, `${signature} ${args.join(" ")}`, {
        calls: [{ to: keeper, data: encode(signature, args) }],
      });
    const named = ["review", "STRANGER_NAMED"] as const;
    for (const name of [
      "authorizeOperator",
      "setRecovery",
      "addSigner",
      "setBeneficiary",
      "setWithdrawalAddress",
      "registerKey",
    ]) {
      call(...named, `${name}(address a)`, [thief]);
      call(...named, `${name}(address a)`, [oldThief]);
    }
    call(...named, "move(address a, uint256 b)", [oldThief, usd(1000)]);
    call(...named, "createFlow(address a, uint256 b)", [oldThief, 1n]);
    call(...named, "transferShares(address a, uint256 b)", [oldThief, 1000n]);
    call(...named, "runLater(bytes a)", [transfer(oldThief, 1n)]);
    const harmless = ["allow", "UNKNOWN_FUNCTION"] as const;
    call(...harmless, "checkInToday()", []);
    call(...harmless, "pickChoice(uint256 a)", [7n]);
    call(...harmless, "enrollMember(address a)", [alice]);
    call(...harmless, "followAsset(address a, uint256 b)", [USDC, 1n]);
    call(...harmless, "writeText(string a)", ["a text of more than thirty-two bytes, which is no address"]);
  });
}

/** A loss is bounded by dollars as well as by a share. */
function listLossRows({ alice }: LaterWorld): TableRow[] {
  return collect(alice, (add) => {
    const order = (verdict: TableRow["verdict"], code: string, dollars: number, ether: string) =>
      add(verdict, code, `${dollars} dollars for ${ether} ether`, {
        typedData: orders.seaportOrder(
          alice,
          [orders.tokenItem(USDC, usd(dollars))],
          [orders.etherItem(parseEther(ether), alice)],
        ),
      });
    const reduced = ["review", "VALUE_REDUCED"] as const;
    order(...reduced, 500_000, "150.166666");
    order(...reduced, 3000, "0.94");
    order(...reduced, 90_000, "29.9");
    order("allow", "BALANCED_RETURN", 3000, "0.96");
    order("allow", "BALANCED_RETURN", 90_000, "29.95");
  });
}
