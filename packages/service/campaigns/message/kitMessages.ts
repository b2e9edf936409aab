import { createRequire } from "node:module";
import { join } from "node:path";
import type { Hex } from "@assay/protocol";
import { parseEther } from "viem";
import { usd } from "../accuracy/caseTools.js";
import { UNIVERSAL_ROUTER, USDC, WETH } from "../accuracy/setUp.js";
import { delegation } from "./accountDocuments.js";
import { COW, now, PERMIT2, PRIORITY_REACTOR, SEAPORT, soon, ZERO, ZERO_32 } from "./documents.js";
import { type Document, type MessageCase, toJson } from "./messageCase.js";
import type { MessageWorld } from "./messageWorld.js";

type Values = Readonly<Record<string, unknown>>;
interface TypedParts {
  readonly domain: Values;
  readonly types: Values;
  readonly values: Values;
}
interface Kits {
  readonly ethers: {
    readonly BigNumber: { from(value: bigint | string): unknown };
    readonly utils: {
      readonly _TypedDataEncoder: { getPayload(domain: Values, types: Values, values: Values): Document };
    };
  };
  readonly permit2: Readonly<
    Record<
      "AllowanceTransfer" | "SignatureTransfer",
      { getPermitData(permit: Values, permit2: Hex, chainId: number): TypedParts }
    >
  >;
  readonly uniswapX: {
    readonly UnsignedPriorityOrder: new (
      info: Values,
      chainId: number,
      permit2: Hex,
    ) => { permitData(): TypedParts };
  };
  readonly seaport: { readonly EIP_712_ORDER_TYPE: Values };
  readonly cow: {
    domain(chainId: number, contract: Hex): Values;
    readonly ORDER_TYPE_FIELDS: readonly Values[];
    normalizeOrder(order: Values): Values;
  };
  readonly oneInch: {
    readonly Address: new (address: Hex) => unknown;
    readonly MakerTraits: { default(): { withExpiration(end: bigint): unknown } };
    readonly LimitOrder: new (info: Values, traits: unknown) => { getTypedData(chainId: number): Document };
  };
  readonly siwe: { readonly SiweMessage: new (parts: Values) => { prepareMessage(): string } };
  readonly delegations: Readonly<Record<string, (terms: Values) => Hex>>;
}

function loadKits(folder: string): Kits {
  const load = createRequire(join(folder, "package.json"));
  return {
    ethers: (load("ethers") as { ethers: Kits["ethers"] }).ethers,
    permit2: load("@uniswap/permit2-sdk") as Kits["permit2"],
    uniswapX: load("@uniswap/uniswapx-sdk") as Kits["uniswapX"],
    seaport: load("@opensea/seaport-js/lib/constants") as Kits["seaport"],
    cow: load("@cowprotocol/contracts") as Kits["cow"],
    oneInch: load("@1inch/limit-order-sdk") as Kits["oneInch"],
    siwe: load("siwe") as Kits["siwe"],
    delegations: load("@metamask/delegation-core") as Kits["delegations"],
  };
}

const PERIOD_ENFORCER: Hex = "0x474e3ae7e169e940607cc624da8a15eb120139ab";
const TIME_ENFORCER: Hex = "0x1046bb45c8d673d4ea75321280db34899413c069";

