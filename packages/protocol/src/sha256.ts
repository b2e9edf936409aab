import { sha256 as portableSha256, stringToBytes } from "viem";
import type { Hex } from "./primitives.js";

/** Node's native SHA-256 where there is one: much faster than the JavaScript implementation for browsers. */
const nodeCrypto = (
  globalThis as { process?: { getBuiltinModule?: (id: string) => typeof import("node:crypto") | undefined } }
).process?.getBuiltinModule?.("node:crypto");

/** Digest of bytes, given as an array or in hex. */
export function sha256(data: Uint8Array | Hex): Hex {
  if (!nodeCrypto) return portableSha256(data);
  const bytes = typeof data === "string" ? Buffer.from(data.slice(2), "hex") : data;
  return `0x${nodeCrypto.createHash("sha256").update(bytes).digest("hex")}`;
}

/** Digest of the UTF-8 bytes of a text. */
export function sha256Text(text: string): Hex {
  if (!nodeCrypto) return portableSha256(stringToBytes(text));
  return `0x${nodeCrypto.createHash("sha256").update(text, "utf8").digest("hex")}`;
}
