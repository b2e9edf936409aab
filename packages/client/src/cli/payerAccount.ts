import { createECDH } from "node:crypto";
import { type Hex, keccak256 } from "@assay/protocol";
import { writeChecksum } from "../recognize/findWrongChecksum.js";
import type { PayerAccount } from "../signPayment.js";

/**
 * The account of a private key. OpenSSL finds its address, and what signs is loaded for the first signature: its tables take a tenth of a
 * second, and a command that finds no service or pays nothing needs none.
 */
export function openPayerAccount(privateKey: Hex): PayerAccount {
  let signing: Promise<PayerAccount> | undefined;
  const load = async () => {
    const { privateKeyToAccount } = await import("viem/accounts");
    return privateKeyToAccount(privateKey) as PayerAccount;
  };
  return {
    address: findAddress(privateKey),
    async signTypedData(message) {
      signing ??= load();
      return (await signing).signTypedData(message);
    },
  };
}

/** Of the public key without its first byte, the last twenty bytes of the hash. */
function findAddress(privateKey: Hex): Hex {
  const pair = createECDH("secp256k1");
  pair.setPrivateKey(privateKey.slice(2), "hex");
  return writeChecksum(`0x${keccak256(`0x${pair.getPublicKey("hex").slice(2)}`).slice(-40)}`);
}
