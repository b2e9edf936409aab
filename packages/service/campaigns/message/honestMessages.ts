import type { Hex } from "@assay/protocol";
import { concatHex, maxUint160, pad, parseEther, stringToHex, toHex } from "viem";
import { encode } from "../accuracy/accuracyWorld.js";
import { approve, transfer, usd, v3Single } from "../accuracy/caseTools.js";
import { ENTRY_POINTS, MULTI_SEND, UNIVERSAL_ROUTER, USDC, WETH } from "../accuracy/setUp.js";
import * as accounts from "./accountDocuments.js";
import * as make from "./documents.js";
import { type MessageCase, toJson } from "./messageCase.js";
import type { MessageWorld } from "./messageWorld.js";
import * as orders from "./orderDocuments.js";

const AMOUNT_ENFORCER: Hex = "0xf100b0819427117ecf76ed94b358b1a5b5c6d2fc";
const TIME_ENFORCER: Hex = "0x1046bb45c8d673d4ea75321280db34899413c069";
const COUNT_ENFORCER: Hex = "0x04658b29f6b82ed55274221a06fc97d318e25416";
const EXACT_ENFORCER: Hex = "0x146713078d39ecc1f5338309c28405ccf85abfbb";

/** Messages that a careful person signs. */
export function listHonest({
  world,
  aliceNonce,
  setup,
  hasCow,
  alice,
  bob,
  listedToken,
  collection,
  oldThief: shop,
  sharedSafe,
}: MessageWorld): MessageCase[] {
  const router = world.devnet.contracts.swapRouter02 as Hex;
  const cases: MessageCase[] = [];
  const add = (kind: string, name: string, input: Record<string, unknown>) =>
    cases.push({ name, group: "honest", kind, input: { signer: alice, ...(toJson(input) as object) } });
  const typed = (kind: string, name: string, typedData: unknown, signer?: Hex) =>
    add(kind, name, { typedData, ...(signer && { signer }) });
  const swap = (dollars: number): orders.Swap => ({
    tokenIn: USDC,
    amountIn: usd(dollars),
    tokenOut: WETH,
    amountOut: (parseEther("1") * BigInt(Math.round(dollars * 980))) / 3_000_000n,
    recipient: alice,
    swapper: alice,
  });
  const back = (ether: string): orders.Swap => ({
    tokenIn: WETH,
    amountIn: parseEther(ether),
    tokenOut: USDC,
    amountOut: usd(Number(ether) * 2950),
    recipient: alice,
    swapper: alice,
  });

  typed(
    "erc20.permit",
    "a permit of an exact amount for a router",
    make.permit(listedToken, alice, router, parseEther("25")),
  );
  typed(
    "erc20.permit",
    "an unlimited permit for Permit2",
    make.permit(listedToken, alice, make.PERMIT2, make.UNLIMITED),
  );
  typed("erc20.permit", "a permit that takes an allowance back", make.permit(listedToken, alice, shop, 0n));
  typed(
    "dai.permit",
    "DAI's form for a router",
    make.daiPermit(listedToken.verifyingContract, alice, router),
  );
  typed(
    "permit2.single",
    "an allowance for the Universal Router",
    make.permitSingle(USDC, usd(50), UNIVERSAL_ROUTER),
  );
  typed(
    "permit2.single",
    "a full allowance for the Universal Router",
    make.permitSingle(WETH, maxUint160, UNIVERSAL_ROUTER),
  );
  typed(
    "permit2.batch",
    "two allowances for the Universal Router",
    make.permitBatch(
      [
        [USDC, usd(5)],
        [WETH, parseEther("0.01")],
      ],
      UNIVERSAL_ROUTER,
    ),
  );
  typed(
    "permit2.transfer",
    "a single transfer for the Universal Router",
    make.permitTransfer(USDC, usd(20), UNIVERSAL_ROUTER),
  );
  typed(
    "permit2.transferBatch",
    "a batch of transfers for the Universal Router",
    make.permitBatchTransfer(
      [
        [USDC, usd(20)],
        [WETH, parseEther("0.01")],
      ],
      UNIVERSAL_ROUTER,
    ),
  );
  typed("x402.permit2", "an x402 payment of a cent through Permit2", make.x402Permit2(shop, usd(0.01)));
  typed("x402.permit2", "an x402 payment of two dollars through Permit2", make.x402Permit2(bob, usd(2)));
  typed("x402.deposit", "a deposit of five dollars through Permit2", make.x402Deposit(usd(5)));
  typed("uniswapx.priority", "a priority order at the market's price", orders.priorityOrder(swap(300)));
  typed("uniswapx.priority", "a priority order for dollars", orders.priorityOrder(back("0.2")));
  typed(
    "uniswapx.dutch",
    "a Dutch order that falls by two percent",
    orders.dutchOrder(swap(300), (swap(300).amountOut * 98n) / 100n),
  );
  typed(
    "uniswapx.limit",
    "a limit order above the market",
    orders.limitOrder({ ...back("0.1"), amountOut: usd(330) }),
  );
  typed("erc3009.transfer", "an x402 payment of a tenth of a cent", make.payment(alice, shop, usd(0.001), 1));
  typed("erc3009.transfer", "an x402 payment of five cents", make.payment(alice, shop, usd(0.05), 2));
  typed("erc3009.transfer", "a payment of forty dollars", make.payment(alice, shop, usd(40), 3));
  typed(
    "erc3009.transfer",
    "a payment to a friend who was paid before",
    make.payment(alice, bob, usd(500), 4),
  );
  typed(
    "erc3009.receive",
    "a payment that only the payee can take",
    make.payment(alice, shop, usd(3), 5, { type: "ReceiveWithAuthorization" }),
  );
  typed(
    "x402.deposit",
    "a deposit of ten dollars into a channel",
    make.payment(alice, make.X402_COLLECTOR, usd(10), 6, { type: "ReceiveWithAuthorization" }),
  );
  typed("erc3009.cancel", "the cancellation of a payment", make.cancelPayment(alice));
  typed("x402.voucher", "a voucher of thirty cents", make.voucher(usd(0.3)));
  typed("x402.voucher", "a voucher of four dollars", make.voucher(usd(4)));

  const fee = (amount: bigint) => orders.etherItem(amount, shop);
  typed(
    "seaport.order",
    "an item listed for half an ether, with a fee",
    orders.seaportOrder(
      alice,
      [orders.nftItem(collection, 1n)],
      [orders.etherItem(parseEther("0.4875"), alice), fee(parseEther("0.0125"))],
    ),
  );
  typed(
    "seaport.order",
    "an item listed for 90 dollars",
    orders.seaportOrder(alice, [orders.nftItem(collection, 1n)], [orders.tokenItem(USDC, usd(90), alice)]),
  );
  typed(
    "seaport.order",
    "an item listed at Seaport 1.5 with royalties",
    orders.seaportOrder(
      alice,
      [orders.nftItem(collection, 2n)],
      [orders.etherItem(parseEther("0.9"), alice), fee(parseEther("0.1"))],
      { version: "1.5", verifyingContract: make.SEAPORT_15 },
    ),
  );
  typed(
    "seaport.order",
    "an item listed at a falling price",
    orders.seaportOrder(
      alice,
      [orders.nftItem(collection, 2n)],
      [orders.etherItem(parseEther("1"), alice, parseEther("0.5"))],
    ),
  );
  typed(
    "seaport.order",
    "a bid of 60 dollars for one item",
    orders.seaportOrder(
      alice,
      [orders.tokenItem(USDC, usd(60))],
      [orders.nftItem(collection, 9n, alice), orders.tokenItem(USDC, usd(1), shop)],
    ),
  );
  typed(
    "seaport.bulk",
    "two items listed at once",
    orders.seaportBulk(
      alice,
      [[orders.nftItem(collection, 1n)], [orders.etherItem(parseEther("0.3"), alice)]],
      [[orders.nftItem(collection, 2n)], [orders.etherItem(parseEther("0.4"), alice)]],
    ),
  );
  typed(
    "1inch.v4",
    "a 1inch order at the market's price",
    orders.oneInchOrder({ ...swap(200), recipient: make.ZERO }),
  );
  typed("1inch.v4", "a 1inch order for dollars", orders.oneInchOrder(back("0.3")));
  typed(
    "1inch.v3",
    "a 1inch order of the former form",
    orders.oneInchOrderV3({ ...swap(100), recipient: make.ZERO }),
  );
  typed("0x.limit", "a 0x limit order", orders.zeroExLimit(swap(100)));
  typed("0x.rfq", "a 0x RFQ order", orders.zeroExRfq(back("0.1")));
  typed("0x.otc", "a 0x OTC order", orders.zeroExOtc(swap(50)));
  typed(
    "0x.nft",
    "a 0x listing of an item with a fee",
    orders.zeroExNft(alice, collection, 1n, usd(120), shop, usd(3)),
  );

  typed("votes.delegation", "votes kept by the signer", accounts.voteDelegation(listedToken, alice));
  typed("vote", "a ballot", accounts.ballot(setup.book));
  typed("vote", "a vote on Snapshot", accounts.snapshotVote(alice));
  const amountTerms = concatHex([USDC, pad(toHex(usd(20)), { size: 32 })]);
  const timeTerms = concatHex([pad("0x0", { size: 16 }), pad(toHex(make.soon()), { size: 16 })]);
  typed(
    "eip7710.delegation",
    "a delegate that may take twenty dollars today",
    accounts.delegation(alice, shop, [
      { enforcer: AMOUNT_ENFORCER, terms: amountTerms },
      { enforcer: TIME_ENFORCER, terms: timeTerms },
    ]),
  );
  typed(
    "eip7710.delegation",
    "a delegate that may make one call",
    accounts.delegation(alice, shop, [
      { enforcer: EXACT_ENFORCER, terms: concatHex([USDC, pad("0x0", { size: 32 }), transfer(bob, usd(1))]) },
      { enforcer: COUNT_ENFORCER, terms: pad("0x01", { size: 32 }) },
      { enforcer: TIME_ENFORCER, terms: timeTerms },
    ]),
  );
  typed(
    "coinbase.spendPermission",
    "ten dollars a day for an app",
    accounts.spendPermission(alice, shop, usd(10)),
  );
  typed(
    "erc2771.forward",
    "a forwarded call that only reads",
    accounts.forwardRequest(setup.book, alice, USDC, approve(router, usd(5))),
  );

  add("signIn", "a sign-in", { personalMessage: accounts.signIn(alice) });
  add("signIn", "a sign-in with an end", {
    personalMessage: accounts.signIn(alice, {
      extra: `\nExpiration Time: ${new Date(Date.now() + 3_600_000).toISOString()}`,
    }),
  });
  add("signIn", "a sign-in with resources, asked for by the same site", {
    personalMessage: accounts.signIn(alice, { extra: "\nResources:\n- https://app.example.org/terms" }),
    origin: "https://app.example.org",
  });
  add("signIn", "a sign-in on a developer's machine", {
    personalMessage: accounts.signIn(alice, { domain: "localhost:3000", uri: "http://localhost:3000/" }),
  });
  add("text", "a market's welcome", {
    personalMessage: `Welcome to the market!\n\nClick to sign in and accept the Terms of Service and Privacy Policy.\n\nThis request will not trigger a blockchain action or cost any gas fees.\n\nWallet address:\n${alice}\n\nNonce:\n7d1c1f0e-9a3c-4f4b-8f0c-5b8e1f0c2a11`,
  });
  add("text", "a login with a challenge", {
    personalMessage: `Sign in to the exchange\n\nChallenge: ${make.nonce32(123_456)}`,
  });
  add("text", "a plain greeting as bytes", {
    personalMessage: stringToHex("Hello from Base, this proves that I own the account."),
  });

  const swapCall = v3Single(USDC, WETH, alice, usd(100), parseEther("0.032"));
  add("calls", "approve and swap", {
    calls: [
      { to: USDC, data: approve(router, usd(100)) },
      { to: router, data: swapCall },
    ],
  });
  add("calls", "a payment and a payment", {
    calls: [
      { to: USDC, data: transfer(bob, usd(5)) },
      { to: bob, value: toHex(parseEther("0.01")) },
    ],
  });
  add("calls", "one call", {
    calls: [{ to: WETH, data: encode("deposit()"), value: parseEther("0.1").toString() }],
  });
  add("calls", "approve and deposit in a vault", {
    calls: [
      { to: USDC, data: approve(setup.vault, usd(10)) },
      { to: setup.vault, data: encode("deposit(uint256 a, address r)", [usd(10), alice]) },
    ],
  });
  add("eip7702", "an authorization that takes the delegation back", {
    authorization: { chainId: 8453, address: make.ZERO, nonce: aliceNonce },
  });

  const gas = {
    callGasLimit: "200000",
    verificationGasLimit: "150000",
    preVerificationGas: "50000",
    maxFeePerGas: "1000000000",
    maxPriorityFeePerGas: "1000000",
  };
  for (const version of ["0.6", "0.7", "0.8"] as const) {
    const account = setup.accounts[version];
    if (account === undefined) continue;
    const entryPoint = ENTRY_POINTS[version];
    const form = version === "0.6" ? { initCode: "0x", paymasterAndData: "0x" } : {};
    const operation = (callData: Hex) => ({
      userOperation: { entryPoint, sender: account, nonce: "0", callData, ...gas, ...form },
    });
    const execute = (to: Hex, data: Hex, value = 0n) =>
      encode("execute(address t, uint256 v, bytes d)", [to, value, data]);
    add(
      `userOperation ${version}`,
      `a payment by an account of ${version}`,
      operation(execute(USDC, transfer(bob, usd(5)))),
    );
    add(
      `userOperation ${version}`,
      `an approval by an account of ${version}`,
      operation(execute(USDC, approve(router, usd(5)))),
    );
  }
  if (sharedSafe !== null)
    typed(
      "safe.transaction",
      "a payment of a Safe that needs two owners",
      accounts.safeTransaction(sharedSafe, USDC, transfer(bob, usd(5))),
    );
  for (const [version, safe] of Object.entries(setup.safes)) {
    typed(
      "safe.transaction",
      `a payment of a Safe ${version}`,
      accounts.safeTransaction(safe, USDC, transfer(bob, usd(7))),
    );
    typed(
      "safe.transaction",
      `an approval of a Safe ${version}`,
      accounts.safeTransaction(safe, USDC, approve(router, usd(7))),
    );
    typed(
      "erc7739",
      `a payment inside ERC-7739 by a Safe ${version}`,
      accounts.nested(make.payment(safe, bob, usd(2), 40), safe),
    );
    typed(
      "safe.message",
      `a text signed by a Safe ${version}`,
      accounts.safeMessage(safe, stringToHex("I agree to the terms of the market.")),
    );
  }
  const [safe] = Object.values(setup.safes);
  if (safe) {
    const part = (to: Hex, data: Hex) =>
      concatHex([
        "0x00",
        to,
        pad("0x0", { size: 32 }),
        pad(toHex((data.length - 2) / 2), { size: 32 }),
        data,
      ]);
    typed(
      "safe.transaction",
      "a batch of a Safe",
      accounts.safeTransaction(
        safe,
        MULTI_SEND,
        encode("multiSend(bytes t)", [
          concatHex([part(USDC, approve(router, usd(50))), part(USDC, transfer(bob, usd(1)))]),
        ]),
        { operation: 1 },
      ),
    );
  }
  if (hasCow) {
    typed("cow.order", "a CoW order at the market's price", orders.cowOrder(swap(250)));
    typed(
      "cow.order",
      "a CoW order for dollars to the signer",
      orders.cowOrder({ ...back("0.5"), recipient: make.ZERO }),
    );
  }
  if (world.packages !== undefined)
    add("eip7702", "an authorization of Simple7702Account", {
      authorization: {
        chainId: 8453,
        address: "0xe6cae83bde06e4c305530e199d7217f42808555b",
        nonce: aliceNonce,
      },
    });
  return cases;
}
