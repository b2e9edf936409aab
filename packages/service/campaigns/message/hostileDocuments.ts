import type { Hex } from "@assay/protocol";
import { concatHex, maxUint160, pad, parseEther, toHex } from "viem";
import { approve, transfer, usd } from "../accuracy/caseTools.js";
import { UNIVERSAL_ROUTER, USDC, WETH } from "../accuracy/setUp.js";
import * as accounts from "./accountDocuments.js";
import * as make from "./documents.js";
import { type MessageCase, toJson } from "./messageCase.js";
import type { MessageWorld } from "./messageWorld.js";
import * as orders from "./orderDocuments.js";

const TARGETS_ENFORCER: Hex = "0x7f20f61b1f09b08d970938f6fa563634d65c4eeb";
const AMOUNT_ENFORCER: Hex = "0xf100b0819427117ecf76ed94b358b1a5b5c6d2fc";
const MULTICALL3: Hex = "0xca11bde05977b3631167028862be2a173976ca11";

/** Permits, payments, orders and delegations by which a wallet is emptied. */
export function listHostileDocuments(one: MessageWorld): MessageCase[] {
  const { setup, alice, thief, oldThief, permitToken, collection, drainer } = one;
  const cases: MessageCase[] = [];
  const add = (kind: string, name: string, input: Record<string, unknown>) =>
    cases.push({ name, group: "hostile", kind, input: { signer: alice, ...(toJson(input) as object) } });
  const typed = (kind: string, name: string, typedData: unknown) => add(kind, name, { typedData });
  const swap = (over: Partial<orders.Swap>): orders.Swap => ({
    tokenIn: USDC,
    amountIn: usd(3000),
    tokenOut: WETH,
    amountOut: parseEther("0.98"),
    recipient: alice,
    swapper: alice,
    ...over,
  });
  const gift = swap({ amountOut: 1n });
  const cheap = swap({ amountOut: parseEther("0.1") });
  const toThief = swap({ recipient: thief });

  typed(
    "erc20.permit",
    "an unlimited permit for a thief",
    make.permit(permitToken, alice, thief, make.UNLIMITED),
  );
  typed(
    "erc20.permit",
    "an unlimited permit for an old account of a thief",
    make.permit(permitToken, alice, oldThief, make.UNLIMITED),
  );
  typed(
    "erc20.permit",
    "a permit of everything for a thief",
    make.permit(permitToken, alice, thief, parseEther("1000")),
  );
  typed(
    "erc20.permit",
    "an unlimited permit for a drainer",
    make.permit(permitToken, alice, drainer, make.UNLIMITED, 4_000_000_000n),
  );
  typed(
    "erc20.permit",
    "a permit for a contract that calls for anybody",
    make.permit(permitToken, alice, MULTICALL3, parseEther("10")),
  );
  typed("erc20.permit", "a permit for another chain", {
    ...make.permit(permitToken, alice, thief, make.UNLIMITED),
    domain: { ...permitToken, chainId: 1 },
  });
  typed(
    "erc20.permit",
    "a permit under the name of USDC",
    make.permit({ ...permitToken, name: "USD Coin", version: "2" }, alice, oldThief, parseEther("900")),
  );
  typed("dai.permit", "DAI's form for a thief", make.daiPermit(permitToken.verifyingContract, alice, thief));
  typed(
    "dai.permit",
    "DAI's form for a drainer",
    make.daiPermit(permitToken.verifyingContract, alice, drainer),
  );
  typed(
    "permit2.single",
    "an allowance of everything through Permit2 for a thief",
    make.permitSingle(USDC, maxUint160, thief, 281_474_976_710_655n),
  );
  typed(
    "permit2.single",
    "an allowance through Permit2 for a drainer",
    make.permitSingle(WETH, maxUint160, drainer),
  );
  typed(
    "permit2.single",
    "an allowance at an imitation of Permit2",
    make.permitSingle(USDC, maxUint160, UNIVERSAL_ROUTER, make.soon(), {
      name: "Permit2",
      verifyingContract: drainer,
    }),
  );
  typed(
    "permit2.batch",
    "all tokens through Permit2 for a thief",
    make.permitBatch(
      [
        [USDC, maxUint160],
        [WETH, maxUint160],
        [permitToken.verifyingContract, maxUint160],
      ],
      thief,
    ),
  );
  typed(
    "permit2.batch",
    "one honest and one hostile allowance",
    make.permitBatch(
      [
        [USDC, usd(1)],
        [WETH, maxUint160],
      ],
      oldThief,
    ),
  );
  typed(
    "permit2.transfer",
    "a transfer of everything for a thief",
    make.permitTransfer(USDC, usd(1_000_000), thief),
  );
  typed(
    "permit2.transfer",
    "a transfer of everything for a drainer",
    make.permitTransfer(WETH, parseEther("500"), drainer),
  );
  typed(
    "permit2.transferBatch",
    "transfers of everything for a thief",
    make.permitBatchTransfer(
      [
        [USDC, make.UNLIMITED],
        [WETH, make.UNLIMITED],
      ],
      thief,
    ),
  );
  typed("x402.permit2", "an x402 payment of everything", make.x402Permit2(thief, usd(1_000_000)));
  typed(
    "x402.permit2",
    "an x402 payment through an imitation of the proxy",
    make.x402Permit2(alice, usd(1_000_000), drainer),
  );
  typed(
    "x402.deposit",
    "a deposit through an imitation of the collector",
    make.x402Deposit(usd(900_000), drainer),
  );
  typed("uniswapx.priority", "an order for almost nothing", orders.priorityOrder(gift));
  typed("uniswapx.priority", "an order whose proceeds go to a thief", orders.priorityOrder(toThief));
  typed("uniswapx.priority", "an order at a reactor of the thief's", orders.priorityOrder(swap({}), drainer));
  typed("uniswapx.dutch", "a Dutch order that falls to nothing", orders.dutchOrder(swap({}), 0n));
  typed(
    "uniswapx.dutch",
    "a Dutch order that falls to a tenth",
    orders.dutchOrder(swap({}), parseEther("0.1")),
  );
  typed("uniswapx.limit", "a limit order at a tenth of the price", orders.limitOrder(cheap));
  typed(
    "erc3009.transfer",
    "a payment of everything to a thief",
    make.payment(alice, thief, usd(900_000), 11),
  );
  typed(
    "erc3009.transfer",
    "a payment of everything to an old account of a thief",
    make.payment(alice, oldThief, usd(900_000), 12),
  );
  typed(
    "erc3009.transfer",
    "a payment beyond what is held",
    make.payment(alice, oldThief, make.UNLIMITED / 2n, 13),
  );
  typed(
    "erc3009.transfer",
    "a payment to a burn address",
    make.payment(alice, "0x000000000000000000000000000000000000dead", usd(50), 14),
  );
  typed("erc3009.transfer", "a payment to the token itself", make.payment(alice, USDC, usd(50), 15));
  typed(
    "erc3009.transfer",
    "a payment on another chain",
    make.payment(alice, oldThief, usd(5), 16, {
      domain: { name: "USD Coin", version: "2", chainId: 1, verifyingContract: USDC },
    }),
  );
  typed(
    "erc3009.receive",
    "everything for a drainer to take",
    make.payment(alice, drainer, usd(900_000), 17, { type: "ReceiveWithAuthorization" }),
  );
  typed("x402.voucher", "a voucher of ten thousand dollars", make.voucher(usd(10_000)));
  typed("x402.voucher", "a voucher at an imitation of the channels", make.voucher(usd(1), drainer));

  const items = [orders.nftItem(collection, 1n), orders.nftItem(collection, 2n)];
  typed("seaport.order", "all items for nothing", orders.seaportOrder(alice, items, []));
  typed(
    "seaport.order",
    "items for one wei",
    orders.seaportOrder(alice, items, [orders.etherItem(1n, alice)]),
  );
  typed(
    "seaport.order",
    "items whose price goes to a thief",
    orders.seaportOrder(alice, items, [orders.etherItem(parseEther("5"), thief)]),
  );
  typed(
    "seaport.order",
    "items whose price goes to a thief but for a wei",
    orders.seaportOrder(alice, items, [
      orders.etherItem(1n, alice),
      orders.etherItem(parseEther("5"), thief),
    ]),
  );
  typed(
    "seaport.order",
    "items whose price falls to nothing",
    orders.seaportOrder(alice, items, [orders.etherItem(parseEther("5"), alice, 0n)]),
  );
  typed(
    "seaport.order",
    "half of the price as a fee",
    orders.seaportOrder(alice, items, [
      orders.etherItem(parseEther("1"), alice),
      orders.etherItem(parseEther("1"), thief),
    ]),
  );
  typed(
    "seaport.order",
    "tokens for nothing",
    orders.seaportOrder(
      alice,
      [orders.tokenItem(USDC, usd(9000)), orders.tokenItem(WETH, parseEther("100"))],
      [orders.etherItem(1n, alice)],
    ),
  );
  typed(
    "seaport.order",
    "an order at an imitation of Seaport",
    orders.seaportOrder(alice, items, [orders.etherItem(parseEther("1"), alice)], {
      verifyingContract: drainer,
    }),
  );
  typed(
    "seaport.bulk",
    "one honest listing and one for nothing",
    orders.seaportBulk(
      alice,
      [[orders.nftItem(collection, 1n)], [orders.etherItem(parseEther("1"), alice)]],
      [items, [orders.etherItem(1n, alice)]],
    ),
  );
  typed("1inch.v4", "a 1inch order for almost nothing", orders.oneInchOrder(gift));
  typed("1inch.v4", "a 1inch order for a thief", orders.oneInchOrder(toThief));
  typed("1inch.v3", "a 1inch order that makes other calls", orders.oneInchOrderV3(cheap, "0x1234"));
  typed("0x.limit", "a 0x order at a tenth of the price", orders.zeroExLimit(cheap));
  typed("0x.rfq", "a 0x RFQ order for nothing", orders.zeroExRfq(gift));
  typed("0x.otc", "a 0x OTC order for a thief as its only taker", orders.zeroExOtc(gift, thief));
  typed("0x.nft", "a 0x listing for nothing", orders.zeroExNft(alice, collection, 1n, 0n, thief, usd(500)));
  typed("cow.order", "a CoW order for almost nothing", orders.cowOrder(gift));
  typed("cow.order", "a CoW order whose proceeds go to a thief", orders.cowOrder(toThief));
  typed("cow.order", "a CoW order at an imitation", orders.cowOrder(swap({}), drainer));

  typed("eip7710.delegation", "a delegation of everything", accounts.delegation(alice, thief, []));
  typed(
    "eip7710.delegation",
    "a delegation that is kept to one token only",
    accounts.delegation(alice, thief, [{ enforcer: TARGETS_ENFORCER, terms: USDC }]),
  );
  typed(
    "eip7710.delegation",
    "a delegation with a limit of a thief's own",
    accounts.delegation(alice, thief, [{ enforcer: drainer, terms: "0x" }]),
  );
  typed(
    "eip7710.delegation",
    "a delegation of a million dollars",
    accounts.delegation(alice, thief, [
      { enforcer: AMOUNT_ENFORCER, terms: concatHex([USDC, pad(toHex(usd(1_000_000)), { size: 32 })]) },
    ]),
  );
  typed(
    "coinbase.spendPermission",
    "everything for a spender",
    accounts.spendPermission(alice, thief, maxUint160),
  );
  typed("votes.delegation", "votes for a thief", accounts.voteDelegation(permitToken, thief));
  typed(
    "erc2771.forward",
    "a forwarded approval for a thief",
    accounts.forwardRequest(setup.book, alice, USDC, approve(thief, make.UNLIMITED)),
  );
  typed(
    "erc2771.forward",
    "a forwarded transfer of everything",
    accounts.forwardRequest(setup.book, alice, USDC, transfer(thief, usd(900_000))),
  );
  typed("unknown", "an unknown type that names a thief", {
    types: {
      Claim: [
        { name: "to", type: "address" },
        { name: "all", type: "bool" },
      ],
    },
    primaryType: "Claim",
    domain: { name: "Airdrop", chainId: 8453, verifyingContract: drainer },
    message: { to: thief, all: true },
  });

  return cases;
}
