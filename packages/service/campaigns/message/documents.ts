import type { Hex } from "@assay/protocol";
import { maxUint256 } from "viem";
import { USDC } from "../accuracy/setUp.js";
import { type Document, document } from "./messageCase.js";

export const now = () => BigInt(Math.floor(Date.now() / 1000));
export const soon = () => now() + 1800n;
export const ZERO: Hex = "0x0000000000000000000000000000000000000000";
export const ZERO_32: Hex = `0x${"0".repeat(64)}`;
export const nonce32 = (seed: number): Hex => `0x${seed.toString(16).padStart(64, "0")}`;

export const SEAPORT: Hex = "0x0000000000000068f116a894984e2db1123eb395";
export const SEAPORT_15: Hex = "0x00000000000000adc04c56bf30ac9d3c0aaf14dc";
export const COW: Hex = "0x9008d19f58aabd9ed0d60971565aa8510560ab41";
export const PRIORITY_REACTOR: Hex = "0x000000001ec5656dcdb24d90dfa42742738de729";
export const V3_REACTOR: Hex = "0x000000008a8330b5d1f43a62bf4c673a49f27ba0";
export const ONE_INCH: Hex = "0x111111125421ca6dc452d289314280a0f8842a65";
export const ONE_INCH_V5: Hex = "0x1111111254eeb25477b68fb85ed929f73a960582";
export const ZERO_EX: Hex = "0xdef1c0ded9bec7f1a1670819833240f027b25eff";
export const X402_PROXY: Hex = "0x402085c248eea27d92e8b30b2c58ed07f9e20001";
export const X402_COLLECTOR: Hex = "0x4020806089470a89826cb9fb1f4059150b550004";
export const X402_PERMIT2_COLLECTOR: Hex = "0x4020425faf3b746c082c2f942b4e5159887b0005";
export const X402_CHANNELS: Hex = "0x4020074e9df2ce1dee5a9c1b5c3f541d02a10003";
export const DELEGATIONS: Hex = "0xdb9b1e94b5b69df7e401ddbede43491141047db3";
export const SPEND_PERMISSIONS: Hex = "0xf85210b21cc50302f477ba56686d2019dc9b67ad";

const usdcDomain = { name: "USD Coin", version: "2", verifyingContract: USDC };

export type TokenDomain = Readonly<Record<"name" | "version", string>> & { readonly verifyingContract: Hex };

export const permit = (
  token: TokenDomain,
  owner: Hex,
  spender: Hex,
  value: bigint,
  deadline = soon(),
  nonce = 0n,
): Document =>
  document(["Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"], token, {
    owner,
    spender,
    value,
    nonce,
    deadline,
  });

export const daiPermit = (token: Hex, holder: Hex, spender: Hex, allowed = true): Document =>
  document(
    ["Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)"],
    { name: "Savings Dai", version: "1", verifyingContract: token },
    { holder, spender, nonce: 0n, expiry: soon(), allowed },
  );

/** Aerodrome's: of the other one the code is published, and no package has it. */
export const PERMIT2: Hex = "0x494bbd8a3302aca833d307d11838f18dbada9c25";
const permit2Domain = { name: "Permit2", verifyingContract: PERMIT2 };
const PERMIT_DETAILS = "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)";
const TOKEN_PERMISSIONS = "TokenPermissions(address token,uint256 amount)";

export const permitSingle = (
  token: Hex,
  amount: bigint,
  spender: Hex,
  expiration = soon(),
  domain: Readonly<Record<string, unknown>> = permit2Domain,
): Document =>
  document(
    ["PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)", PERMIT_DETAILS],
    domain,
    {
      details: { token, amount, expiration, nonce: 0n },
      spender,
      sigDeadline: soon(),
    },
  );

export const permitBatch = (tokens: readonly (readonly [Hex, bigint])[], spender: Hex): Document =>
  document(
    ["PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)", PERMIT_DETAILS],
    permit2Domain,
    {
      details: tokens.map(([token, amount]) => ({ token, amount, expiration: soon(), nonce: 0n })),
      spender,
      sigDeadline: soon(),
    },
  );

