import { encodePacked, parseEther } from "viem";
import {
  aggregate,
  approve,
  execTransaction,
  execute,
  multicall,
  STRANGER,
  setApprovalForAll,
  soon,
  transfer,
  transferFrom,
  usd,
  v2Swap,
  v3Swap,
} from "./intentCalls.js";
import { encode, type IntentWorld } from "./intentFixture.js";
import type { Row } from "./intentRow.js";

/** Calls that nobody need fear. */
export function listSafeRows(world: IntentWorld): Row[] {
  return [...listSafeTransfers(world), ...listSafeApprovals(world), ...listSafeCalls(world)];
}

function listSafeTransfers({ devnet, alice, bob, safe }: IntentWorld): Row[] {
  const { stablecoin, plainToken, weth, erc721, erc1155, wallet1271, multicall3 } = devnet.contracts;
  const plain = { intent: "transfer", verdict: "allow", reasons: ["TX_EXECUTES", "PLAIN_TRANSFER"] } as const;
  return [
    { ...plain, name: "ether to an account", transaction: { to: bob, value: parseEther("1") } },
    {
      ...plain,
      name: "ether to a contract that takes it",
      verdict: "review",
      reasons: ["TX_EXECUTES", "RECIPIENT_IS_CONTRACT"],
      transaction: { to: wallet1271, value: 1n },
    },
    { ...plain, name: "dollars to an account", transaction: { to: stablecoin, data: transfer(bob, usd(5)) } },
    {
      ...plain,
      name: "a plain token",
      transaction: { to: plainToken, data: transfer(bob, parseEther("3")) },
    },
    { ...plain, name: "wrapped ether", transaction: { to: weth, data: transfer(bob, parseEther("1")) } },
    {
      ...plain,
      name: "dollars to a contract",
      verdict: "review",
      reasons: ["RECIPIENT_IS_CONTRACT"],
      transaction: { to: stablecoin, data: transfer(safe, 1n) },
    },
    {
      ...plain,
      name: "dollars to bob, who was paid before",
      reasons: ["PAYS_KNOWN_RECIPIENT"],
      before: [{ to: stablecoin, data: transfer(bob, usd(2)) }],
      transaction: { to: stablecoin, data: transfer(bob, usd(6)) },
    },
    {
      ...plain,
      name: "dollars to bob, who was paid less before",
      reasons: ["PAYS_MORE_THAN_BEFORE"],
      before: [{ to: stablecoin, data: transfer(bob, usd(2)) }],
      transaction: { to: stablecoin, data: transfer(bob, usd(7)) },
    },
    {
      ...plain,
      name: "dollars that bob allows to take",
      reasons: ["TAKES_ALLOWANCE"],
      before: [{ from: bob, to: stablecoin, data: approve(alice, usd(10)) }],
      transaction: { to: stablecoin, data: transferFrom(bob, alice, usd(10)) },
    },
    {
      ...plain,
      name: "a collectible, safely",
      transaction: {
        to: erc721,
        data: encode("safeTransferFrom(address from, address to, uint256 id)", [alice, bob, 1n]),
      },
    },
    {
      ...plain,
      name: "a collectible by transferFrom",
      transaction: { to: erc721, data: transferFrom(alice, bob, 1n) },
    },
    {
      ...plain,
      name: "some of an ERC-1155 item",
      transaction: {
        to: erc1155,
        data: encode("safeTransferFrom(address a, address b, uint256 id, uint256 n, bytes d)", [
          alice,
          bob,
          1n,
          10n,
          "0x",
        ]),
      },
    },
    {
      ...plain,
      name: "an ERC-1155 batch",
      transaction: {
        to: erc1155,
        data: encode("safeBatchTransferFrom(address a, address b, uint256[] ids, uint256[] n, bytes d)", [
          alice,
          bob,
          [1n],
          [7n],
          "0x",
        ]),
      },
    },
    {
      ...plain,
      name: "dollars of a wallet contract",
      verdict: "allow",
      reasons: ["PLAIN_TRANSFER"],
      transaction: { to: wallet1271, data: execute(stablecoin, transfer(bob, usd(1))) },
    },
    {
      ...plain,
      name: "ether of a Safe",
      verdict: "allow",
      reasons: ["PLAIN_TRANSFER"],
      transaction: { to: safe, data: execTransaction(bob, "0x", 0, 1000n) },
    },
    {
      ...plain,
      name: "dollars of a Safe",
      verdict: "allow",
      reasons: ["PLAIN_TRANSFER"],
      transaction: { to: safe, data: execTransaction(stablecoin, transfer(bob, usd(1))) },
    },
    {
      ...plain,
      name: "own dollars through Multicall3",
      before: [{ to: stablecoin, data: approve(multicall3, usd(2)) }],
      transaction: { to: multicall3, data: aggregate([[stablecoin, transferFrom(alice, bob, usd(2))]]) },
    },
  ];
}

