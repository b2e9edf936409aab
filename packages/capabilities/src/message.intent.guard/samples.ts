import { type Hex, parseUnits } from "viem";
import { getAccount, getContract, type LocalChainFacts, type Sample } from "../localChain.js";

/** An account that has never been used. */
const STRANGER: Hex = "0x00000000000000000000000000000000005caffe";
/** The year 2030. */
const LATER = "1893456000";

/** A payment in dollars by signature (EIP-3009), as x402 asks for it. */
function writePayment(facts: LocalChainFacts, dollars: string, nonce: number): string {
  const field = (name: string, type: string) => ({ name, type });
  return JSON.stringify({
    types: {
      TransferWithAuthorization: [
        field("from", "address"),
        field("to", "address"),
        field("value", "uint256"),
        field("validAfter", "uint256"),
        field("validBefore", "uint256"),
        field("nonce", "bytes32"),
      ],
    },
    primaryType: "TransferWithAuthorization",
    domain: {
      name: "USD Coin",
      version: "2",
      chainId: 8453,
      verifyingContract: getContract(facts, "stablecoin"),
    },
    message: {
      from: getAccount(facts, "alice"),
      to: STRANGER,
      value: parseUnits(dollars, 6).toString(),
      validAfter: "0",
      validBefore: LATER,
      nonce: `0x${nonce.toString(16).padStart(64, "0")}`,
    },
  });
}

const writeSignIn = (address: Hex): string =>
  `app.example.org wants you to sign in with your Ethereum account:\n${address}\n\nURI: https://app.example.org/\nVersion: 1\nChain ID: 8453\nNonce: 8f3kD02mQz\nIssued At: 2026-11-01T00:00:00Z`;

export function listSamples(facts: LocalChainFacts): Sample[] {
  const signer = getAccount(facts, "alice");
  return [
    { name: "Pay five cents by signature", input: { signer, typedData: writePayment(facts, "0.05", 1) } },
    { name: "Pay everything by signature", input: { signer, typedData: writePayment(facts, "1000000", 2) } },
    { name: "Sign in", input: { signer, personalMessage: writeSignIn(signer) } },
    { name: "Sign a hash", input: { signer, personalMessage: `0x${"9f".repeat(32)}` } },
  ];
}
