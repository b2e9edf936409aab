/** What the proxy does with a method before it reads anything else. */
export type MethodClass =
  | { readonly kind: "pass" }
  | { readonly kind: "judge" }
  | { readonly kind: "refuse"; readonly why: string };

/** Methods that sign or send, and are understood. */
export const judgedMethods = [
  "eth_sendTransaction",
  "eth_signTransaction",
  "eth_sendRawTransaction",
  "eth_sendRawTransactionSync",
  "eth_sendRawTransactionConditional",
  "eth_sendPrivateRawTransaction",
  "eth_sendPrivateTransaction",
  "eth_sendBundle",
  "personal_sign",
  "eth_signTypedData_v4",
  "wallet_sendCalls",
  "eth_sendUserOperation",
] as const;
export type JudgedMethod = (typeof judgedMethods)[number];

const blind = "it signs a hash, which hides what it stands for. Use personal_sign or eth_signTypedData_v4";
const olderForm = "wallets differ on what this older form signs. Use eth_signTypedData_v4";
const session = "it lets another party act for the account later, without being asked again";
const key = "it hands out or unlocks a key, or signs with a password";
const nested = "it carries another request inside, which is not read";

/** Methods that sign, send or give power away, and are never forwarded. */
const refused: Readonly<Record<string, string>> = {
  eth_sign: blind,
  account_signData: blind,
  eth_signTypedData: olderForm,
  eth_signTypedData_v1: olderForm,
  eth_signTypedData_v3: olderForm,
  account_signTypedData: olderForm,
  eth_resend: "it signs a transaction again. Send it with eth_sendTransaction",
  eth_callBundle: "it hands signed transactions to a builder, who may include them. Use eth_simulateV1",
  trace_rawTransaction: "it hands a signed transaction to the node, which may send it. Use trace_call",
  mev_sendBundle: "transactions of a bundle depend on each other and cannot be judged one by one",
  wallet_sendPreparedCalls: "what was prepared is not in the request. Use wallet_sendCalls",
  wallet_grantPermissions: session,
  wallet_requestExecutionPermissions: session,
  wallet_createSession: session,
  wallet_addSubAccount: session,
  wallet_invokeMethod: nested,
  wallet_connect: nested,
  wallet_addEthereumChain: "it gives the wallet another node for a chain",
  personal_sendTransaction: key,
  personal_signTransaction: key,
  personal_unlockAccount: key,
  personal_importRawKey: key,
  personal_newAccount: key,
  eth_decrypt: key,
  account_signTransaction: "it is of another signer's interface. Use eth_signTransaction",
};

/** Methods that read, or change nothing but the node's own bookkeeping. */
const passing = new Set([
  "eth_accounts",
  "eth_requestAccounts",
  "eth_blockNumber",
  "eth_chainId",
  "eth_coinbase",
  "eth_gasPrice",
  "eth_blobBaseFee",
  "eth_baseFee",
  "eth_maxPriorityFeePerGas",
  "eth_feeHistory",
  "eth_syncing",
  "eth_mining",
  "eth_hashrate",
  "eth_protocolVersion",
  "eth_config",
  "eth_capabilities",
  "eth_createAccessList",
  "eth_fillTransaction",
  "eth_simulateV1",
  "eth_newFilter",
  "eth_newBlockFilter",
  "eth_newPendingTransactionFilter",
  "eth_uninstallFilter",
  "eth_subscribe",
  "eth_unsubscribe",
  "eth_supportedEntryPoints",
  "pm_getPaymasterData",
  "pm_getPaymasterStubData",
  "rpc_modules",
  "wallet_getCapabilities",
  "wallet_getCallsStatus",
  "wallet_showCallsStatus",
  "wallet_getPermissions",
  "wallet_requestPermissions",
  "wallet_revokePermissions",
  "wallet_switchEthereumChain",
  "wallet_watchAsset",
]);
const passingForms: readonly RegExp[] = [
  /^eth_(get[A-Z]|call|estimate)[A-Za-z0-9]*$/,
  /^(net|web3|ots|optimism|rollup|erigon|trace|txpool)_[a-z][A-Za-z0-9]*$/,
  /^debug_(trace|get|storageRange|account|intermediate|db)[A-Za-z0-9]*$/,
  /^(alchemy|pimlico|zd|rundler)_(get|simulate|estimate|request)[A-Z][A-Za-z0-9]*$/,
  // Of nodes for development: what they change is no real chain.
  /^(anvil|hardhat)_[a-z][A-Za-z0-9]*$/,
  /^evm_(mine|snapshot|revert|increaseTime|set[A-Z][A-Za-z]*)$/,
];
/** No form above may let such a name through. */
const ACTING = /sign|send|submit|transfer|sponsor|unlock|import/i;

/** Names that nothing here knows are refused: a method that signs may have any name. */
export function classifyMethod(
  method: string,
  further: Readonly<Record<string, "pass" | "refuse">> = {},
): MethodClass {
  const refuse = (why: string): MethodClass => ({ kind: "refuse", why });
  if (Object.hasOwn(further, method) && further[method] === "refuse")
    return refuse("the policy's methods refuse it");
  if (judgedMethods.some((name) => name === method)) return { kind: "judge" };
  if (Object.hasOwn(refused, method)) return refuse(refused[method] as string);
  const isKnown =
    passing.has(method) || (!ACTING.test(method) && passingForms.some((form) => form.test(method)));
  if (isKnown || (Object.hasOwn(further, method) && further[method] === "pass")) return { kind: "pass" };
  return refuse(
    "it is not known whether it signs or sends. If it does neither, name it in the policy: methods with the value pass",
  );
}

/** Permissions (EIP-2255) that let a site see something and not act. */
const SEEING = new Set(["eth_accounts", "endowment:permitted-chains"]);

/** Why a method that passes by its name may not pass with these parameters; undefined where it may. */
export function findGrant(method: string, params: unknown): string | undefined {
  if (method !== "wallet_requestPermissions") return undefined;
  const [asked, ...rest] = Array.isArray(params) ? params : [];
  const names = Object.keys(Object(asked));
  return rest.length === 0 && names.length > 0 && names.every((name) => SEEING.has(name))
    ? undefined
    : session;
}