function listSafeApprovals({ devnet, safe }: IntentWorld): Row[] {
  const { stablecoin, plainToken, uniswapV2Router, swapRouter02, erc721, erc1155 } = devnet.contracts;
  const exact = { intent: "approve", verdict: "allow", reasons: ["TX_EXECUTES", "EXACT_APPROVAL"] } as const;
  const revoked = {
    intent: "approve",
    verdict: "allow",
    reasons: ["TX_EXECUTES", "APPROVAL_REVOKED"],
  } as const;
  return [
    {
      ...exact,
      name: "exact approval of dollars to a router",
      transaction: { to: stablecoin, data: approve(uniswapV2Router, usd(100)) },
    },
    {
      ...exact,
      name: "exact approval of a plain token to SwapRouter02",
      transaction: { to: plainToken, data: approve(swapRouter02, parseEther("10")) },
    },
    {
      ...exact,
      name: "approval of one collectible to a contract",
      verdict: "review",
      reasons: ["TX_EXECUTES", "SPENDER_UNKNOWN"],
      transaction: { to: erc721, data: approve(safe, 1n) },
    },
    {
      ...revoked,
      name: "allowance of an account back to zero",
      transaction: { to: stablecoin, data: approve(STRANGER, 0n) },
    },
    {
      ...revoked,
      name: "operator dismissed",
      transaction: { to: erc721, data: setApprovalForAll(STRANGER, false) },
    },
    {
      ...revoked,
      name: "operator of items dismissed",
      transaction: { to: erc1155, data: setApprovalForAll(STRANGER, false) },
    },
  ];
}

function listSafeCalls({ devnet, alice }: IntentWorld): Row[] {
  const { stablecoin, plainToken, weth, uniswapV2Router, swapRouter02, uupsProxy, transparentProxy } =
    devnet.contracts;
  const swap = {
    intent: "swap",
    verdict: "allow",
    reasons: ["TX_EXECUTES", "SWAP_RETURNS", "LIMIT_WITHIN_TOLERANCE"],
  } as const;
  const call = { intent: "contract_call", verdict: "allow", reasons: ["TX_EXECUTES"] } as const;
  const minimum = [usd(2950), [weth, stablecoin], alice, soon()] as const;
  const path = encodePacked(
    ["address", "uint24", "address", "uint24", "address"],
    [plainToken, 3000, weth, 500, stablecoin],
  );
  return [
    {
      ...swap,
      name: "V2: dollars for a plain token",
      transaction: {
        to: uniswapV2Router,
        data: v2Swap(usd(100), parseEther("49.4"), [stablecoin, plainToken], alice),
      },
    },
    {
      ...swap,
      name: "V2: ether for dollars",
      transaction: {
        to: uniswapV2Router,
        value: parseEther("1"),
        data: encode("swapExactETHForTokens(uint256 m, address[] path, address to, uint256 d)", minimum),
      },
    },
    {
      ...swap,
      name: "V2: dollars for ether",
      transaction: {
        to: uniswapV2Router,
        data: encode("swapExactTokensForETH(uint256 a, uint256 m, address[] path, address to, uint256 d)", [
          usd(300),
          parseEther("0.0986"),
          [stablecoin, weth],
          alice,
          soon(),
        ]),
      },
    },
    {
      ...swap,
      name: "V2: exact output",
      transaction: {
        to: uniswapV2Router,
        data: encode(
          "swapTokensForExactTokens(uint256 o, uint256 i, address[] path, address to, uint256 d)",
          [parseEther("5"), 10_200_000n, [stablecoin, plainToken], alice, soon()],
        ),
      },
    },
    {
      ...swap,
      name: "V3: dollars for wrapped ether",
      transaction: {
        to: swapRouter02,
        data: v3Swap(stablecoin, weth, 500, alice, usd(90), parseEther("0.0297")),
      },
    },
    {
      ...swap,
      name: "V3: two pools",
      transaction: {
        to: swapRouter02,
        data: encode(
          "exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params)",
          [{ path, recipient: alice, amountIn: parseEther("4"), amountOutMinimum: 7_850_000n }],
        ),
      },
    },
    {
      ...swap,
      name: "V3: multicall that unwraps",
      transaction: {
        to: swapRouter02,
        data: multicall([
          v3Swap(stablecoin, weth, 500, "0x0000000000000000000000000000000000000002", usd(90)),
          encode("unwrapWETH9(uint256 m, address to)", [parseEther("0.0297"), alice]),
        ]),
      },
    },
    {
      ...swap,
      name: "V3: ether in, the rest refunded",
      transaction: {
        to: swapRouter02,
        value: parseEther("2"),
        data: multicall([
          v3Swap(weth, stablecoin, 500, alice, parseEther("1"), usd(2970)),
          encode("refundETH()"),
        ]),
      },
    },
    {
      ...call,
      name: "ether wrapped",
      transaction: { to: weth, data: encode("deposit()"), value: parseEther("2") },
    },
    {
      ...call,
      name: "ether unwrapped",
      transaction: { to: weth, data: encode("withdraw(uint256 amount)", [parseEther("2")]) },
    },
    {
      ...call,
      name: "a view behind a proxy, of unknown meaning",
      verdict: "allow",
      reasons: ["UNKNOWN_FUNCTION"],
      transaction: { to: uupsProxy, data: encode("value()") },
    },
    {
      ...call,
      name: "a view behind a transparent proxy",
      verdict: "allow",
      reasons: ["UNKNOWN_FUNCTION", "NO_LOSS_MEASURED"],
      transaction: { to: transparentProxy, data: encode("value()") },
    },
  ];
}
