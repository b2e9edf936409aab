import type { Hex } from "@assay/protocol";
import { concatHex, hashTypedData, keccak256, maxUint160, pad, parseEther, toHex } from "viem";
import { encode } from "../accuracy/accuracyWorld.js";
import { approve, transfer, usd } from "../accuracy/caseTools.js";
import { ENTRY_POINTS, UNIVERSAL_ROUTER, USDC, WETH } from "../accuracy/setUp.js";
import * as make from "./documents.js";
import { type MessageCase, toJson } from "./messageCase.js";
import type { MessageWorld } from "./messageWorld.js";

const TARGETS_ENFORCER: Hex = "0x7f20f61b1f09b08d970938f6fa563634d65c4eeb";
const AMOUNT_ENFORCER: Hex = "0xf100b0819427117ecf76ed94b358b1a5b5c6d2fc";
const MULTICALL3: Hex = "0xca11bde05977b3631167028862be2a173976ca11";

/** Messages by which a wallet is emptied, or that nobody should sign. */
export function listHostile(one: MessageWorld): MessageCase[] {
  const { setup, alice, thief, oldThief, permitToken, collection, drainer, sweeper } = one;
  const cases: MessageCase[] = [];
  const add = (kind: string, name: string, input: Record<string, unknown>) =>
    cases.push({ name, group: "hostile", kind, input: { signer: alice, ...(toJson(input) as object) } });
  const typed = (kind: string, name: string, typedData: unknown) => add(kind, name, { typedData });
  const swap = (over: Partial<make.Swap>): make.Swap => ({
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
  typed("uniswapx.priority", "an order for almost nothing", make.priorityOrder(gift));
  typed("uniswapx.priority", "an order whose proceeds go to a thief", make.priorityOrder(toThief));
  typed("uniswapx.priority", "an order at a reactor of the thief's", make.priorityOrder(swap({}), drainer));
  typed("uniswapx.dutch", "a Dutch order that falls to nothing", make.dutchOrder(swap({}), 0n));
  typed(
    "uniswapx.dutch",
    "a Dutch order that falls to a tenth",
    make.dutchOrder(swap({}), parseEther("0.1")),
  );
  typed("uniswapx.limit", "a limit order at a tenth of the price", make.limitOrder(cheap));
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

  const items = [make.nftItem(collection, 1n), make.nftItem(collection, 2n)];
  typed("seaport.order", "all items for nothing", make.seaportOrder(alice, items, []));
  typed("seaport.order", "items for one wei", make.seaportOrder(alice, items, [make.etherItem(1n, alice)]));
  typed(
    "seaport.order",
    "items whose price goes to a thief",
    make.seaportOrder(alice, items, [make.etherItem(parseEther("5"), thief)]),
  );
  typed(
    "seaport.order",
    "items whose price goes to a thief but for a wei",
    make.seaportOrder(alice, items, [make.etherItem(1n, alice), make.etherItem(parseEther("5"), thief)]),
  );
  typed(
    "seaport.order",
    "items whose price falls to nothing",
    make.seaportOrder(alice, items, [make.etherItem(parseEther("5"), alice, 0n)]),
  );
  typed(
    "seaport.order",
    "half of the price as a fee",
    make.seaportOrder(alice, items, [
      make.etherItem(parseEther("1"), alice),
      make.etherItem(parseEther("1"), thief),
    ]),
  );
  typed(
    "seaport.order",
    "tokens for nothing",
    make.seaportOrder(
      alice,
      [make.tokenItem(USDC, usd(9000)), make.tokenItem(WETH, parseEther("100"))],
      [make.etherItem(1n, alice)],
    ),
  );
  typed(
    "seaport.order",
    "an order at an imitation of Seaport",
    make.seaportOrder(alice, items, [make.etherItem(parseEther("1"), alice)], { verifyingContract: drainer }),
  );
  typed(
    "seaport.bulk",
    "one honest listing and one for nothing",
    make.seaportBulk(
      alice,
      [[make.nftItem(collection, 1n)], [make.etherItem(parseEther("1"), alice)]],
      [items, [make.etherItem(1n, alice)]],
    ),
  );
  typed("1inch.v4", "a 1inch order for almost nothing", make.oneInchOrder(gift));
  typed("1inch.v4", "a 1inch order for a thief", make.oneInchOrder(toThief));
  typed("1inch.v3", "a 1inch order that makes other calls", make.oneInchOrderV3(cheap, "0x1234"));
  typed("0x.limit", "a 0x order at a tenth of the price", make.zeroExLimit(cheap));
  typed("0x.rfq", "a 0x RFQ order for nothing", make.zeroExRfq(gift));
  typed("0x.otc", "a 0x OTC order for a thief as its only taker", make.zeroExOtc(gift, thief));
  typed("0x.nft", "a 0x listing for nothing", make.zeroExNft(alice, collection, 1n, 0n, thief, usd(500)));
  typed("cow.order", "a CoW order for almost nothing", make.cowOrder(gift));
  typed("cow.order", "a CoW order whose proceeds go to a thief", make.cowOrder(toThief));
  typed("cow.order", "a CoW order at an imitation", make.cowOrder(swap({}), drainer));

  typed("eip7710.delegation", "a delegation of everything", make.delegation(alice, thief, []));
  typed(
    "eip7710.delegation",
    "a delegation that is kept to one token only",
    make.delegation(alice, thief, [{ enforcer: TARGETS_ENFORCER, terms: USDC }]),
  );
  typed(
    "eip7710.delegation",
    "a delegation with a limit of a thief's own",
    make.delegation(alice, thief, [{ enforcer: drainer, terms: "0x" }]),
  );
  typed(
    "eip7710.delegation",
    "a delegation of a million dollars",
    make.delegation(alice, thief, [
      { enforcer: AMOUNT_ENFORCER, terms: concatHex([USDC, pad(toHex(usd(1_000_000)), { size: 32 })]) },
    ]),
  );
  typed(
    "coinbase.spendPermission",
    "everything for a spender",
    make.spendPermission(alice, thief, maxUint160),
  );
  typed("votes.delegation", "votes for a thief", make.voteDelegation(permitToken, thief));
  typed(
    "erc2771.forward",
    "a forwarded approval for a thief",
    make.forwardRequest(setup.book, alice, USDC, approve(thief, make.UNLIMITED)),
  );
  typed(
    "erc2771.forward",
    "a forwarded transfer of everything",
    make.forwardRequest(setup.book, alice, USDC, transfer(thief, usd(900_000))),
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

  const digest = hashTypedData(make.permit(permitToken, alice, thief, make.UNLIMITED) as never);
  add("hash", "the hash of a permit", { personalMessage: digest });
  add("hash", "a hash as text", { personalMessage: digest.slice(2) });
  add("hash", "the bytes of a typed document", { personalMessage: concatHex(["0x1901", digest, digest]) });
  add("hash", "a hash with a short word before it", { personalMessage: `Verify: ${keccak256("0x01")}` });
  typed(
    "wrapped.hash",
    "a hash for a Coinbase Smart Wallet",
    make.replaySafe(alice, "Coinbase Smart Wallet", digest),
  );
  typed("wrapped.hash", "a hash for a Kernel account", make.replaySafe(alice, "Kernel", digest));
  typed("wrapped.hash", "a hash as a Safe's message", make.safeMessage(setup.book, digest));
  typed(
    "erc7739",
    "a permit for a thief inside ERC-7739",
    make.nested(make.permit(permitToken, alice, thief, make.UNLIMITED), alice),
  );
  add("signIn", "a sign-in for another site than asks", {
    personalMessage: make.signIn(alice),
    origin: "https://app-example.org",
  });
  add("signIn", "a sign-in whose URI is elsewhere", {
    personalMessage: make.signIn(alice, { uri: "https://evil.example.net/" }),
  });
  add("signIn", "a sign-in of another account", { personalMessage: make.signIn(alice, { account: thief }) });
  add("signIn", "a sign-in without a nonce", { personalMessage: make.signIn(alice, { nonce: "" }) });
  add("signIn", "a sign-in at an imitated name", {
    personalMessage: make.signIn(alice, { domain: "арр.example.org", uri: "https://арр.example.org/" }),
  });
  add("signIn", "a sign-in that grants more", {
    personalMessage: make.signIn(alice, { extra: "\nResources:\n- urn:recap:eyJhdHQiOnt9fQ" }),
  });
  add("text", "a text that gives everything away", {
    personalMessage: `I authorize the transfer of all my tokens to ${thief}.`,
  });
  add("text", "a text that turns around", {
    personalMessage: "Log in to the market \u202egnihtyreve refsnart\u202c now please",
  });
  add("text", "a text from which keys are made", {
    personalMessage: "Only sign this to generate your trading key on our platform",
  });
  add("text", "an order as text", {
    personalMessage: JSON.stringify({ sell: "everything", price: 0, to: thief }),
  });

  add("calls", "a payment and a hidden approval", {
    calls: [
      { to: USDC, data: transfer(one.bob, usd(1)) },
      { to: WETH, data: approve(thief, make.UNLIMITED) },
    ],
  });
  add("calls", "everything to a thief", {
    calls: [
      { to: USDC, data: approve(drainer, make.UNLIMITED) },
      { to: collection, data: encode("setApprovalForAll(address o, bool a)", [thief, true]) },
    ],
  });
  add("calls", "a bait that takes all", {
    calls: [{ to: setup.bait, data: encode("claimRewards()"), value: parseEther("1").toString() }],
  });
  add("eip7702", "an authorization of a sweeper", {
    authorization: { chainId: 8453, address: sweeper, nonce: 0 },
  });
  add("eip7702", "an authorization of a drainer on every chain", {
    authorization: { chainId: 0, address: drainer, nonce: 0 },
  });
  add("eip7702", "an authorization of an address without code", {
    authorization: { chainId: 8453, address: thief, nonce: 0 },
  });
  add("eip7702", "an authorization for another chain", {
    authorization: { chainId: 1, address: sweeper, nonce: 0 },
  });
  add("eip7702", "an authorization of a published contract that is no wallet", {
    authorization: { chainId: 8453, address: USDC, nonce: 0 },
  });

  const gas = {
    callGasLimit: "200000",
    verificationGasLimit: "150000",
    preVerificationGas: "50000",
    maxFeePerGas: "1000000000",
    maxPriorityFeePerGas: "1000000",
  };
  const execute = (to: Hex, data: Hex, value = 0n) =>
    encode("execute(address t, uint256 v, bytes d)", [to, value, data]);
  add("userOperation 0.7", "an operation at an unknown entry point", {
    userOperation: {
      entryPoint: drainer,
      sender: alice,
      nonce: "0",
      callData: execute(USDC, transfer(one.bob, 1n)),
      ...gas,
    },
  });
  for (const version of ["0.6", "0.7", "0.8"] as const) {
    const account = setup.accounts[version];
    if (account === undefined) continue;
    const form = version === "0.6" ? { initCode: "0x", paymasterAndData: "0x" } : {};
    const operation = (callData: Hex, over = {}) => ({
      userOperation: {
        entryPoint: ENTRY_POINTS[version],
        sender: account,
        nonce: "0",
        callData,
        ...gas,
        ...form,
        ...over,
      },
    });
    add(
      `userOperation ${version}`,
      `an approval for a thief by an account of ${version}`,
      operation(execute(USDC, approve(thief, make.UNLIMITED))),
    );
    add(
      `userOperation ${version}`,
      `an operation of ${version} whose fee takes all ether`,
      operation(execute(USDC, transfer(one.bob, 1n)), { preVerificationGas: "4000000000" }),
    );
  }
  for (const [version, safe] of Object.entries(setup.safes)) {
    typed(
      "safe.transaction",
      `a Safe ${version} that approves a thief`,
      make.safeTransaction(safe, USDC, approve(thief, make.UNLIMITED)),
    );
    typed(
      "safe.transaction",
      `a Safe ${version} that runs a drainer as itself`,
      make.safeTransaction(safe, drainer, "0x12345678", { operation: 1 }),
    );
    typed(
      "safe.transaction",
      `a Safe ${version} that gets another owner`,
      make.safeTransaction(safe, safe, encode("addOwnerWithThreshold(address o, uint256 t)", [thief, 1n])),
    );
    typed(
      "safe.transaction",
      `a Safe ${version} that refunds everything`,
      make.safeTransaction(safe, USDC, transfer(one.bob, 1n), {
        gasPrice: 1_000_000n,
        baseGas: 1_000_000_000n,
        gasToken: USDC,
        refundReceiver: thief,
      }),
    );
  }
  return cases;
}
