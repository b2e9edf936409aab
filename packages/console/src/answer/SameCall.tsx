import { findCapability } from "@assay/client";
import type { CapabilityResult } from "@assay/protocol";
import { useLocalChain } from "../service/assay.js";
import { CodeBlock } from "../ui/Copy.js";
import { useCallPlace } from "./useCallPlace.js";
import { writeSameCall } from "./writeSameCall.js";

/** The call that gave this answer, to be repeated from a terminal or from code. */
export function SameCall({ answer }: { readonly answer: CapabilityResult }) {
  const place = useCallPlace();
  const { data: localChain } = useLocalChain();
  const capability = findCapability(answer.capabilityId);
  const { input } = answer.result.evidence;
  if (!capability || typeof input !== "object" || input === null)
    return <p className="soft">This page does not know the capability {answer.capabilityId}.</p>;
  const { curl, cli, typescript } = writeSameCall(capability, input, place);
  return (
    <div className="same-call">
      <p className="soft">
        {localChain
          ? "The key in the command belongs to a test wallet of the local chain; it is not secret."
          : "The command and the script pay with the key in ASSAY_PRIVATE_KEY."}
      </p>
      <CodeBlock code={curl} label="curl: unpaid, it answers 402 with the price" />
      <CodeBlock code={cli} label="Command line" />
      {typescript && <CodeBlock code={typescript} label="TypeScript" />}
    </div>
  );
}
