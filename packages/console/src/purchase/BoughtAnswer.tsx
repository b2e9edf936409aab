import type { CapabilityId } from "@assay/client";

import type { ReactNode } from "react";
import { AnswerView } from "../answer/AnswerView.js";
import type { CheckedInput } from "../form/checkInput.js";
import { isAbout } from "./isAbout.js";
import type { Bought } from "./usePurchase.js";

interface Props {
  readonly id: CapabilityId;
  readonly bought: Bought;
  /** What the form holds now. */
  readonly checked: CheckedInput;
  readonly children?: ReactNode;
}

/** The answer bought last. Whoever has since typed something else must not take it for an answer to that. */
export function BoughtAnswer({ id, bought, checked, children }: Props) {
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
    >
      {children}
    </AnswerView>
  );
}
