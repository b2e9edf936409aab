import { parseEther } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { PastedKind } from "../recognize/recognized.js";
import { readSavedText } from "./savedAnswers.js";

export const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
export const ALICE = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const HASH = "0x9fd9bb49416289ca0de17f5270ec4d8ddd12ae29c5e0382f006478b3ed9ed00c";
export const APPROVE = `0x095ea7b3${"2626664c2603336e57b271c5c0b26f421741e481".padStart(64, "0")}${"f".repeat(64)}`;
export const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const fees = { gas: 21000n, maxFeePerGas: 10n, maxPriorityFeePerGas: 1n, nonce: 0 };
const signedFor = (chainId: number) =>
  account.signTransaction({ chainId, to: USDC, value: parseEther("1"), ...fees });
export const [onBase, onMainnet, legacy, access] = await Promise.all([
  signedFor(8453),
  signedFor(1),
  account.signTransaction({ type: "legacy", chainId: 8453, to: USDC, gas: 21000n, gasPrice: 1n, nonce: 1 }),
  account.signTransaction({
    type: "eip2930",
    chainId: 8453,
    to: USDC,
    gas: 21000n,
    gasPrice: 1n,
    nonce: 1,
    data: "0x1234",
  }),
]);
/** Whatever its own calldata does, the account runs other code from then on. */
const setsCode = await account.signTransaction({
  ...{ type: "eip7702", chainId: 8453, to: USDC, ...fees },
  authorizationList: [await account.signAuthorization({ chainId: 8453, address: ALICE, nonce: 1 })],
});
const createsContract = await account.signTransaction({
  chainId: 8453,
  data: "0x600160005260206000f3",
  ...fees,
});
export const permit = {
  types: {
    EIP712Domain: [{ name: "name", type: "string" }],
    Permit: [{ name: "owner", type: "address" }],
  },
  primaryType: "Permit",
  domain: { name: "USD Coin", chainId: 8453, verifyingContract: USDC },
  message: { owner: ALICE },
};
export const operation = {
  sender: ALICE,
  nonce: "0x0",
  callData: "0xb61d27f6",
  callGasLimit: "0x1",
  verificationGasLimit: "0x1",
  preVerificationGas: "0x1",
  maxFeePerGas: "0x1",
  maxPriorityFeePerGas: "0x1",
  signature: "0x",
};
const ENTRY_POINT = "0x0000000071727De22E5E9d8BAf0edAc6f37da032";
export const rpc = (method: string, ...params: unknown[]) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
export const json = (value: unknown) => JSON.stringify(value);
const SIGN_IN = `example.com wants you to sign in with your Ethereum account:\n${ALICE}\n\nURI: https://example.com\nVersion: 1\nChain ID: 8453\nNonce: 32891756\nIssued At: 2026-11-18T16:25:24Z`;
const hexOf = (text: string) => `0x${Buffer.from(text).toString("hex")}`;

export type Paste = readonly [name: string, text: string, kind: PastedKind, capability: string | null];

