import type { Hex } from "@assay/protocol";
import { maxUint160, parseEther, toHex } from "viem";
import { encode } from "../accuracy/accuracyWorld.js";
import { approve, transfer, usd } from "../accuracy/caseTools.js";
import { UNIVERSAL_ROUTER, USDC, WETH } from "../accuracy/setUp.js";
import * as accounts from "./accountDocuments.js";
import { listDelegationRows } from "./delegationRows.js";
import * as make from "./documents.js";
import { document } from "./messageCase.js";
import type { MessageWorld } from "./messageWorld.js";
import { ENTRY_POINT, listOperationRows } from "./operationRows.js";
import * as orders from "./orderDocuments.js";
import { POOR } from "./rowAccounts.js";
import { collect, type TableRow } from "./rowTools.js";
import { listSoldRows, soldCode } from "./soldRows.js";

const MULTICALL3: Hex = "0xca11bde05977b3631167028862be2a173976ca11";
const BUNDLER3: Hex = "0x6bfd8137e702540e7a42b74178a4a49ba43920c4";
const LIFI_EXECUTOR: Hex = "0x4dac9d1769b9b304cb04741dcdeb2fc14abdf110";
const FORWARDER: Hex = "0x15e62707fca7352fbe35f51a8d6b0f8066a05dcc";
const ALLOWANCE_MODULE: Hex = "0xcfbfac74c26f8647cbdb8c5caf80bb5b32e43134";
const HYBRID_DELEGATOR: Hex = "0x48dbe696a4d990079e039489ba2053b36e8ffec4";
const LIGHT_ACCOUNT: Hex = "0xae8c656ad28f2b59a196ab61815c16a0ae1c3cba";
const CALIBUR: Hex = "0x000000009b1d0af20d8c6d0a44e162d11f9b8f00";
const LAYER_ZERO: Hex = "0x1a44076050125825900e736c501f859c50fe728c";
/** A contract that takes every call and does nothing. */
export const SILENT: Hex = "0x00000000000000000000000000000000c0de5170";
/** Published addresses that only have to exist. */
export const listedCode: readonly Hex[] = [
  BUNDLER3,
  LIFI_EXECUTOR,
  FORWARDER,
  ALLOWANCE_MODULE,
  HYBRID_DELEGATOR,
  CALIBUR,
  LAYER_ZERO,
  ENTRY_POINT,
  ...soldCode,
];

export function listTableRows(world: MessageWorld): TableRow[] {
  return [
    ...listOrderRows(world),
    ...listControlRows(world),
    ...listPaymentRows(world),
    ...listGrantRows(world),
    ...listHarmlessRows(world),
    ...listOperationRows(world),
    ...listDelegationRows(world),
    ...listSoldRows(world),
  ];
}

