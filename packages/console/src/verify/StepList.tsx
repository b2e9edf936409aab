import { Icon } from "../ui/Icon.js";
import { Sentence } from "../ui/Sentence.js";
import type { CheckStep, PlannedStep } from "./checkStep.js";

const marks = { passed: "done", failed: "failed", unchecked: "doubt" } as const;
const words = {
  passed: "passed",
  failed: "failed",
  unchecked: "not checked",
  waiting: "not yet checked",
} as const;

const nobody: ReadonlyMap<string, string> = new Map();

/** Everything that is going to be checked, each with its outcome once it is known. */
export function StepList({
  plan,
  steps,
  isBrief,
}: {
  readonly plan: readonly PlannedStep[];
  readonly steps: readonly CheckStep[];
  /** Without their details: before they are asked for. */
  readonly isBrief: boolean;
}) {
  return (
    <ol className={isBrief ? "steps steps-waiting" : "steps"}>
      {plan.map(({ name, title }) => {
        const step = steps.find((one) => one.name === name);
        const state = stateOf(step);
        return (
          <li key={name} className={`step step-${state}`} data-step={name} data-state={state}>
            <span className="step-mark" aria-hidden="true">
              {state !== "waiting" && <Icon name={marks[state]} />}
            </span>
            <span className="step-title">
              {title}
              <span className="visually-hidden">: {words[state]}</span>
            </span>
            {!isBrief && (
              <span className="step-detail">{step && <Sentence text={step.detail} names={nobody} />}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function stateOf(step: CheckStep | undefined): keyof typeof words {
  if (!step) return "waiting";
  if (!step.ok) return "failed";
  return step.checked ? "passed" : "unchecked";
}
