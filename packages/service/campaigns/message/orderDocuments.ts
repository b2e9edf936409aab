import type { Hex } from "@assay/protocol";
import { USDC } from "../accuracy/setUp.js";
import {
  COW,
  now,
  ONE_INCH,
  ONE_INCH_V5,
  PRIORITY_REACTOR,
  SEAPORT,
  soon,
  V3_REACTOR,
  witnessed,
  ZERO,
  ZERO_32,
  ZERO_EX,
} from "./documents.js";
import { type Document, document } from "./messageCase.js";

const ORDER_INFO =
  "OrderInfo(address reactor,address swapper,uint256 nonce,uint256 deadline,address additionalValidationContract,bytes additionalValidationData)";
const orderInfo = (reactor: Hex, swapper: Hex) => ({
  reactor,
  swapper,
  nonce: 9n,
  deadline: soon(),
  additionalValidationContract: ZERO,
  additionalValidationData: "0x",
});

export interface Swap {
  readonly tokenIn: Hex;
  readonly amountIn: bigint;
  readonly tokenOut: Hex;
  readonly amountOut: bigint;
  readonly recipient: Hex;
  readonly swapper: Hex;
}

export const priorityOrder = (
  { tokenIn, amountIn, tokenOut, amountOut, recipient, swapper }: Swap,
  reactor = PRIORITY_REACTOR,
): Document =>
  witnessed(
    "PriorityOrder",
    [
      ORDER_INFO,
      "PriorityInput(address token,uint256 amount,uint256 mpsPerPriorityFeeWei)",
      "PriorityOrder(OrderInfo info,address cosigner,uint256 auctionStartBlock,uint256 baselinePriorityFeeWei,PriorityInput input,PriorityOutput[] outputs)",
      "PriorityOutput(address token,uint256 amount,uint256 mpsPerPriorityFeeWei,address recipient)",
    ],
    tokenIn,
    amountIn,
    reactor,
    {
      info: orderInfo(reactor, swapper),
      cosigner: ZERO,
      auctionStartBlock: 0n,
      baselinePriorityFeeWei: 0n,
      input: { token: tokenIn, amount: amountIn, mpsPerPriorityFeeWei: 0n },
      outputs: [{ token: tokenOut, amount: amountOut, mpsPerPriorityFeeWei: 1n, recipient }],
    },
  );

export const dutchOrder = (
  { tokenIn, amountIn, tokenOut, amountOut, recipient, swapper }: Swap,
  endAmount = amountOut,
): Document =>
  witnessed(
    "ExclusiveDutchOrder",
    [
      ORDER_INFO,
      "DutchOutput(address token,uint256 startAmount,uint256 endAmount,address recipient)",
      "ExclusiveDutchOrder(OrderInfo info,uint256 decayStartTime,uint256 decayEndTime,address exclusiveFiller,uint256 exclusivityOverrideBps,address inputToken,uint256 inputStartAmount,uint256 inputEndAmount,DutchOutput[] outputs)",
    ],
    tokenIn,
    amountIn,
    V3_REACTOR,
    {
      info: orderInfo(V3_REACTOR, swapper),
      decayStartTime: now(),
      decayEndTime: soon(),
      exclusiveFiller: ZERO,
      exclusivityOverrideBps: 0n,
      inputToken: tokenIn,
      inputStartAmount: amountIn,
      inputEndAmount: amountIn,
      outputs: [{ token: tokenOut, startAmount: amountOut, endAmount, recipient }],
    },
  );

export const limitOrder = ({ tokenIn, amountIn, tokenOut, amountOut, recipient, swapper }: Swap): Document =>
  witnessed(
    "LimitOrder",
    [
      ORDER_INFO,
      "LimitOrder(OrderInfo info,address inputToken,uint256 inputAmount,OutputToken[] outputs)",
      "OutputToken(address token,uint256 amount,address recipient)",
    ],
    tokenIn,
    amountIn,
    V3_REACTOR,
    {
      info: orderInfo(V3_REACTOR, swapper),
      inputToken: tokenIn,
      inputAmount: amountIn,
      outputs: [{ token: tokenOut, amount: amountOut, recipient }],
    },
  );