export const permitTransfer = (token: Hex, amount: bigint, spender: Hex): Document =>
  document(
    [
      "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)",
      TOKEN_PERMISSIONS,
    ],
    permit2Domain,
    { permitted: { token, amount }, spender, nonce: 7n, deadline: soon() },
  );

export const permitBatchTransfer = (tokens: readonly (readonly [Hex, bigint])[], spender: Hex): Document =>
  document(
    [
      "PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)",
      TOKEN_PERMISSIONS,
    ],
    permit2Domain,
    { permitted: tokens.map(([token, amount]) => ({ token, amount })), spender, nonce: 8n, deadline: soon() },
  );

const witnessed = (
  witnessType: string,
  types: readonly string[],
  token: Hex,
  amount: bigint,
  spender: Hex,
  witness: Readonly<Record<string, unknown>>,
): Document =>
  document(
    [
      `PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,${witnessType} witness)`,
      TOKEN_PERMISSIONS,
      ...types,
    ],
    permit2Domain,
    { permitted: { token, amount }, spender, nonce: 9n, deadline: soon(), witness },
  );

export const x402Permit2 = (to: Hex, amount: bigint, spender: Hex = X402_PROXY): Document =>
  witnessed("Witness", ["Witness(address to,uint256 validAfter)"], USDC, amount, spender, {
    to,
    validAfter: 0n,
  });

export const x402Deposit = (amount: bigint, spender: Hex = X402_PERMIT2_COLLECTOR): Document =>
  witnessed("DepositWitness", ["DepositWitness(bytes32 channelId)"], USDC, amount, spender, {
    channelId: nonce32(5),
  });

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

export const payment = (
  from: Hex,
  to: Hex,
  value: bigint,
  seed: number,
  {
    type = "TransferWithAuthorization",
    domain = usdcDomain as Readonly<Record<string, unknown>>,
    before = soon(),
  } = {},
): Document =>
  document(
    [`${type}(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)`],
    domain,
    { from, to, value, validAfter: 0n, validBefore: before, nonce: nonce32(seed) },
  );

export const cancelPayment = (authorizer: Hex): Document =>
  document(["CancelAuthorization(address authorizer,bytes32 nonce)"], usdcDomain, {
    authorizer,
    nonce: nonce32(99),
  });

