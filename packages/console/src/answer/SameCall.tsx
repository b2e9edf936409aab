import { type CapabilityResult, findCapabilitySpec } from "@assay/protocol";
import { CodeBlock } from "../ui/Copy.js";
import { writeSameCall } from "./writeSameCall.js";

/** The call that gave this answer, to be made again from a terminal or from code. */
export function SameCall({ answer }: { readonly answer: CapabilityResult }) {
  const spec = findCapabilitySpec(answer.capabilityId);
  const { input } = answer.result.evidence;
  if (!spec || typeof input !== "object" || input === null)
    return <p className="soft">This page does not know the capability {answer.capabilityId}.</p>;
  const { curl, cli, typescript } = writeSameCall(spec, input, window.location.origin);
  return (
    <div className="same-call">
      <CodeBlock code={curl} label="curl: unpaid, it answers 402 with the price" />
      <CodeBlock code={cli} label="Command line" />
      <CodeBlock code={typescript} label="TypeScript" />
    </div>
  );
}
