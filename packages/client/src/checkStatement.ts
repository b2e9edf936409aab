import { type EvidenceStatement, evidenceTypedData, type Hex } from "@assay/protocol";
import { recoverTypedDataAddress } from "viem";
import { fail, leaveOut, pass, type VerificationStep } from "./verification.js";

/** The one encoding the service writes: r, s in the lower half of the order (EIP-2), v 27 or 28. */
const SIGNATURE = /^0x[0-9a-f]{64}[0-7][0-9a-f]{63}1[bc]$/;

/**
 * Checks that the stated signer, who must be the expected one, signed this statement. Without an expected one the signature
 * vouches for nothing: everybody can sign an invented answer with a key of their own.
 */
export async function checkStatement(
  statement: EvidenceStatement,
  { signer, signature }: { readonly signer: string; readonly signature: Hex },
  expected: Hex | undefined,
): Promise<VerificationStep> {
  const recovered = SIGNATURE.test(signature)
    ? await recoverTypedDataAddress({ ...evidenceTypedData(statement), signature }).catch(() => undefined)
    : undefined;
  if (!recovered) return fail("signature", "The signature cannot be read.");
  // Both are written with the checksum of ERC-55.
  if (recovered !== signer)
    return fail("signature", `Signed by ${recovered}, not by the stated signer ${signer}.`);
  // An empty string was given too, and matches no signer.
  if (expected !== undefined && recovered.toLowerCase() !== expected.toLowerCase())
    return fail("signature", `Signed by ${recovered}, not by ${expected}.`);
  return expected === undefined
    ? leaveOut("signature", `signed by ${recovered}, but no signer to expect was given.`)
    : pass("signature", `Signed by ${recovered}, as expected.`);
}