export const voucher = (amount: bigint, verifyingContract: Hex = X402_CHANNELS): Document =>
  document(
    ["Voucher(bytes32 channelId,uint128 maxClaimableAmount)"],
    { name: "x402 Batch Settlement", version: "1", verifyingContract },
    { channelId: nonce32(5), maxClaimableAmount: amount },
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

export const oneInchOrder = ({
  tokenIn,
  amountIn,
  tokenOut,
  amountOut,
  recipient,
  swapper,
}: Swap): Document =>
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
      makerTraits: soon() << 80n,
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

export const safeTransaction = (
  safe: Hex,
  to: Hex,
  data: Hex,
  { value = 0n, operation = 0, gasPrice = 0n, baseGas = 0n, gasToken = ZERO, refundReceiver = ZERO } = {},
): Document =>
  document(
    [
      "SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)",
    ],
    { verifyingContract: safe },
    { to, value, data, operation, safeTxGas: 0n, baseGas, gasPrice, gasToken, refundReceiver, nonce: 0n },
  );

export const safeMessage = (safe: Hex, message: Hex): Document =>
  document(["SafeMessage(bytes message)"], { verifyingContract: safe }, { message });

export const replaySafe = (account: Hex, name: "Coinbase Smart Wallet" | "Kernel", hash: Hex): Document =>
  document(
    [name === "Kernel" ? "Kernel(bytes32 hash)" : "CoinbaseSmartWalletMessage(bytes32 hash)"],
    { name, version: "1", verifyingContract: account },
    { hash },
  );

/** ERC-7739: the account's own fields around another document. */
export const nested = ({ types, primaryType, domain, message }: Document, account: Hex): Document => ({
  types: {
    TypedDataSign: [
      { name: "contents", type: primaryType },
      { name: "name", type: "string" },
      { name: "version", type: "string" },
      { name: "chainId", type: "uint256" },
      { name: "verifyingContract", type: "address" },
      { name: "salt", type: "bytes32" },
    ],
    ...types,
  },
  primaryType: "TypedDataSign",
  domain,
  message: {
    contents: message,
    name: "Account",
    version: "1",
    chainId: 8453,
    verifyingContract: account,
    salt: ZERO_32,
  },
});

export const forwardRequest = (forwarder: Hex, from: Hex, to: Hex, data: Hex, value = 0n): Document =>
  document(
    [
      "ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,uint48 deadline,bytes data)",
    ],
    { name: "Forwarder", version: "1", verifyingContract: forwarder },
    { from, to, value, gas: 500_000n, nonce: 0n, deadline: soon(), data },
  );

export const voteDelegation = (token: TokenDomain, delegatee: Hex): Document =>
  document(["Delegation(address delegatee,uint256 nonce,uint256 expiry)"], token, {
    delegatee,
    nonce: 0n,
    expiry: soon(),
  });

export const ballot = (governor: Hex): Document =>
  document(
    ["Ballot(uint256 proposalId,uint8 support,address voter,uint256 nonce)"],
    { name: "Governor", version: "1", verifyingContract: governor },
    { proposalId: 12n, support: 1, voter: ZERO, nonce: 0n },
  );

export const snapshotVote = (from: Hex): Document => ({
  ...document(
    [
      "Vote(address from,string space,uint64 timestamp,bytes32 proposal,uint32 choice,string reason,string app,string metadata)",
    ],
    {},
    {
      from,
      space: "aerodrome.eth",
      timestamp: now(),
      proposal: nonce32(77),
      choice: 1,
      reason: "",
      app: "snapshot",
      metadata: "{}",
    },
  ),
  domain: { name: "snapshot", version: "0.1.4" },
});

export interface Caveat {
  readonly enforcer: Hex;
  readonly terms: Hex;
}
export const delegation = (delegator: Hex, delegate: Hex, caveats: readonly Caveat[]): Document =>
  document(
    [
      "Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)",
      "Caveat(address enforcer,bytes terms)",
    ],
    { name: "DelegationManager", version: "1", verifyingContract: DELEGATIONS },
    { delegate, delegator, authority: `0x${"f".repeat(64)}`, caveats, salt: 1n },
  );

export const spendPermission = (account: Hex, spender: Hex, allowance: bigint): Document =>
  document(
    [
      "SpendPermission(address account,address spender,address token,uint160 allowance,uint48 period,uint48 start,uint48 end,uint256 salt,bytes extraData)",
    ],
    { name: "Spend Permission Manager", version: "1", verifyingContract: SPEND_PERMISSIONS },
    {
      account,
      spender,
      token: USDC,
      allowance,
      period: 86_400n,
      start: now(),
      end: now() + 86_400n * 30n,
      salt: 1n,
      extraData: "0x",
    },
  );

export const UNLIMITED = maxUint256;

interface SignInTerms {
  readonly domain?: string;
  readonly uri?: string;
  readonly nonce?: string;
  readonly account?: string;
  readonly extra?: string;
}

export function signIn(signer: string, terms: SignInTerms = {}): string {
  const { domain = "app.example.org", nonce = "k3JfB9xQ2m", account = signer, extra = "" } = terms;
  const { uri = `https://${domain}/login` } = terms;
  return `${domain} wants you to sign in with your Ethereum account:\n${account}\n\nSign in to the app.\n\nURI: ${uri}\nVersion: 1\nChain ID: 8453\nNonce: ${nonce}\nIssued At: ${new Date().toISOString()}${extra}`;
}
