import { sha256 as portableSha256 } from "viem";
import type { Hex } from "./primitives.js";

/** Node's own SHA-256 where there is one: the same digest as the JavaScript one of browsers, much sooner. */
const nodeCrypto = (
  globalThis as { process?: { getBuiltinModule?: (id: string) => typeof import("node:crypto") | undefined } }
).process?.getBuiltinModule?.("node:crypto");

/** Digest of bytes, given as such or as whole bytes in hex. */
export function sha256(data: Uint8Array | Hex): Hex {
  if (!nodeCrypto) return portableSha256(data);
  const bytes = typeof data === "string" ? Buffer.from(data.slice(2), "hex") : data;
  return `0x${nodeCrypto.createHash("sha256").update(bytes).digest("hex")}`;
}
