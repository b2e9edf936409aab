import type { CapabilityResult } from "@assay/protocol";
import { EvidenceTree } from "./EvidenceTree.js";

/** The findings of any capability, as a tree. */
export function FindingsView({ answer }: { readonly answer: CapabilityResult }) {
  return (
    <section>
      <h3>Findings</h3>
      <EvidenceTree value={answer.result.evidence.findings} isOpen />
    </section>
  );
}
