import assert from "node:assert/strict";
import { hashTypedData } from "viem";
import { input } from "../../packages/capabilities/src/message.intent.guard/input.ts";
import { readMessage } from "../../packages/capabilities/src/message.intent.guard/readMessage.ts";
import {
  encodeTypeOf,
  normalizeDocument,
  reviveStruct,
} from "../../packages/capabilities/src/message.intent.guard/typedDocument.ts";
import { venues } from "../../packages/capabilities/src/message.intent.guard/venues.ts";

const [ALICE, BOB, TOKEN] = ["a1", "b0", "c0"].map((pair) => `0x${pair.repeat(20)}`);
const field = (name, type) => ({ name, type });
const fields = (text) => text.split(",").map((part) => field(...part.trim().split(" ").reverse()));
const domain = { name: "Token", version: "1", chainId: 8453, verifyingContract: TOKEN };
const permit = {
  types: { Permit: fields("address owner, address spender, uint256 value, uint256 nonce, uint256 deadline") },
  primaryType: "Permit",
  domain,
  message: { owner: ALICE, spender: BOB, value: "0x19", nonce: 0, deadline: "1893456000" },
};
const permit2 = {
  types: {
    PermitBatch: fields("PermitDetails[] details, address spender, uint256 sigDeadline"),
    PermitDetails: fields("address token, uint160 amount, uint48 expiration, uint48 nonce"),
  },
  primaryType: "PermitBatch",
  domain: { name: "Permit2", chainId: 8453, verifyingContract: "0x000000000022d473030f116ddee9f6b43ac78ba3" },
  message: {
    details: [{ token: TOKEN, amount: "5", expiration: 9, nonce: 0 }],
    spender: BOB,
    sigDeadline: "7",
  },
};
const order = {
  types: {
    Order: fields(
      "address maker, Item[] items, bytes32[2] salts, bytes extra, bool open, int8 low, string words",
    ),
    Item: fields("address token, uint256 amount"),
  },
  primaryType: "Order",
  domain,
  message: {
    maker: ALICE,
    items: [{ token: TOKEN, amount: 3 }],
    salts: [`0x${"11".repeat(32)}`, `0x${"22".repeat(32)}`],
    extra: "0x01",
    open: true,
    low: -7,
    words: "one",
  },
};
const operation = {
  entryPoint: BOB,
  sender: ALICE,
  nonce: "0x1",
  callData: "0x",
  preVerificationGas: "3",
  callGasLimit: 1,
  verificationGasLimit: 2,
  maxFeePerGas: 4,
  maxPriorityFeePerGas: 5,
};

/** What is to be signed, as callers send it: EIP-712 documents, texts, authorizations, user operations and calls. */
export const target = {
  maxBytes: 16_384,
  cpuMs: 250,
  form: "json",
  seeds: () =>
    [
      { signer: ALICE, typedData: permit },
      { signer: ALICE, typedData: JSON.stringify(permit) },
      { signer: ALICE, typedData: permit2, origin: "https://app.example" },
      { signer: ALICE, typedData: order },
      { signer: ALICE, personalMessage: "I would like to log in." },
      {
        signer: ALICE,
        personalMessage: `a.example wants you to sign in with your Ethereum account:\n${ALICE}\n\nURI: https://a.example\nVersion: 1\nChain ID: 8453\nNonce: 32891756\nIssued At: 2026-09-30T16:25:24Z`,
      },
      { signer: ALICE, authorization: { chainId: 8453, address: BOB, nonce: 0 } },
      { signer: ALICE, userOperation: operation },
      { signer: ALICE, calls: [{ to: TOKEN, data: "0xa9059cbb", value: "1" }] },
    ].map((question) => Buffer.from(JSON.stringify(question))),
  run(bytes) {
    const given = readJson(bytes);
    const parsed = input.safeParse(given);
    if (!parsed.success) return;
    const once = parsed.data;
    assert.deepEqual(input.parse(structuredClone(once)), once);
    const meaning = readMessage(once, venues);
    assert.deepEqual(readMessage(once, venues), meaning);
    JSON.stringify(meaning);
    if (once.typedData) compareHashes(once.typedData, given.typedData);
  },
};

/** What is judged must be what a wallet signs: the same hash before and after, by an encoder that is not ours. */
function compareHashes(document, given) {
  assert.deepEqual(normalizeDocument(document), { document });
  encodeTypeOf(document.types, document.primaryType);
  const revive = ({ types, primaryType, domain: own, message }) => ({
    types,
    primaryType,
    domain: reviveStruct(types, "EIP712Domain", own),
    message: reviveStruct(types, primaryType, message),
  });
  const hash = hashTypedData(revive(document));
  const asGiven = typeof given === "string" ? JSON.parse(given) : given;
  let other;
  try {
    const types = { EIP712Domain: document.types.EIP712Domain, ...asGiven.types };
    other = hashTypedData({ ...asGiven, types });
  } catch {
    // viem takes fewer spellings than wallets send.
    return;
  }
  assert.equal(other, hash);
}

function readJson(bytes) {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return { signer: ALICE, personalMessage: Buffer.from(bytes).toString() };
  }
}