/** What people paste, what it is, and the capability it goes to; null where nothing may be asked. */
export const PASTES: readonly Paste[] = [
  ["a checksummed address", USDC, "address", "contract.guard"],
  ["an address in lower case", USDC.toLowerCase(), "address", "contract.guard"],
  ["an address in upper case", `0x${USDC.slice(2).toUpperCase()}`, "address", "contract.guard"],
  ["an address that begins with 0X", `0X${USDC.slice(2)}`, "address", "contract.guard"],
  ["an address with blanks around it", `  ${USDC}\n`, "address", "contract.guard"],
  ["an address in quotation marks", `"${USDC}"`, "address", "contract.guard"],
  ["an address with a wrong checksum", USDC.replace("fCD", "FCD"), "address", null],
  ["an address of CAIP-10", `eip155:8453:${USDC}`, "address", "contract.guard"],
  ["an address of ERC-3770", `base:${USDC}`, "address", "contract.guard"],
  ["an address of another chain", `eip155:1:${USDC}`, "address", null],
  ["an address of ERC-3770 elsewhere", `eth:${USDC}`, "address", null],
  ["a payment request to Base", `ethereum:${USDC}@8453`, "address", "contract.guard"],
  ["a payment request to mainnet", `ethereum:${USDC}`, "address", null],
  [
    "a payment request with a function",
    `ethereum:${USDC}@8453/transfer?address=${ALICE}&uint256=1`,
    "unknown",
    null,
  ],
  ["an address as JSON", json({ address: USDC }), "address", "contract.guard"],
  ["40 hex digits, as of a commit", "efc04855a1b2c3d4e5f60718293a4b5c6d7e8f90", "unknown", null],
  [
    "a page of an explorer about an address",
    `https://basescan.org/address/${USDC}#code`,
    "address",
    "contract.guard",
  ],
  ["a page of an explorer about a token", `https://basescan.org/token/${USDC}`, "address", "contract.guard"],
  [
    "a page of an explorer about a transaction",
    `https://basescan.org/tx/${HASH}`,
    "transactionHash",
    "trade.execution.notarize",
  ],
  ["a page of an explorer of another chain", `https://etherscan.io/tx/${HASH}`, "url", "web.compile"],
  [
    "a page whose name only ends like an explorer's",
    `https://evilbasescan.org/tx/${HASH}`,
    "url",
    "web.compile",
  ],
  ["the hash of a transaction", HASH, "transactionHash", "trade.execution.notarize"],
  ["a hash in upper case", `0x${HASH.slice(2).toUpperCase()}`, "transactionHash", "trade.execution.notarize"],
  ["64 hex digits, as of a private key", HASH.slice(2), "unknown", null],
  ["a seed phrase", "test test test test test test test test test test test junk", "unknown", null],
  ["the id of an answer", `sha256:${HASH.slice(2)}`, "artifactId", "evidence.artifact"],
  [
    "a mined transaction of a node",
    json({ hash: HASH, blockNumber: "0x10", from: ALICE, to: USDC, input: "0x", value: "0x0" }),
    "transactionHash",
    "trade.execution.notarize",
  ],
  [
    "a pending transaction of a node",
    json({
      hash: HASH,
      blockNumber: null,
      from: ALICE,
      to: USDC,
      input: APPROVE,
      value: "0x0",
      chainId: "0x2105",
    }),
    "transaction",
    "transaction.intent.guard",
  ],
  [
    "a receipt of a node",
    json({ transactionHash: HASH, blockNumber: "0x10", status: "0x1", to: USDC }),
    "transactionHash",
    "trade.execution.notarize",
  ],
  [
    "an answer of a node around a receipt",
    json({ jsonrpc: "2.0", id: 1, result: { transactionHash: HASH, blockNumber: "0x10" } }),
    "transactionHash",
    "trade.execution.notarize",
  ],
  [
    "a transaction",
    json({ from: ALICE, to: USDC, data: APPROVE, value: "0" }),
    "transaction",
    "transaction.intent.guard",
  ],
  [
    "a transaction with hex values",
    json({ from: ALICE, to: USDC, data: APPROVE, value: "0x0", gas: "0x5208", chainId: "0x2105" }),
    "transaction",
    "transaction.intent.guard",
  ],
  [
    "a transaction with a number",
    json({ from: ALICE, to: USDC, value: 1000 }),
    "transaction",
    "transaction.intent.guard",
  ],
  [
    "a transaction with input",
    json({ from: ALICE, to: USDC, input: APPROVE }),
    "transaction",
    "transaction.intent.guard",
  ],
  [
    "a transaction of a Safe's builder",
    json({ to: USDC, value: "0", data: APPROVE, operation: 0 }),
    "transaction",
    "transaction.intent.guard",
  ],
  [
    "a transaction whose data and input differ",
    json({ from: ALICE, to: USDC, data: "0x", input: APPROVE }),
    "transaction",
    null,
  ],
  ["a transaction for mainnet", json({ from: ALICE, to: USDC, chainId: 1 }), "transaction", null],
  [
    "a transaction to a mistyped address",
    json({ from: ALICE, to: USDC.replace("fCD", "FCD") }),
    "transaction",
    null,
  ],
  ["a transaction that creates a contract", json({ from: ALICE, data: "0x6080604052" }), "transaction", null],
  [
    "a transaction with authorizations",
    json({ from: ALICE, to: USDC, authorizationList: [{ chainId: 8453 }] }),
    "transaction",
    null,
  ],
  ["a transaction with a fraction", json({ from: ALICE, to: USDC, value: "0.1" }), "transaction", null],
  [
    "a transaction that names a field twice",
    `{"from":"${ALICE}","to":"${USDC}","to":"${ALICE}"}`,
    "unknown",
    null,
  ],
  [
    "eth_sendTransaction",
    rpc("eth_sendTransaction", { from: ALICE, to: USDC, data: APPROVE }),
    "transaction",
    "transaction.intent.guard",
  ],
  [
    "a request to a provider",
    json({ method: "eth_sendTransaction", params: [{ from: ALICE, to: USDC }] }),
    "transaction",
    "transaction.intent.guard",
  ],
  [
    "eth_call",
    rpc("eth_call", { from: ALICE, to: USDC, data: APPROVE }, "latest"),
    "transaction",
    "transaction.intent.guard",
  ],
  ["a signed transaction that sets code", setsCode, "signedTransaction", null],
  ["a signed transaction that creates a contract", createsContract, "signedTransaction", null],
  [
    "eth_sendRawTransaction",
    rpc("eth_sendRawTransaction", onBase),
    "signedTransaction",
    "transaction.intent.guard",
  ],
  [
    "eth_signTypedData_v4 with text",
    rpc("eth_signTypedData_v4", ALICE, json(permit)),
    "typedData",
    "message.intent.guard",
  ],
  [
    "eth_signTypedData_v4 with an object",
    rpc("eth_signTypedData_v4", ALICE, permit),
    "typedData",
    "message.intent.guard",
  ],
  [
    "eth_signTypedData_v4 with a field twice",
    rpc("eth_signTypedData_v4", ALICE, '{"types":{},"message":{},"message":{"a":1}}'),
    "unknown",
    null,
  ],
  ["personal_sign", rpc("personal_sign", hexOf(SIGN_IN), ALICE), "personalMessage", "message.intent.guard"],
  ["eth_sign", rpc("eth_sign", ALICE, HASH), "personalMessage", "message.intent.guard"],
  [
    "wallet_sendCalls",
    rpc("wallet_sendCalls", {
      version: "2.0.0",
      from: ALICE,
      chainId: "0x2105",
      calls: [{ to: USDC, data: APPROVE }],
    }),
    "calls",
    "message.intent.guard",
  ],
  [
    "wallet_sendCalls for another chain",
    rpc("wallet_sendCalls", { from: ALICE, chainId: "0x1", calls: [{ to: USDC }] }),
    "calls",
    null,
  ],
  [
    "eth_sendUserOperation",
    rpc("eth_sendUserOperation", operation, ENTRY_POINT),
    "userOperation",
    "message.intent.guard",
  ],
  ["eth_blockNumber", rpc("eth_blockNumber"), "unknown", null],
  ["a batch of requests", `[${rpc("eth_chainId")},${rpc("eth_blockNumber")}]`, "unknown", null],
  ["a signed transaction (EIP-1559)", onBase, "signedTransaction", "transaction.intent.guard"],
  ["a signed legacy transaction", legacy, "signedTransaction", "transaction.intent.guard"],
  ["a signed transaction (EIP-2930)", access, "signedTransaction", "transaction.intent.guard"],
  ["a signed transaction for mainnet", onMainnet, "signedTransaction", null],
  ["calldata of an approval", APPROVE, "calldata", "transaction.intent.guard"],
  ["a bare selector", "0x095ea7b3", "calldata", "transaction.intent.guard"],
  ["a selector of printable letters", "0x64617461", "calldata", "transaction.intent.guard"],
  ["calldata with a tail", `${APPROVE}8021`, "calldata", "transaction.intent.guard"],
  ["three bytes", "0x095ea7", "unknown", null],
  ["an odd number of digits", "0x095ea7b", "unknown", null],
  ["0x", "0x", "unknown", null],
  ["a signature", `0x${"ab".repeat(65)}`, "unknown", null],
  ["a text in hex", hexOf("I agree to the terms of example.com"), "personalMessage", "message.intent.guard"],
  ["a sign-in", SIGN_IN, "personalMessage", "message.intent.guard"],
  ["a sentence", "Please sign this to log in", "personalMessage", "message.intent.guard"],
  ["an EIP-712 document", json(permit), "typedData", "message.intent.guard"],
  [
    "an EIP-712 document with line breaks",
    JSON.stringify(permit, null, 2),
    "typedData",
    "message.intent.guard",
  ],
  [
    "an EIP-712 document without types of the domain",
    json({ ...permit, types: { Permit: permit.types.Permit } }),
    "typedData",
    "message.intent.guard",
  ],
  [
    "a user operation",
    json({ ...operation, entryPoint: ENTRY_POINT }),
    "userOperation",
    "message.intent.guard",
  ],
  [
    "a user operation in an object",
    json({ userOperation: operation, entryPoint: ENTRY_POINT }),
    "userOperation",
    "message.intent.guard",
  ],
  [
    "a list of calls",
    json([
      { to: USDC, data: APPROVE },
      { to: ALICE, value: "0x1" },
    ]),
    "calls",
    "message.intent.guard",
  ],
  [
    "an authorization",
    json({ chainId: 8453, address: USDC, nonce: 1 }),
    "authorization",
    "message.intent.guard",
  ],
  [
    "an authorization in viem's words",
    json({ chainId: 8453, contractAddress: USDC, nonce: 1 }),
    "authorization",
    "message.intent.guard",
  ],
  ["a page", "https://app.uniswap.org/swap?chain=base", "url", "web.compile"],
  ["a page without its scheme", "app.uniswap.org/swap", "url", "web.compile"],
  ["an ENS name", "vitalik.eth", "unknown", null],
  ["a Basename", "jesse.base.eth", "unknown", null],
  ["a symbol", "USDC", "tokenSymbol", "contract.guard"],
  ["a symbol with a dollar sign", "$usdc", "tokenSymbol", "contract.guard"],
  ["a symbol in another case", "cbbtc", "tokenSymbol", "contract.guard"],
  ["a symbol of two known tokens", "PEPE", "tokenSymbol", null],
  ["the chain's own currency", "ETH", "tokenSymbol", null],
  ["a symbol of no known token", "SCAMCOIN", "unknown", null],
  ["an answer", readSavedText("contract.guard.json"), "answer", null],
  ["JSON of another kind", json({ hello: "world" }), "unknown", null],
  ["an object of JavaScript", `{ to: '${USDC}', value: 1n }`, "unknown", null],
  ["a number", "12345", "unknown", null],
  ["nothing", "   ", "unknown", null],
];
