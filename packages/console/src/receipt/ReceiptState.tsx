import type { InvocationState, Receipt } from "@assay/protocol";
import type { ArrivalCheck } from "../verify/useArrivalCheck.js";
import "../styles/records.css";

const states: Record<
  InvocationState,
  readonly [title: string, meaning: string, tone: "good" | "bad" | "open"]
> = {
  reserved: ["Being computed", "The payment is held for this call; nothing has been charged.", "open"],
  settling: ["Being paid", "The answer is stored and the payment is on its way to the chain.", "open"],
  settled: ["Paid and delivered", "The payment reached the service and the answer was given out.", "good"],
  failed: ["Not paid", "The payment failed. Nothing was charged and no answer was given out.", "bad"],
  unknown: [
    "Not yet known",
    "It is not known yet whether the payment was charged; the service keeps asking the chain. Send the same payment again rather than a new one.",
    "open",
  ],
  reorged: [
    "Paid, then undone",
    "A reorganisation of the chain undid the payment after the answer was given out. Nothing is charged.",
    "bad",
  ],
  void: ["Closed without a charge", "The call ended before any payment was made.", "open"],
};

const checkWords: Record<Exclude<ArrivalCheck, "refused">, string> = {
  checking: "Being checked against the log…",
  passed: "Checked here: the log's known key has signed it.",
  unvouched: "Stated by the service only: no log entry under a known key confirms it.",
  unchecked: "Not checked: the verifier could not be loaded. Verify it below before you rely on it.",
};

/** The state of the payment; in colour only once the log has confirmed it. */
export function ReceiptState({
  receipt,
  check,
}: {
  readonly receipt: Receipt;
  readonly check: ArrivalCheck;
}) {
  const [title, meaning, tone] = states[receipt.state];
  if (check === "refused")
    return (
      <header className="standing standing-bad">
        <p className="standing-title">Refused: a check failed</p>
        <p role="alert">
          It says <s>{title}</s>. Do not rely on any of it; the failed check is named below.
        </p>
        <p>Check the payment on the chain instead.</p>
      </header>
    );
  return (
    <header className={check === "passed" ? `standing standing-${tone}` : "standing"}>
      <p className="standing-title">{title}</p>
      <p>{meaning}</p>
      {receipt.failure && <p className="mono">{receipt.failure}</p>}
      <p className="soft" role="status">
        {checkWords[check]}
      </p>
    </header>
  );
}
