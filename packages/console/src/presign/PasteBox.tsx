import { getCapability } from "@assay/client";
import { useId, useRef, useState } from "react";
import type { AskedPaste } from "../form/askPasted.js";
import { openForm } from "../form/handedInput.js";
import { useSight } from "../form/useSight.js";
import { type Pasted, readPasted } from "./readPasted.js";
import { transactionGuards } from "./transactionGuards.js";

const kinds = {
  request: "Read as a JSON transaction.",
  transaction: "Read as a serialized transaction.",
  calldata: "Read as calldata: enter who sends it, and to which address.",
} as const;

/** What the decoder of this page says more about. */
const TRANSACTIONS: ReadonlySet<AskedPaste["kind"]> = new Set([
  "transaction",
  "signedTransaction",
  "calldata",
]);

/**
 * Takes anything that somebody is asked to sign. A transaction stays on this page; a message, an address or a page is asked about
 * on the page of its own guard. A refused paste is reported too, so that the form can drop an earlier one.
 */
export function PasteBox({ onPaste }: { onPaste(pasted: Pasted): void }) {
  const id = useId();
  const [text, setText] = useState("");
  const [outcome, setOutcome] = useState<Pasted>();
  const [elsewhere, setElsewhere] = useState<AskedPaste>();
  const { asked: other, isLooking } = useSight(elsewhere);
  const turn = useRef(0);
  const take = async (next: string) => {
    setText(next);
    turn.current += 1;
    const mine = turn.current;
    setElsewhere(undefined);
    if (next.trim() === "") return setOutcome(undefined);
    const asked = await import("../form/askPasted.js").then(
      ({ askPasted }) => askPasted(next),
      () => undefined,
    );
    // What is no transaction, or a key, is not read as one.
    const isRefused = asked?.problem !== undefined && !TRANSACTIONS.has(asked.kind);
    const pasted: Pasted = isRefused
      ? { ok: false, problem: asked.problem ?? "" }
      : await readPasted(next).catch(() => ({
          ok: false,
          problem: "The transaction decoder could not be loaded. Go online and paste it again.",
        }));
    // Something newer was pasted while this was read.
    if (mine !== turn.current) return;
    const [first] = asked?.problem === undefined ? (asked?.questions ?? []) : [];
    // An address or the hash of a transaction could pass for calldata.
    const isElsewhere = first !== undefined && !transactionGuards.some(({ id: guard }) => guard === first.id);
    setElsewhere(isElsewhere ? asked : undefined);
    setOutcome(pasted);
    onPaste(isElsewhere ? { ok: false, problem: "" } : pasted);
  };
  return (
    <div className="field">
      <label htmlFor={id}>What you are asked to sign</label>
      <textarea
        id={id}
        className="mono"
        rows={5}
        spellCheck={false}
        value={text}
        placeholder="Transaction, calldata, request of a wallet, message…"
        aria-describedby={`${id}-outcome`}
        onChange={(event) => void take(event.target.value)}
      />
      <p
        id={`${id}-outcome`}
        role="status"
        className={
          outcome && !other ? (outcome.ok ? "field-note good" : "field-error refused") : "field-note"
        }
      >
        {other
          ? [`This is ${other.title}.`, other.note, tellOther(isLooking, other)].filter(Boolean).join(" ")
          : outcome
            ? outcome.ok
              ? [kinds[outcome.kind], ...outcome.notes].join(" ")
              : outcome.problem
            : "A transaction, calldata, a request of a wallet, a message. It is read in this browser; once it is complete, the service is asked for a price."}
      </p>
      {other && (
        <p className="ask-questions">
          {(isLooking ? [] : other.questions).map((question, place) => (
            <button
              key={question.id}
              type="button"
              className={place === 0 ? undefined : "quiet"}
              onClick={() => openForm(question.id, question.values)}
            >
              {getCapability(question.id).title}
            </button>
          ))}
        </p>
      )}
    </div>
  );
}

function tellOther(isLooking: boolean, { questions }: AskedPaste): string {
  if (isLooking) return "Reading what stands there…";
  return questions.length > 0
    ? "Another guard judges it:"
    : "There is no code to judge: paste what you would send to it.";
}
