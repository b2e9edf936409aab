import type { Hex } from "@assay/protocol";
import { parseEther, toHex } from "viem";
import { encode } from "../accuracy/accuracyWorld.js";
import { transfer, usd } from "../accuracy/caseTools.js";
import { USDC, WETH } from "../accuracy/setUp.js";
import * as make from "./documents.js";
import { type Document, document } from "./messageCase.js";
import type { MessageWorld } from "./messageWorld.js";
import { ENTRY_POINT } from "./operationRows.js";
import * as orders from "./orderDocuments.js";
import { collect, type TableRow } from "./rowTools.js";

/** Uniswap's position managers (V3, V4) and Aerodrome's locks, whose items are worth what was deposited. */
const V3_POSITIONS: Hex = "0x03a520b32c04bf3beef7beb72e919cf822ed34f1";
const V4_POSITIONS: Hex = "0x7c5f5a4bbd8fd63184577525326123b519429bdc";
const LOCKS: Hex = "0xebf418fe2512e7e6bd9b87a8f0f294acdc67e6b4";
/** Of Safe, for operations of ERC-4337. */
const SAFE_MODULE: Hex = "0x75cf11467937ce3f2f357ce24ffc3dbf8fd5c226";
/** Published addresses that only have to exist. */
export const soldCode: readonly Hex[] = [V4_POSITIONS, LOCKS, SAFE_MODULE];

/** What an order gives that is more than a picture, and what it asks for that may be anything. */
export function listSoldRows({ alice, bob, thief, collection, listedToken }: MessageWorld): TableRow[] {
  return collect(alice, (add) => {
    const sell = (
      verdict: TableRow["verdict"],
      code: string,
      name: string,
      item: orders.SeaportItem,
      ether = "0.002",
    ) =>
      add(verdict, code, name, {
        typedData: orders.seaportOrder(alice, [item], [orders.etherItem(parseEther(ether), alice)]),
      });
    const receipt = ["review", "RECEIPT_SOLD"] as const;
    sell(...receipt, "a position of V3 for six dollars", orders.nftItem(V3_POSITIONS, 1n));
    sell(...receipt, "a position of V4 for six dollars", orders.nftItem(V4_POSITIONS, 1n));
    sell(...receipt, "a lock for six dollars", orders.nftItem(LOCKS, 1n));
    sell("allow", "UNPRICED_SOLD", "a picture for six dollars", orders.nftItem(collection, 1n));
    const many = (amount: bigint): orders.SeaportItem => ({
      ...orders.nftItem(collection, 1n),
      itemType: 3,
      startAmount: amount,
      endAmount: amount,
    });
    sell("review", "PRICE_LOW", "a million units for six dollars", many(1_000_000n));
    sell("allow", "UNPRICED_SOLD", "one unit for six dollars", many(1n));
    sell("allow", "UNPRICED_SOLD", "ten units for sixty dollars", many(10n), "0.02");
    const item = (over: Record<string, unknown>): { typedData: Document } => {
      const order = orders.zeroExNft(alice, collection, 1n, usd(90), bob, 0n);
      return { typedData: { ...order, message: { ...order.message, fees: [], ...over } } };
    };
    const validator = [{ propertyValidator: thief, propertyData: "0x" }];
    add(
      "review",
      "ORDER_TO_ANYBODY",
      "a bid of 0x that a validator widens",
      item({ direction: 1, erc721TokenProperties: validator }),
    );
    add("allow", "ITEM_BOUGHT", "a bid of 0x for one item", item({ direction: 1 }));
    add("review", "TYPE_UNKNOWN", "an order of 0x in no direction", item({ direction: 7 }));
    add("review", "RECEIPT_SOLD", "a position of V3 sold at 0x", item({ erc721Token: V3_POSITIONS }));
    const swap: orders.Swap = {
      tokenIn: USDC,
      amountIn: usd(3000),
      tokenOut: WETH,
      amountOut: parseEther("0.99"),
      recipient: make.ZERO,
      swapper: alice,
    };
    const endless = orders.oneInchOrder(swap);
    add("review", "ORDER_WITHOUT_END", "an order of 1inch without an end", {
      typedData: { ...endless, message: { ...endless.message, makerTraits: 0n } },
    });
    const late = (make.now() + 86_400n * 4000n) << 80n;
    add("review", "ORDER_WITHOUT_END", "an order of 1inch for ten years", {
      typedData: { ...endless, message: { ...endless.message, makerTraits: late } },
    });
    add("allow", "APPROVAL_REVOKED", "a permit of nothing at a known token", {
      typedData: make.permit(listedToken, alice, thief, 0n),
    });
    add("block", "UNLIMITED_APPROVAL_TO_ACCOUNT", "a permit of everything at a known token", {
      typedData: make.permit(listedToken, alice, thief, make.UNLIMITED),
    });
    // The channel holds five million units, and the contract none of the tokens of which they are worth much.
    add("allow", "VOUCHER_SMALL", "a voucher of four dollars of the channel's five", {
      typedData: make.voucher(usd(4)),
    });
    add("review", "VOUCHER_LARGE", "a voucher of thousands", { typedData: make.voucher(usd(9000)) });
    const operation = (callData: Hex, initCode: Hex = "0x"): { typedData: Document } => ({
      typedData: document(
        [
          "PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)",
        ],
        { name: "ERC4337", version: "1", verifyingContract: ENTRY_POINT },
        {
          sender: alice,
          nonce: 0n,
          initCode,
          callData,
          accountGasLimits: toHex((150_000n << 128n) | 200_000n, { size: 32 }),
          preVerificationGas: 50_000n,
          gasFees: toHex((1_000_000n << 128n) | 1_000_000n, { size: 32 }),
          paymasterAndData: "0x",
        },
      ),
    });
    const pay = (to: Hex, amount: number) =>
      encode("execute(address t, uint256 v, bytes d)", [USDC, 0n, transfer(to, usd(amount))]);
    add("block", "MOST_BY_SIGNATURE", "a signed operation that pays all", operation(pay(thief, 900_000)));
    add(
      "review",
      "OPERATION_OF_ENTRY_POINT",
      "a signed operation that pays a little",
      operation(pay(bob, 5)),
    );
    add("review", "TYPE_UNKNOWN", "a signed operation with half a factory", operation("0x", "0x1234"));
    // The fields that the module takes, under the same limits.
    const safeOperation = (callData: Hex): { typedData: Document } => ({
      typedData: document(
        [
          "SafeOp(address safe,uint256 nonce,bytes initCode,bytes callData,uint128 verificationGasLimit,uint128 callGasLimit,uint256 preVerificationGas,uint128 maxPriorityFeePerGas,uint128 maxFeePerGas,bytes paymasterAndData,uint48 validAfter,uint48 validUntil,address entryPoint)",
        ],
        { verifyingContract: SAFE_MODULE },
        {
          safe: alice,
          nonce: 0n,
          initCode: "0x",
          callData,
          verificationGasLimit: 150_000n,
          callGasLimit: 200_000n,
          preVerificationGas: 50_000n,
          maxPriorityFeePerGas: 1_000_000n,
          maxFeePerGas: 1_000_000n,
          paymasterAndData: "0x",
          validAfter: 0n,
          validUntil: 0n,
          entryPoint: ENTRY_POINT,
        },
      ),
    });
    add("block", "MOST_BY_SIGNATURE", "a Safe's operation that pays all", safeOperation(pay(thief, 900_000)));
    add(
      "review",
      "OPERATION_OF_ENTRY_POINT",
      "a Safe's operation that pays a little",
      safeOperation(pay(bob, 5)),
    );
  });
}
