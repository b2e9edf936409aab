import { createRequire } from "node:module";
import type { Hex } from "@assay/protocol";
import { keccak256, maxUint256, parseEther } from "viem";
import { type Artifact, encode, sample } from "../accuracy/accuracyWorld.js";
import { approve, usd } from "../accuracy/caseTools.js";
import { USDC, WETH } from "../accuracy/setUp.js";
import * as make from "./documents.js";
import type { MessageCase } from "./messageCase.js";
import type { MessageWorld } from "./messageWorld.js";
import * as orders from "./orderDocuments.js";
import { collect, type TableRow } from "./rowTools.js";
import { placeOrder } from "./termRows.js";

const require = createRequire(import.meta.url);
const MINT =
  "mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline) params)";
const ADD =
  "increaseLiquidity((uint256 tokenId, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params)";
const CREATE =
  "createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96)";
/** Of ticks that any of the pools' fees allows. */
const EDGE = 887_200;

export interface PositionWorld extends MessageWorld {
  /** Of alice, given to her by a thief, in a pool of the thief's own token. */
  readonly gift: bigint;
  /** A position manager that nobody published, and alice's position there. */
  readonly fork: Hex;
}

interface Deposit {
  readonly token0: Hex;
  readonly token1: Hex;
  readonly fee: number;
  readonly range: readonly [number, number];
  readonly amounts: readonly [bigint, bigint];
  readonly recipient: Hex;
}
const mint = ({ token0, token1, fee, range, amounts, recipient }: Deposit): Hex =>
  encode(MINT, [
    {
      token0,
      token1,
      fee,
      tickLower: range[0],
      tickUpper: range[1],
      amount0Desired: amounts[0],
      amount1Desired: amounts[1],
      amount0Min: 0n,
      amount1Min: 0n,
      recipient,
      deadline: make.soon(),
    },
  ]);
const add = (tokenId: bigint, amounts: readonly [bigint, bigint]): Hex =>
  encode(ADD, [
    {
      tokenId,
      amount0Desired: amounts[0],
      amount1Desired: amounts[1],
      amount0Min: 0n,
      amount1Min: 0n,
      deadline: make.soon(),
    },
  ]);

/** Puts the amount of wrapped ether on the side on which it stands in a pool with the other token. */
const ofEther = (other: Hex, amount: bigint): readonly [bigint, bigint] =>
  BigInt(WETH) < BigInt(other) ? [amount, 0n] : [0n, amount];

export async function preparePositions(messages: MessageWorld): Promise<PositionWorld> {
  const { world, alice, oldThief: thief } = messages;
  const { devnet, send, view, deploy } = world;
  const manager = devnet.contracts.positionManager as Hex;
  const coin = await deploy(sample("SamplePermitToken"), [thief]);
  const [token0, token1] = BigInt(coin) < BigInt(WETH) ? [coin, WETH] : [WETH, coin];
  await send({ from: thief, to: WETH, data: encode("deposit()"), value: parseEther("1") });
  await send({ from: thief, to: WETH, data: approve(manager, maxUint256) });
  await send({ from: thief, to: manager, data: encode(CREATE, [token0, token1, 3000, 2n ** 96n]) });
  const range = token0 === WETH ? ([60, 60_000] as const) : ([-60_000, -60] as const);
  const amounts = ofEther(coin, parseEther("0.01"));
  await send({
    from: thief,
    to: manager,
    data: mint({ token0, token1, fee: 3000, range, amounts, recipient: alice }),
  });
  const [first, held] = await Promise.all(
    ["0x0", "0x1"].map((index) =>
      view(manager, "tokenOfOwnerByIndex(address o, uint256 i) view returns (uint256)", [
        alice,
        BigInt(index),
      ]),
    ),
  );
  const gift = BigInt(held ?? first ?? "0x0");
  const published =
    "@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json";
  const fork = await deploy(require(published) as Artifact, [
    devnet.contracts.uniswapV3Factory,
    WETH,
    make.ZERO,
  ]);
  return { ...messages, gift, fork };
}

