import { type CapabilityResult, sharePath } from "@assay/protocol";
import { useCopy } from "../ui/Copy.js";

/** Copies a link that shows this answer to everybody who has it. Only for answers that are shared evidence. */
export function ShareButton({ answer }: { readonly answer: CapabilityResult }) {
  const { invocationId, evidenceReference } = answer;
  const path = sharePath(invocationId, evidenceReference.signature);
  const { copied, copy } = useCopy(`${window.location.origin}${path}`);
  return (
    <>
      <button type="button" className="quiet" onClick={copy}>
        Copy a link to share
      </button>
      <span className="soft" role="status">
        {copied && "Copied. The link shows the answer; its receipt names the wallet that paid."}
      </span>
    </>
  );
}
