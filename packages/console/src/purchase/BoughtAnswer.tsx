import type { CapabilityId } from "@assay/client";
import { AnswerView } from "../answer/AnswerView.js";
import type { CheckedInput } from "../form/checkInput.js";
import { isAbout } from "./isAbout.js";
import type { Bought } from "./usePurchase.js";

interface Props {
  readonly id: CapabilityId;
  readonly bought: Bought;
  /** What the form holds now. */
  readonly checked: CheckedInput;
}

/** The answer bought last, marked where the form has since been given other input. */
export function BoughtAnswer({ id, bought, checked }: Props) {
  const { answer, settlement, signed, isNew, arrivedAtMs } = bought;
  return (
    <AnswerView
      key={answer.invocationId}
      answer={answer}
      signed={signed}
      settlement={settlement}
      isNew={isNew}
      arrivedAtMs={arrivedAtMs}
      isOther={!isAbout(id, answer, checked)}
    />
  );
}
