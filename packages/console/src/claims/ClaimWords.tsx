import type { Assertion, ChallengeRecord, ChallengeResolution, ClaimStatus } from "@assay/protocol";
import { count, shorten } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";

export const statusWords: Record<ClaimStatus, readonly [title: string, tone: "open" | "bad" | "good"]> = {
  open: ["Open to challenges", "open"],
  falsified: ["Proven false", "bad"],
  survived: ["Survived", "good"],
};

export const resolutionWords: Record<ChallengeResolution, string> = {
  counterexample_valid: "A valid counterexample: the claim is false.",
  claim_correct: "The chain agrees with the claim.",
  invalid_evidence: "The chain does not agree with the challenge.",
  already_resolved: "The claim was already resolved; this challenge was not judged.",
};

/** What a claim says, without its blocks. */
export function titleOf(assertion: Assertion): string {
  const contract = shorten(assertion.address);
  if (assertion.type === "bytecode")
    return assertion.bytecodeHash ? `This is the code of ${contract}` : `${contract} has no code`;
  return assertion.implementation ? `Nobody replaced the code behind ${contract}` : `${contract} is no proxy`;
}

/** The assertion of a claim, as a sentence. */
export function AssertionSentence({ assertion }: { readonly assertion: Assertion }) {
  const { fromBlock, toBlock } = assertion;
  const subject = <Hash value={assertion.address} label="contract" />;
  if (assertion.type === "bytecode")
    return (
      <>
        {subject} has{" "}
        {assertion.bytecodeHash ? (
          <>
            the code <Hash value={assertion.bytecodeHash} label="code hash" /> of{" "}
            {count(assertion.bytecodeBytes, "byte")}
          </>
        ) : (
          "no code"
        )}{" "}
        at block <span className="mono">{toBlock}</span>.
      </>
    );
  return (
    <>
      {subject} runs{" "}
      {assertion.implementation ? (
        <>
          the implementation <Hash value={assertion.implementation} label="implementation" />
        </>
      ) : (
        "no implementation behind a proxy"
      )}{" "}
      in every block from <span className="mono">{fromBlock}</span> to <span className="mono">{toBlock}</span>
      .
    </>
  );
}

/** The evidence of a challenge, as a sentence. */
export function EvidenceSentence({ challenge }: { readonly challenge: ChallengeRecord }) {
  const { block, implementation, bytecodeHash, bytecodeBytes } = challenge.evidence;
  if (typeof block === "number")
    return (
      <>
        States that at block <span className="mono">{block}</span> the implementation is{" "}
        {typeof implementation === "string" ? <Hash value={implementation} label="implementation" /> : "none"}
        .
      </>
    );
  return (
    <>
      States that the code is{" "}
      {typeof bytecodeHash === "string" ? <Hash value={bytecodeHash} label="code hash" /> : "none"} of{" "}
      {String(bytecodeBytes)} bytes.
    </>
  );
}