/** What has a price is set against what has one. */
function listOrderRows({ alice, collection, permitToken }: MessageWorld): TableRow[] {
  const junk = orders.nftItem(collection, 1n);
  const dollars = (amount: number) => orders.tokenItem(USDC, usd(amount));
  const forDollars = (amount: number) => orders.tokenItem(USDC, usd(amount), alice);
  const ether = (amount: string) => orders.etherItem(parseEther(amount), alice);
  const item = orders.nftItem(collection, 7n, alice);
  const coins = orders.tokenItem(permitToken.verifyingContract, 1n);
  return collect(alice, (add) => {
    const order = (
      verdict: TableRow["verdict"],
      code: string,
      name: string,
      gives: orders.SeaportItem[],
      gets: orders.SeaportItem[],
    ) => add(verdict, code, name, { typedData: orders.seaportOrder(alice, gives, gets) });
    order(
      "block",
      "VALUE_LOST",
      "dollars and an item for little",
      [junk, dollars(900_000)],
      [ether("0.002")],
    );
    order("block", "VALUE_LOST", "dollars and a coin for little", [coins, dollars(9000)], [forDollars(6)]);
    order("block", "VALUE_LOST", "dollars for few and an item", [dollars(900_000)], [forDollars(6), item]);
    order("block", "VALUE_LOST", "dollars for an item", [dollars(20_000)], [item]);
    order("block", "ORDER_GIVES_AWAY", "an item added to a fair sale", [junk, dollars(3000)], [ether("1")]);
    order("review", "RETURN_UNVALUED", "a large bid for an item", [dollars(900)], [item]);
    order("review", "RETURN_UNVALUED", "many small sums for an item", Array(4).fill(dollars(90)), [item]);
    order(
      "review",
      "PRICE_LOW",
      "two items for six dollars",
      [junk, orders.nftItem(collection, 2n)],
      [forDollars(6)],
    );
    order("review", "PRICE_UNKNOWN", "coins without a price for six dollars", [coins], [forDollars(6)]);
    order(
      "allow",
      "UNPRICED_SOLD",
      "an item and dollars for more dollars",
      [junk, dollars(10)],
      [forDollars(60)],
    );
    order("allow", "ITEM_BOUGHT", "a small bid for an item", [dollars(60)], [item]);
    order("allow", "BALANCED_RETURN", "dollars for ether", [dollars(3000)], [ether("1")]);
    const swap: orders.Swap = {
      tokenIn: USDC,
      amountIn: usd(3000),
      tokenOut: WETH,
      amountOut: parseEther("0.99"),
      recipient: make.ZERO,
      swapper: alice,
    };
    add("review", "ORDER_CALLS_OUT", "an order whose amounts an extension may change", {
      typedData: orders.oneInchOrder(swap, 1n << 249n),
    });
    add("allow", "BALANCED_RETURN", "the same order without one", { typedData: orders.oneInchOrder(swap) });
    add("review", "RETURN_UNVALUED", "small bids that are many", {
      typedData: orders.seaportBulk(alice, [[dollars(90)], [item]], [[dollars(90)], [item]]),
    });
  });
}

/** Who commands an account, which code it runs, and what it passes calls on to. */
function listControlRows({ alice, bob, thief, aliceNonce }: MessageWorld): TableRow[] {
  return collect(alice, (add) => {
    const control = (verdict: TableRow["verdict"], code: string, text: string, to: Hex) =>
      add(verdict, code, `${text} ${to}`, {
        calls: [{ to: SILENT, data: encode(`${text}(address a)`, [to]) }],
      });
    control("block", "HANDLER_UNKNOWN", "setFallbackHandler", USDC);
    control("block", "HANDLER_UNKNOWN", "setFallbackHandler", thief);
    control("block", "HANDLER_UNKNOWN", "setFallbackHandler", SILENT);
    control("block", "HANDLER_UNKNOWN", "setGuard", USDC);
    control("block", "HANDLER_UNKNOWN", "setModuleGuard", thief);
    control("block", "CONTROL_TO_ANYBODY", "setFallbackHandler", MULTICALL3);
    for (const name of ["enableModule", "transferOwnership", "addOwnerAddress", "changeOwner"]) {
      control("block", "CONTROL_TO_ANYBODY", name, MULTICALL3);
      control("block", "CONTROL_TO_ANYBODY", name, BUNDLER3);
      control("review", "CONTROL_UNSUITABLE", name, UNIVERSAL_ROUTER);
      control("review", "CONTROL_UNSUITABLE", name, USDC);
      // He was paid before, which says nothing about command.
      control("review", "CONTROL_CALL", name, bob);
      control("block", "CONTROL_TO_STRANGER", name, thief);
    }
    control("allow", "CONTROL_SHARED", "enableModule", ALLOWANCE_MODULE);
    add("review", "HASH_APPROVED", "consent to a hash", {
      calls: [{ to: SILENT, data: encode("approveHash(bytes32 h)", [make.nonce32(7)]) }],
    });
    const authorize = (verdict: TableRow["verdict"], code: string, address: Hex) =>
      add(verdict, code, `an authorization of ${address}`, {
        authorization: { chainId: 8453, address, nonce: aliceNonce },
      });
    authorize("block", "DELEGATE_UNINITIALISED", HYBRID_DELEGATOR);
    authorize("block", "KNOWN_PARTY_CHANGED", LIGHT_ACCOUNT);
    authorize("block", "DELEGATE_UNKNOWN", SILENT);
    authorize("allow", "DELEGATE_KNOWN", CALIBUR);
  });
}

