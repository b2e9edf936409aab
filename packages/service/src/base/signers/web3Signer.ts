import { type Hex, keccak256 } from "@assay/protocol";
import { getAddress, hexToBytes } from "viem";
import { z } from "zod";
import type { RemoteKey } from "./remoteSigner.js";

const OPEN_TIMEOUT_MS = 5_000;
/** 64 bytes of a point, after the byte that some servers put before it. */
const publicKeysSchema = z.array(z.string().regex(/^0x(04)?[0-9a-fA-F]{128}$/)).max(10_000);
const signatureSchema = z.string().regex(/^0x[0-9a-fA-F]{130}$/);

/**
 * A key behind the HTTP interface of Web3Signer for execution keys: `eth1/publicKeys` lists keys, and `eth1/sign` signs the Keccak-256
 * of what it is given. `url` ends in the address of the key. Throws where the server does not have it.
 */
export async function openWeb3SignerKey(url: string): Promise<RemoteKey> {
  const end = url.lastIndexOf("/");
  const base = url.slice(0, end);
  const address = url.slice(end + 1).toLowerCase() as Hex;
  const listed = publicKeysSchema.parse(
    await readJson(`${base}/api/v1/eth1/publicKeys`, { signal: AbortSignal.timeout(OPEN_TIMEOUT_MS) }),
  );
  const publicKey = listed.find((key) => addressOfPoint(key) === address);
  if (publicKey === undefined) throw new Error(`the signer does not have the key of ${address}`);
  return {
    address: getAddress(address),
    place: `a remote signer at ${new URL(base).host}`,
    async ask(preimage, _digest, signal) {
      const response = await fetch(`${base}/api/v1/eth1/sign/${publicKey}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ data: preimage }),
        redirect: "error",
        signal,
      });
      const text = (await response.text()).trim();
      if (!response.ok) throw new Error(`the signer answered ${response.status}`);
      // Servers send the signature as text; some write it as JSON.
      const signature = signatureSchema.parse(text.replace(/^"|"$/g, ""));
      return { r: signature.slice(0, 66) as Hex, s: `0x${signature.slice(66, 130)}` };
    },
    close: () => undefined,
  };
}

const addressOfPoint = (key: string) => `0x${keccak256(hexToBytes(`0x${key.slice(-128)}`)).slice(-40)}`;

async function readJson(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, { ...init, redirect: "error" });
  if (!response.ok) throw new Error(`the signer answered ${response.status}`);
  return response.json();
}