const CONSIDERATION =
  "ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)";
const OFFER =
  "OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)";
const COMPONENTS =
  "OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)";

export interface SeaportItem {
  readonly itemType: number;
  readonly token: Hex;
  readonly identifierOrCriteria: bigint;
  readonly startAmount: bigint;
  readonly endAmount: bigint;
  readonly recipient?: Hex;
}
export const etherItem = (amount: bigint, recipient: Hex, end = amount): SeaportItem => ({
  itemType: 0,
  token: ZERO,
  identifierOrCriteria: 0n,
  startAmount: amount,
  endAmount: end,
  recipient,
});
export const tokenItem = (token: Hex, amount: bigint, recipient?: Hex): SeaportItem => ({
  itemType: 1,
  token,
  identifierOrCriteria: 0n,
  startAmount: amount,
  endAmount: amount,
  ...(recipient && { recipient }),
});
export const nftItem = (token: Hex, id: bigint, recipient?: Hex): SeaportItem => ({
  itemType: 2,
  token,
  identifierOrCriteria: id,
  startAmount: 1n,
  endAmount: 1n,
  ...(recipient && { recipient }),
});

const components = (
  offerer: Hex,
  offer: readonly SeaportItem[],
  consideration: readonly SeaportItem[],
  endTime = now() + 86_400n * 7n,
) => ({
  offerer,
  zone: ZERO,
  offer,
  consideration,
  orderType: 0,
  startTime: now() - 60n,
  endTime,
  zoneHash: ZERO_32,
  salt: 42n,
  conduitKey: ZERO_32,
  counter: 0n,
});

export const seaportOrder = (
  offerer: Hex,
  offer: readonly SeaportItem[],
  consideration: readonly SeaportItem[],
  { version = "1.6", verifyingContract = SEAPORT as Hex, endTime = now() + 86_400n * 7n } = {},
): Document =>
  document(
    [COMPONENTS, CONSIDERATION, OFFER],
    { name: "Seaport", version, verifyingContract },
    components(offerer, offer, consideration, endTime),
  );

export const seaportBulk = (
  offerer: Hex,
  first: readonly [readonly SeaportItem[], readonly SeaportItem[]],
  second: readonly [readonly SeaportItem[], readonly SeaportItem[]],
): Document =>
  document(
    ["BulkOrder(OrderComponents[2] tree)", COMPONENTS, CONSIDERATION, OFFER],
    { name: "Seaport", version: "1.6", verifyingContract: SEAPORT },
    { tree: [components(offerer, ...first), components(offerer, ...second)] },
  );

export const cowOrder = (
  { tokenIn, amountIn, tokenOut, amountOut, recipient }: Swap,
  verifyingContract: Hex = COW,
): Document =>
  document(
    [
      "Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)",
    ],
    { name: "Gnosis Protocol", version: "v2", verifyingContract },
    {
      sellToken: tokenIn,
      buyToken: tokenOut,
      receiver: recipient,
      sellAmount: amountIn,
      buyAmount: amountOut,
      validTo: soon(),
      appData: ZERO_32,
      feeAmount: 0n,
      kind: "sell",
      partiallyFillable: false,
      sellTokenBalance: "erc20",
      buyTokenBalance: "erc20",
    },
  );

export const oneInchOrder = (
  { tokenIn, amountIn, tokenOut, amountOut, recipient, swapper }: Swap,
  traits = 0n,
): Document =>
  document(
    [
      "Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)",
    ],
    { name: "1inch Aggregation Router", version: "6", verifyingContract: ONE_INCH },
    {
      salt: 1n,
      maker: swapper,
      receiver: recipient,
      makerAsset: tokenIn,
      takerAsset: tokenOut,
      makingAmount: amountIn,
      takingAmount: amountOut,
      makerTraits: (soon() << 80n) | traits,
    },
  );

