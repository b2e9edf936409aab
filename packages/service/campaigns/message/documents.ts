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

export const witnessed = (
  witnessType: string,
  types: readonly string[],
  token: Hex,
  amount: bigint,
  spender: Hex,
  witness: Readonly<Record<string, unknown>> | Hex,
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

export const UNLIMITED = maxUint256;