/** The same payment gets the same verdict in every form. */
function listPaymentRows({ alice, bob, thief, oldThief }: MessageWorld): TableRow[] {
  const wrap = (amount: string) => ({ to: WETH, data: encode("deposit()"), value: parseEther(amount) });
  const send = (token: Hex, to: Hex, amount: bigint) => ({ to: token, data: transfer(to, amount) });
  const other: Hex = "0x00000000000000000000000000000000a11ce0dd";
  const poor = collect(POOR, (add) => {
    const calls = (verdict: TableRow["verdict"], code: string, name: string, list: object[]) =>
      add(verdict, code, name, { calls: list });
    const most = ["block", "MOST_BY_SIGNATURE"] as const;
    calls(...most, "ether", [{ to: thief, value: parseEther("9.9") }]);
    calls(...most, "ether that is wrapped first", [wrap("9.9"), send(WETH, thief, parseEther("9.9"))]);
    calls(...most, "wrapped ether for two", [
      wrap("9.9"),
      send(WETH, thief, parseEther("4.9")),
      send(WETH, other, parseEther("4.9")),
    ]);
    calls(...most, "ether and wrapped ether", [
      wrap("4"),
      send(WETH, thief, parseEther("4")),
      { to: thief, value: parseEther("4") },
    ]);
    add("allow", "SMALL_PAYMENT", "five of eight cents", {
      typedData: make.payment(POOR, oldThief, usd(0.05), 70),
    });
    calls("allow", "SMALL_PAYMENT", "five of eight cents as a call", [send(USDC, oldThief, usd(0.05))]);
  });
  const rich = collect(alice, (add) => {
    const calls = (verdict: TableRow["verdict"], code: string, name: string, list: object[]) =>
      add(verdict, code, name, { calls: list });
    const many = (count: number, dollars: number, to: Hex) =>
      Array.from({ length: count }, () => send(USDC, to, usd(dollars)));
    const large = ["review", "LARGE_PAYMENT"] as const;
    calls(...large, "eight small payments to one", many(8, 49, thief));
    calls(...large, "small payments to several", [
      ...many(1, 49, thief),
      ...many(1, 49, oldThief),
      ...many(1, 49, other),
    ]);
    calls(...large, "one call with as much", many(1, 392, oldThief));
    add(...large, "a signature for as much", { typedData: make.payment(alice, oldThief, usd(392), 71) });
    calls("allow", "SMALL_PAYMENT", "a small payment", many(1, 49, oldThief));
    // He was paid 200 dollars at once before.
    calls("allow", "PAYS_KNOWN_RECIPIENT", "three times what was paid before", many(3, 200, bob));
    calls(...large, "more than three times what was paid before", many(4, 200, bob));
    add(...large, "the same by signature", { typedData: make.payment(alice, bob, usd(800), 72) });
  });
  return [...poor, ...rich];
}