export const oneInchOrderV3 = (
  { tokenIn, amountIn, tokenOut, amountOut, recipient, swapper }: Swap,
  interactions = "0x",
): Document =>
  document(
    [
      "Order(uint256 salt,address makerAsset,address takerAsset,address maker,address receiver,address allowedSender,uint256 makingAmount,uint256 takingAmount,uint256 offsets,bytes interactions)",
    ],
    { name: "1inch Aggregation Router", version: "5", verifyingContract: ONE_INCH_V5 },
    {
      salt: 1n,
      makerAsset: tokenIn,
      takerAsset: tokenOut,
      maker: swapper,
      receiver: recipient,
      allowedSender: ZERO,
      makingAmount: amountIn,
      takingAmount: amountOut,
      offsets: 0n,
      interactions,
    },
  );

const zeroExDomain = { name: "ZeroEx", version: "1.0.0", verifyingContract: ZERO_EX };
export const zeroExLimit = ({ tokenIn, amountIn, tokenOut, amountOut, swapper }: Swap): Document =>
  document(
    [
      "LimitOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,uint128 takerTokenFeeAmount,address maker,address taker,address sender,address feeRecipient,bytes32 pool,uint64 expiry,uint256 salt)",
    ],
    zeroExDomain,
    {
      makerToken: tokenIn,
      takerToken: tokenOut,
      makerAmount: amountIn,
      takerAmount: amountOut,
      takerTokenFeeAmount: 0n,
      maker: swapper,
      taker: ZERO,
      sender: ZERO,
      feeRecipient: ZERO,
      pool: ZERO_32,
      expiry: soon(),
      salt: 1n,
    },
  );
export const zeroExRfq = ({ tokenIn, amountIn, tokenOut, amountOut, swapper }: Swap): Document =>
  document(
    [
      "RfqOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,address maker,address taker,address txOrigin,bytes32 pool,uint64 expiry,uint256 salt)",
    ],
    zeroExDomain,
    {
      makerToken: tokenIn,
      takerToken: tokenOut,
      makerAmount: amountIn,
      takerAmount: amountOut,
      maker: swapper,
      taker: ZERO,
      txOrigin: swapper,
      pool: ZERO_32,
      expiry: soon(),
      salt: 1n,
    },
  );
export const zeroExOtc = (
  { tokenIn, amountIn, tokenOut, amountOut, swapper }: Swap,
  taker: Hex = ZERO,
): Document =>
  document(
    [
      "OtcOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,address maker,address taker,address txOrigin,uint256 expiryAndNonce)",
    ],
    zeroExDomain,
    {
      makerToken: tokenIn,
      takerToken: tokenOut,
      makerAmount: amountIn,
      takerAmount: amountOut,
      maker: swapper,
      taker,
      txOrigin: swapper,
      expiryAndNonce: (soon() << 192n) + 1n,
    },
  );
export const zeroExNft = (
  maker: Hex,
  collection: Hex,
  id: bigint,
  price: bigint,
  feeTo: Hex,
  fee: bigint,
): Document =>
  document(
    [
      "ERC721Order(uint8 direction,address maker,address taker,uint256 expiry,uint256 nonce,address erc20Token,uint256 erc20TokenAmount,Fee[] fees,address erc721Token,uint256 erc721TokenId,Property[] erc721TokenProperties)",
      "Fee(address recipient,uint256 amount,bytes feeData)",
      "Property(address propertyValidator,bytes propertyData)",
    ],
    zeroExDomain,
    {
      direction: 0,
      maker,
      taker: ZERO,
      expiry: soon(),
      nonce: 1n,
      erc20Token: USDC,
      erc20TokenAmount: price,
      fees: [{ recipient: feeTo, amount: fee, feeData: "0x" }],
      erc721Token: collection,
      erc721TokenId: id,
      erc721TokenProperties: [],
    },
  );