/** The rows as messages of the campaign: who signs what is no `allow` loses by it. */
export const listPositionMessages = (world: PositionWorld): MessageCase[] =>
  listPositionRows(world).map(({ name, verdict, input }) => ({
    name,
    group: verdict === "allow" ? "honest" : "hostile",
    kind: "calls" in input ? "calls.position" : "personalMessage" in input ? "text" : "position.order",
    input,
  }));

/** Opens a position of all prices in a pool that the same call creates, with ten ether and as many dollars. */
export function openInNewPool({ world, alice }: MessageWorld, root: bigint): { to: Hex; data: Hex } {
  const pool = { token0: WETH, token1: USDC, fee: 10_000 };
  const calls = [
    encode(CREATE, [WETH, USDC, pool.fee, root]),
    mint({ ...pool, range: [-EDGE, EDGE], amounts: [parseEther("10"), usd(30_000)], recipient: alice }),
  ];
  const data = encode("multicall(bytes[] data)", [calls]);
  return { to: world.devnet.contracts.positionManager as Hex, data };
}
/** Root of the price of a unit of ether in units of dollars, times 2^96, at 3,000 dollars. */
export const FAIR_ROOT = 4_339_505_179_874_779_489_431_521n;

/** Positions are worth what their pools make of them. */
export function listPositionRows(world: PositionWorld): TableRow[] {
  const { alice, setup, gift, fork, collection } = world;
  const manager = world.world.devnet.contracts.positionManager as Hex;
  const open = (root: bigint) => ({ calls: [openInNewPool(world, root)] });
  return collect(alice, (put) => {
    put("review", "POSITION_ON_UNKNOWN", "ether for a position that was given to the signer", {
      calls: [{ to: manager, data: add(gift, ofEther(fork, parseEther("5"))) }],
    });
    const returns = ["allow", "DEPOSIT_AT_KNOWN_PARTY"] as const;
    put(...returns, "more for the signer's own position", {
      calls: [{ to: manager, data: add(setup.position, [parseEther("0.1"), usd(300)]) }],
    });
    put("block", "VALUE_LOST", "a position in a pool of a price of its own", open(FAIR_ROOT / 10_000n));
    put("review", "VALUE_REDUCED", "a position at half of the price", open((FAIR_ROOT * 7n) / 10n));
    const order = (token: Hex, id: bigint) =>
      orders.seaportOrder(alice, [orders.nftItem(token, id)], [orders.tokenItem(USDC, usd(20), alice)]);
    put("review", "RECEIPT_SOLD", "a position of an unpublished fork", { typedData: order(fork, 1n) });
    put("allow", "UNPRICED_SOLD", "a picture for as much", { typedData: order(collection, 1n) });
    const placed = (token: Hex) =>
      placeOrder(alice, orders.nftItem(token, 1n), orders.tokenItem(USDC, usd(20), alice));
    put("review", "RETURN_UNVALUED", "a placed order of a position", placed(manager));
    put("review", "RETURN_UNVALUED", "a placed order of a fork's position", placed(fork));
    put("allow", "NO_LOSS_MEASURED", "a placed order of a picture", placed(collection));
    const swap = {
      tokenIn: USDC,
      amountIn: usd(3000),
      tokenOut: WETH,
      amountOut: parseEther("0.99"),
      recipient: alice,
      swapper: alice,
    };
    const inside = orders.cowOrder(swap);
    put("review", "PROCEEDS_INSIDE_VAULT", "an order that pays into a vault", {
      typedData: { ...inside, message: { ...inside.message, buyTokenBalance: "internal" } },
    });
    const says = (verdict: TableRow["verdict"], code: string, text: string) =>
      put(verdict, code, text, { personalMessage: text });
    says("review", "TEXT_NOT_UNDERSTOOD", "By signing I verify that this wallet's owner is you.");
    says("review", "TEXT_NOT_UNDERSTOOD", "I confirm that user 0451 is the owner of this account.");
    says("block", "HASH_HIDES_CONTENT", `Login ${keccak256("0x01")}`);
    says("allow", "TEXT_READABLE", "Please sign to verify that you own this wallet. Nonce: 8812733");
  });
}
