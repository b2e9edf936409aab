import type { Hex } from "@assay/protocol";
import { USDC } from "../accuracy/setUp.js";
import {
  DELEGATIONS,
  nonce32,
  now,
  SPEND_PERMISSIONS,
  soon,
  type TokenDomain,
  ZERO,
  ZERO_32,
} from "./documents.js";
import { type Document, document } from "./messageCase.js";

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

interface SpendTerms {
  /** Seconds. */
  readonly period?: bigint;
  readonly start?: bigint;
  readonly end?: bigint;
  readonly token?: Hex;
}

export const spendPermission = (
  account: Hex,
  spender: Hex,
  allowance: bigint,
  { period = 86_400n, start = now(), end = now() + 86_400n * 30n, token = USDC }: SpendTerms = {},
): Document =>
  document(
    [
      "SpendPermission(address account,address spender,address token,uint160 allowance,uint48 period,uint48 start,uint48 end,uint256 salt,bytes extraData)",
    ],
    { name: "Spend Permission Manager", version: "1", verifyingContract: SPEND_PERMISSIONS },
    { account, spender, token, allowance, period, start, end, salt: 1n, extraData: "0x" },
  );

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
