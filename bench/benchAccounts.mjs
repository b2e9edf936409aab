import { keccak256, stringToHex, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";

/** Keys that anyone can derive, for play money on a chain that exists during one section of the benchmark. */
const keyOf = (name) => keccak256(stringToHex(`assay bench ${name}`));

export const network = "eip155:8453";
/** The address at which the x402 packages expect the stablecoin of eip155:8453, so that no subject needs an option for it. */
export const stablecoin = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
export const priceMicroUsd = 20_000;
export const payerCount = 40;

const accounts = new Map();
/** Deriving an account takes milliseconds, so each is derived once. */
function accountOf(name) {
  if (!accounts.has(name)) accounts.set(name, privateKeyToAccount(keyOf(name)));
  return accounts.get(name);
}

export const getPayerKey = (index) => keyOf(`payer ${index}`);
export const getPayerAccount = (index) => accountOf(`payer ${index}`);

/** Each subject settles with its own key and is paid at its own address, so that nonces and income are separate. */
export function getTill(subject) {
  return {
    settlerKey: keyOf(`settler of ${subject}`),
    settler: accountOf(`settler of ${subject}`).address,
    payTo: accountOf(`income of ${subject}`).address,
  };
}

/** The address of the n-th EIP-1967 proxy that the chain is prepared with. */
export const getProxyAddress = (index) => toHex((0x1967n << 144n) + BigInt(index), { size: 20 });
