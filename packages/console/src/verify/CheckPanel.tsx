import { useCallback, useEffect, useRef, useState } from "react";
import { FoldOnPhone } from "../ui/FoldOnPhone.js";
import { Failure } from "../ui/Status.js";
import "../styles/verify.css";
import { type CheckStep, conclude, type Finding, type PlannedStep } from "./checkStep.js";
import { StepList } from "./StepList.js";
import type { Window } from "./useWindow.js";

/** Between two steps, so that the eye can follow. */
const STEP_MS = 120;

interface Props {
  /** Text of the button. */
  readonly label: string;
  readonly plan: readonly PlannedStep[];
  check(): Promise<readonly CheckStep[]>;
  /** Checks at once, without the button. */
  readonly isAutomatic?: boolean | undefined;
  /** Steps that the page checked by itself; undefined where there are none. */
  readonly known?: readonly CheckStep[] | undefined;
  onChecked?: ((finding: Finding) => void) | undefined;
  /** The parts that no step covers, shown once all steps have passed. */
  uncovered?: ((steps: readonly CheckStep[]) => readonly string[]) | undefined;
  /** Whether an answer still holds; one that has ended is not shown as plainly good. */
  readonly window?: Window | undefined;
}

type Run =
  | { readonly state: "idle" | "running" }
  | { readonly state: "failed"; readonly error: unknown }
  | { readonly state: "shown"; readonly steps: readonly CheckStep[] };

/** One button, and each step ticking or failing with its reason. The service takes no part in the check. */
export function CheckPanel({
  label,
  plan,
  check,
  isAutomatic = false,
  known,
  onChecked,
  uncovered,
  window: validity,
}: Props) {
  const [run, setRun] = useState<Run>({ state: "idle" });
  const [shown, setShown] = useState(0);
  const latest = useRef({ plan, check, onChecked });
  latest.current = { plan, check, onChecked };
  const start = useCallback(async () => {
    setRun({ state: "running" });
    setShown(0);
    try {
      const steps = await latest.current.check();
      setRun({ state: "shown", steps });
      latest.current.onChecked?.(conclude(latest.current.plan, steps));
    } catch (error) {
      setRun({ state: "failed", error });
    }
  }, []);
  useEffect(() => {
    if (isAutomatic) void start();
  }, [isAutomatic, start]);
  const steps = run.state === "shown" ? run.steps : [];
  useEffect(() => {
    if (shown >= steps.length) return;
    const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const timer = setTimeout(() => setShown(isCalm ? steps.length : shown + 1), isCalm ? 0 : STEP_MS);
    return () => clearTimeout(timer);
  }, [shown, steps.length]);
  const isDone = run.state === "shown" && shown >= steps.length;
  const isBusy = run.state === "running" || (run.state === "shown" && !isDone);
  return (
    <div className="check">
      <div className="check-head">
        <button type="button" disabled={isBusy} onClick={() => void start()}>
          {isBusy ? "Checking…" : isDone ? "Check again" : label}
        </button>
        <p className="check-outcome" role="status">
          {isDone ? (
            <Conclusion plan={plan} steps={steps} validity={validity} />
          ) : (
            <span className="soft">
              {known ? "Ticked steps were checked on arrival" : "Checked"} in this browser, not by the
              service.
            </span>
          )}
        </p>
      </div>
      {run.state === "failed" && <Failure error={run.error} retry={() => void start()} />}
      <FoldOnPhone isFolded={shown === 0} title={`The ${plan.length} checks`}>
        <StepList
          plan={plan}
          steps={shown > 0 ? steps.slice(0, shown) : (known ?? []).filter(({ checked }) => checked)}
          isBrief={shown === 0}
        />
      </FoldOnPhone>
      {isDone && uncovered && steps.every(({ ok }) => ok) && <Uncovered parts={uncovered(steps)} />}
    </div>
  );
}

function Uncovered({ parts }: { readonly parts: readonly string[] }) {
  return (
    <details className="uncovered">
      <summary>What these checks do not cover</summary>
      <p>No hash or signature covers these parts, so do not rely on them:</p>
      <ul>
        {parts.map((part) => (
          <li key={part}>{/^[\w.]+$/.test(part) ? <code>{part}</code> : part}</li>
        ))}
      </ul>
    </details>
  );
}

interface ConclusionProps extends Pick<Props, "plan"> {
  readonly steps: readonly CheckStep[];
  readonly validity: Props["window"];
}

function Conclusion({ plan, steps, validity }: ConclusionProps) {
  const titleOf = (name: string) => plan.find((step) => step.name === name)?.title ?? name;
  const failed = steps.filter(({ ok }) => !ok);
  if (failed.length > 0)
    return (
      <strong className="bad">
        Refused: {failed.map(({ name }) => titleOf(name)).join(", ")}. Do not rely on it.
      </strong>
    );
  const open = steps.filter(({ checked }) => !checked);
  const isGood = conclude(plan, steps) === "passed" && (!validity || validity.holds === true);
  return (
    <>
      <strong className={isGood ? "good" : undefined}>
        {open.length === 0
          ? `All ${plan.length} checks passed.`
          : `${steps.length - open.length} of ${plan.length} checks passed. Not checked: ${open
              .map(({ name }) => titleOf(name))
              .join(", ")}.`}
      </strong>{" "}
      {validity && (
        <span className={validity.holds === false ? "bad" : "soft"} data-testid="still-holds">
          {validity.holds === false && "It no longer holds. "}
          {validity.words}
        </span>
      )}
    </>
  );
}
