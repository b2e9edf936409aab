import type { CapabilityId } from "@assay/protocol";
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
export function BoughtAnswer({ id, bought: { answer, settlement, isNew }, checked, children }: Props) {
  return (
    <>
      <p className="other-input" role="status">
        {!isAbout(id, answer, checked) && (
          <>
            <strong>The answer below is about other input</strong> than the form holds now.
          </>
        )}
      </p>
      <AnswerView key={answer.invocationId} answer={answer} settlement={settlement} isNew={isNew}>
        {children}
      </AnswerView>
    </>
  );
}