/** Messages that the protocols' own packages make, honest and hostile by their terms alone. */
export function listKitMessages(
  folder: string,
  { alice, thief, oldThief: app, collection }: MessageWorld,
): MessageCase[] {
  const kits = loadKits(folder);
  const cases: MessageCase[] = [];
  const add = (group: MessageCase["group"], kind: string, name: string, input: Values) =>
    cases.push({
      name: `${name}, made by its kit`,
      group,
      kind,
      input: { signer: alice, ...(toJson(input) as object) },
    });
  const payload = ({ domain, types, values }: TypedParts) =>
    kits.ethers.utils._TypedDataEncoder.getPayload(domain, types, values);
  const both = (kind: string, honest: readonly [string, Document], hostile: readonly [string, Document]) => {
    add("honest", kind, honest[0], { typedData: honest[1] });
    add("hostile", kind, hostile[0], { typedData: hostile[1] });
  };
  const allowance = (spender: Hex, amounts: readonly bigint[], isBatch: boolean) => {
    const details = amounts.map((amount, index) => ({
      token: index === 0 ? USDC : WETH,
      amount: amount.toString(),
      expiration: soon().toString(),
      nonce: "0",
    }));
    const permit = { details: isBatch ? details : details[0], spender, sigDeadline: soon().toString() };
    return payload(kits.permit2.AllowanceTransfer.getPermitData(permit, PERMIT2, 8453));
  };
  const everything = 2n ** 160n - 1n;
  both(
    "permit2.single",
    ["an allowance for the Universal Router", allowance(UNIVERSAL_ROUTER, [usd(30)], false)],
    ["an allowance of everything for a thief", allowance(thief, [everything], false)],
  );
  both(
    "permit2.batch",
    ["allowances for the Universal Router", allowance(UNIVERSAL_ROUTER, [usd(30), parseEther("0.1")], true)],
    ["allowances of everything for a thief", allowance(thief, [everything, everything], true)],
  );
  const transfer = (spender: Hex, amount: bigint) =>
    payload(
      kits.permit2.SignatureTransfer.getPermitData(
        {
          permitted: { token: USDC, amount: amount.toString() },
          spender,
          nonce: "77",
          deadline: soon().toString(),
        },
        PERMIT2,
        8453,
      ),
    );
  both(
    "permit2.transfer",
    ["a transfer for the Universal Router", transfer(UNIVERSAL_ROUTER, usd(30))],
    ["a transfer of everything for a thief", transfer(thief, usd(1_000_000))],
  );
  const number = (value: bigint) => kits.ethers.BigNumber.from(value.toString());
  const priority = (recipient: Hex, amount: bigint) =>
    payload(
      new kits.uniswapX.UnsignedPriorityOrder(
        {
          reactor: PRIORITY_REACTOR,
          swapper: alice,
          nonce: number(78n),
          deadline: Number(soon()),
          additionalValidationContract: ZERO,
          additionalValidationData: "0x",
          cosigner: ZERO,
          auctionStartBlock: number(1n),
          baselinePriorityFeeWei: number(0n),
          input: { token: USDC, amount: number(usd(300)), mpsPerPriorityFeeWei: number(0n) },
          outputs: [{ token: WETH, amount: number(amount), mpsPerPriorityFeeWei: number(1n), recipient }],
        },
        8453,
        PERMIT2,
      ).permitData(),
    );
  both(
    "uniswapx.priority",
    ["a priority order", priority(alice, parseEther("0.098"))],
    ["a priority order for a thief", priority(thief, parseEther("0.098"))],
  );
  const listing = (wei: bigint, recipient: Hex) =>
    payload({
      domain: { name: "Seaport", version: "1.6", chainId: 8453, verifyingContract: SEAPORT },
      types: kits.seaport.EIP_712_ORDER_TYPE,
      values: {
        offerer: alice,
        zone: ZERO,
        offer: [
          { itemType: 2, token: collection, identifierOrCriteria: "1", startAmount: "1", endAmount: "1" },
        ],
        consideration: [
          {
            itemType: 0,
            token: ZERO,
            identifierOrCriteria: "0",
            startAmount: wei.toString(),
            endAmount: wei.toString(),
            recipient,
          },
        ],
        orderType: 0,
        startTime: (now() - 60n).toString(),
        endTime: soon().toString(),
        zoneHash: ZERO_32,
        salt: "1",
        conduitKey: ZERO_32,
        counter: "0",
      },
    });
  both(
    "seaport.order",
    ["a listing", listing(parseEther("0.4"), alice)],
    ["a listing for nothing", listing(1n, alice)],
  );
  const cowOrder = (receiver: Hex, buyAmount: bigint) =>
    payload({
      domain: kits.cow.domain(8453, COW),
      types: { Order: kits.cow.ORDER_TYPE_FIELDS },
      values: kits.cow.normalizeOrder({
        sellToken: USDC,
        buyToken: WETH,
        receiver,
        sellAmount: usd(300).toString(),
        buyAmount: buyAmount.toString(),
        validTo: Number(soon()),
        appData: ZERO_32,
        feeAmount: "0",
        kind: "sell",
        partiallyFillable: false,
      }),
    });
  both(
    "cow.order",
    ["a CoW order", cowOrder(alice, parseEther("0.098"))],
    ["a CoW order for a thief", cowOrder(thief, parseEther("0.098"))],
  );
  const limit = (takingAmount: bigint) => {
    const { Address, LimitOrder, MakerTraits } = kits.oneInch;
    const info = {
      makerAsset: new Address(USDC),
      takerAsset: new Address(WETH),
      makingAmount: usd(300),
      takingAmount,
      maker: new Address(alice),
    };
    return new LimitOrder(info, MakerTraits.default().withExpiration(soon())).getTypedData(8453);
  };
  both(
    "1inch.v4",
    ["a 1inch order", limit(parseEther("0.099"))],
    ["a 1inch order for almost nothing", limit(1000n)],
  );
  const signIn = (address: string, uri: string) =>
    new kits.siwe.SiweMessage({
      domain: "app.example.org",
      address,
      statement: "Sign in.",
      uri,
      version: "1",
      chainId: 8453,
      nonce: "a8Kd03jfLq",
    }).prepareMessage();
  const { getAddress } = kits.ethers.utils as unknown as { getAddress(text: string): string };
  add("honest", "signIn", "a sign-in", {
    personalMessage: signIn(getAddress(alice), "https://app.example.org/login"),
  });
  add("hostile", "signIn", "a sign-in whose URI is elsewhere", {
    personalMessage: signIn(getAddress(alice), "https://evil.example.net/"),
  });
  const period = (dollars: number) =>
    kits.delegations.createERC20TokenPeriodTransferTerms?.({
      tokenAddress: USDC,
      periodAmount: usd(dollars),
      periodDuration: 86_400,
      startDate: Number(now()),
    }) ?? "0x";
  const time =
    kits.delegations.createTimestampTerms?.({
      timestampAfterThreshold: 0,
      timestampBeforeThreshold: Number(soon()),
    }) ?? "0x";
  both(
    "eip7710.delegation",
    [
      "five dollars a day for an app, for half an hour",
      delegation(alice, app, [
        { enforcer: PERIOD_ENFORCER, terms: period(5) },
        { enforcer: TIME_ENFORCER, terms: time },
      ]),
    ],
    [
      "a million dollars a day",
      delegation(alice, thief, [{ enforcer: PERIOD_ENFORCER, terms: period(1_000_000) }]),
    ],
  );
  return cases;
}
