import {
  type CapabilityResult,
  canonicalJson,
  type RefreshedAnswer,
  refreshedAnswerSchema,
  resultHashOf,
} from "@assay/protocol";
import { type Evidence, isRecord, readEvidence } from "./readSaved.js";
import { recomputeArtifactId } from "./recomputeArtifactId.js";

/** What a rule judged: an answer, or the refreshed answer inside one. */
export type JudgedAnswer = Pick<
  CapabilityResult,
  "capabilityId" | "capabilityVersion" | "verdict" | "result"
>;

export interface Refreshed {
  readonly answer: RefreshedAnswer;
  readonly evidence: Evidence;
}

/**
 * The refreshed answer inside an answer of evidence.artifact. Undefined where there is none; a sentence where it is not the
 * one that the readings name.
 */
export function readRefreshed(
  { result }: JudgedAnswer,
  { readings, block }: Evidence,
): Refreshed | string | undefined {
  const stated = readings.refreshed ?? null;
  if (result.refreshed === undefined)
    return stated === null ? undefined : "the readings name an answer that is missing.";
  if (!refreshedAnswerSchema.safeParse(result.refreshed).success)
    return "it does not have the form of an answer.";
  // The value itself, not a parsed copy: its hash covers fields that this client may not know.
  const answer = result.refreshed as RefreshedAnswer;
  const evidence = readEvidence(answer.result.evidence);
  if (typeof evidence === "string") return evidence;
  const differing = [
    canonicalJson(stated) !== canonicalJson(describe(answer)) && "answer",
    answer.artifactId !== recomputeArtifactId(answer, evidence) && "artifactId",
    canonicalJson(evidence.block) !== canonicalJson(block) && "block",
    evidence.block.number !== answer.result.computedAtBlock && "computedAtBlock",
    answer.validUntil.block !== answer.result.validUntilBlock && "validUntil",
    !isSameQuestion(readings.source, answer, evidence) && "question",
  ].filter((field) => field !== false);
  return differing.length > 0
    ? `it has another ${differing.join(", ")} than the readings around it.`
    : { answer, evidence };
}

/** The form in which the service records a refreshed answer in the readings. */
function describe({
  capabilityId,
  capabilityVersion,
  artifactId,
  verdict,
  result,
  validUntil,
}: RefreshedAnswer) {
  const { reasonCodes, validUntilBlock } = result;
  return {
    ...{ capabilityId, capabilityVersion, artifactId, verdict, reasonCodes, validUntilBlock },
    resultHash: resultHashOf(verdict, result),
    freshUntilMs: Date.parse(validUntil.time),
  };
}

function isSameQuestion(source: unknown, { capabilityId }: RefreshedAnswer, { input }: Evidence): boolean {
  return (
    isRecord(source) &&
    source.capabilityId === capabilityId &&
    canonicalJson(source.input ?? null) === canonicalJson(input)
  );
}
