import { AssayError, type Hex } from "@assay/protocol";
import { encodeFunctionData, parseAbi } from "viem";
import type { BaseContext } from "../base/context.js";

const erc1271 = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]);
const MAGIC_VALUE = "0x1626ba7e";
/** Enough for multi-owner wallets and passkey curves; a wallet that needs more is not supported. */
const GAS = 2_000_000;

/**
 * ERC-1271: an account with code judges its own signatures, at one pinned block. An account without code can
 * sign with its key only. Throws `chain_unavailable` when the chain does not say.
 */
export async function isSignedByContract(
  context: BaseContext,
  wallet: Hex,
  digest: Hex,
  signature: Hex,
  clientAddress: string,
  /** Who asks; some wallets answer certain callers only. */
  from?: Hex,
): Promise<boolean> {
  await context.limits.consume("walletCheck", clientAddress);
  const { header } = context.chain.getFreshHead();
  const data = encodeFunctionData({
    abi: erc1271,
    functionName: "isValidSignature",
    args: [digest, signature],
  });
  const [code, answer] = await context.chain.readAt(header, [
    { kind: "code", address: wallet },
    { kind: "call", ...(from && { from }), to: wallet, data, gas: GAS },
  ]);
  if (code.status === "unanswered" || (code.status === "value" && answer.status === "unanswered"))
    throw new AssayError("chain_unavailable", "The wallet's own account could not be read.");
  if (code.status !== "value" || answer.status !== "value") return false;
  // A bytes4 in one word; what follows the selector in the word must be empty.
  return answer.value.toLowerCase() === `${MAGIC_VALUE}${"0".repeat(56)}`;
}