/** Grants are for contracts that are made to take them. */
function listGrantRows({ alice, listedToken }: MessageWorld): TableRow[] {
  return collect(alice, (add) => {
    for (const spender of [BUNDLER3, LIFI_EXECUTOR, FORWARDER, MULTICALL3]) {
      const anybody = ["block", "SPENDER_IS_ANYBODY"] as const;
      add(...anybody, `a permit for ${spender}`, {
        typedData: make.permit(listedToken, alice, spender, parseEther("1")),
      });
      add(...anybody, `Permit2 for ${spender}`, { typedData: make.permitSingle(USDC, usd(5), spender) });
      add(...anybody, `an approval for ${spender}`, {
        calls: [{ to: USDC, data: approve(spender, usd(5)) }],
      });
    }
    for (const spender of [WETH, USDC, LAYER_ZERO])
      add("review", "SPENDER_UNSUITABLE", `a permit for ${spender}`, {
        typedData: make.permit(listedToken, alice, spender, parseEther("1")),
      });
    add("allow", "SPENDER_HAS_NO_CODE", "a permit for a published address without code", {
      typedData: make.permit(listedToken, alice, KYBER, make.UNLIMITED),
    });
    add("allow", "UNLIMITED_APPROVAL", "Permit2 for a router", {
      typedData: make.permitSingle(WETH, maxUint160, UNIVERSAL_ROUTER),
    });
  });
}

/** KyberSwap's router, which is not on the local chain. */
const KYBER: Hex = "0x6131b5fae19ea4f9d964eac0408e4408b66337b5";

/** The name of a type promises nothing where the contract is not known. */
function listHarmlessRows(world: MessageWorld): TableRow[] {
  const { alice, drainer, listedToken } = world;
  const unknown = { name: "Harbor", version: "1", verifyingContract: drainer };
  return collect(alice, (add) => {
    const doubted = (name: string, typedData: unknown) =>
      add("review", "VERIFIER_UNKNOWN", name, { typedData });
    doubted("a ballot", accounts.ballot(drainer));
    doubted("votes kept", accounts.voteDelegation(unknown, alice));
    doubted("a permit of nothing", make.permit(unknown, alice, UNIVERSAL_ROUTER, 0n));
    doubted("DAI's form that allows nothing", make.daiPermit(drainer, alice, UNIVERSAL_ROUTER, false));
    doubted("a payment to oneself", make.payment(alice, alice, 1n, 73, { domain: unknown }));
    doubted("a forwarded call of nothing", accounts.forwardRequest(drainer, alice, alice, "0x"));
    doubted(
      "a cancellation",
      document(["CancelAuthorization(address authorizer,bytes32 nonce)"], unknown, {
        authorizer: alice,
        nonce: make.nonce32(1),
      }),
    );
    doubted(
      "a text in a wrapper",
      document(["PersonalSign(bytes prefixed)"], unknown, {
        prefixed: toHex("\u0019Ethereum Signed Message:\n5hello"),
      }),
    );
    const action = (domain: object, name: string) => ({
      types: {
        AgentAction: [
          { name: "action", type: "string" },
          { name: "resource", type: "string" },
          { name: "timestamp", type: "uint256" },
          { name: "nonce", type: "string" },
        ],
      },
      primaryType: "AgentAction",
      domain,
      message: { action: name, resource: "x", timestamp: "1", nonce: "abcdefgh" },
    });
    const service = { name: "Service Agent API", version: "1", chainId: 8453, salt: make.nonce32(9) };
    add("review", "VERIFIER_MISSING", "an action of another server", {
      typedData: action({ name: "Other", version: "1", chainId: 8453 }, "demand_pledge"),
    });
    add("review", "TYPE_UNKNOWN", "an action that no service has", {
      typedData: action(service, "withdraw_all"),
    });
    add("allow", "SPEAKS_TO_SERVER", "an action of this service", {
      typedData: action(service, "demand_pledge"),
    });
    add("review", "VERIFIER_MISSING", "a vote that is like Snapshot's", {
      typedData: { ...accounts.snapshotVote(alice), domain: { name: "snapshot", version: "9" } },
    });
    add("allow", "VOTE_ONLY", "a vote on Snapshot", { typedData: accounts.snapshotVote(alice) });
    add("allow", "VOTES_TO_SELF", "votes kept at a known token", {
      typedData: accounts.voteDelegation(listedToken, alice),
    });
    add("allow", "PERMISSION_ENDS", "a cancellation at a known token", {
      typedData: make.cancelPayment(alice),
    });
  });
}
