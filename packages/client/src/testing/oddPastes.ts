import { ALICE, APPROVE, HASH, json, type Paste, permit, rpc, USDC } from "./pastes.js";

const SEED = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const KEY = `0x${"59c6995e998f97a5".repeat(4)}`;

/** Keys, what copying leaves around and inside of what was meant, and what nobody can ask about. */
export const ODD_PASTES: readonly Paste[] = [
  // Keys, which nobody may see.
  ["a seed phrase in capitals", SEED.toUpperCase(), "unknown", null],
  [
    "a seed phrase of words with capitals",
    SEED.replace(/\b\w/g, (letter) => letter.toUpperCase()),
    "unknown",
    null,
  ],
  [
    "a numbered seed phrase",
    SEED.split(" ")
      .map((word, at) => `${at + 1}. ${word}`)
      .join("\n"),
    "unknown",
    null,
  ],
  ["a seed phrase with commas", SEED.replaceAll(" ", ", "), "unknown", null],
  ["a seed phrase with its name", `Seed phrase: ${SEED}`, "unknown", null],
  ["a seed phrase as JSON", json(SEED.split(" ")), "unknown", null],
  ["a seed phrase in JSON", json({ mnemonic: SEED }), "unknown", null],
  ["a private key with its name", `PRIVATE_KEY=${KEY}`, "unknown", null],
  ["a private key in JSON", json({ address: ALICE, privateKey: KEY }), "unknown", null],
  [
    "the file of a wallet",
    json({ version: 3, address: ALICE.slice(2), crypto: { ciphertext: "00", cipher: "aes-128-ctr" } }),
    "unknown",
    null,
  ],
  ["an extended private key", `xprv${"9s21ZrQH14".repeat(11)}`, "unknown", null],
  ["a key of Bitcoin's wallets", `5${"Kb8kLf9zgW".repeat(5)}`, "unknown", null],
  ["a key in PEM", "-----BEGIN EC PRIVATE KEY-----\nMHQC\n-----END EC PRIVATE KEY-----", "unknown", null],
  ["a key as a list of bytes", json(Array.from({ length: 64 }, (_, at) => at)), "unknown", null],
  [
    "a text that asks for a seed phrase",
    "Enter your seed phrase to claim",
    "personalMessage",
    "message.intent.guard",
  ],
  // What copying leaves around and inside.
  ["an address with a full stop", `${USDC}.`, "address", "contract.guard"],
  ["an address in brackets", `<${USDC}>`, "address", "contract.guard"],
  ["an address with a blank that nobody sees", `\u200b${USDC}`, "address", "contract.guard"],
  ["an address that lost a digit", USDC.slice(0, -1), "unknown", null],
  ["several addresses", `${USDC}, ${ALICE}`, "unknown", null],
  ["a question about an address", `is ${USDC} safe?`, "personalMessage", "message.intent.guard"],
  ["an address padded to a word", `0x${"0".repeat(24)}${ALICE.slice(2)}`, "address", "contract.guard"],
  ["zeros instead of a hash", `0x${"0".repeat(64)}`, "unknown", null],
  ["calldata without 0x", APPROVE.slice(2), "calldata", "transaction.intent.guard"],
  ["calldata on two lines", APPROVE.replace(/(.{70})/, "$1\n"), "calldata", "transaction.intent.guard"],
  ["JSON that was cut", '{"method":"eth_sendTransaction","params":[{"to":"0x', "unknown", null],
  ["parameters of eth_signTypedData_v4", json([ALICE, json(permit)]), "typedData", "message.intent.guard"],
  ["an EIP-712 document without its message", json({ ...permit, message: undefined }), "typedData", null],
  ["a request without params", json({ method: "eth_requestAccounts" }), "unknown", null],
  ["a request for lasting powers", rpc("wallet_grantPermissions", {}), "unknown", null],
  [
    "a page of an explorer without its scheme",
    `basescan.org/tx/${HASH}`,
    "transactionHash",
    "trade.execution.notarize",
  ],
  ["a page of one's own network", "http://localhost:3000/", "url", null],
  ["a page with a password in its address", "https://me:secret@example.com/", "url", null],
  ["an address of another kind than http", "ftp://example.com/file", "unknown", null],
  ["a script as an address", "javascript:alert(1)", "unknown", null],
  ["an address of Solana", "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU", "unknown", null],
  ["an address of Bitcoin", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "unknown", null],
];
