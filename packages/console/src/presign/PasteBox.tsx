import { useId, useRef, useState } from "react";
import { type Pasted, readPasted } from "./readPasted.js";

const kinds = {
  request: "Read as a JSON transaction.",
  transaction: "Read as a serialized transaction.",
  calldata: "Read as calldata: enter who sends it, and to which address.",
} as const;

/** Takes a transaction in any form. A refused paste is reported too, so that the form can drop an earlier one. */
export function PasteBox({ onPaste }: { onPaste(pasted: Pasted): void }) {
  const id = useId();
  const [text, setText] = useState("");
  const [outcome, setOutcome] = useState<Pasted>();
  const turn = useRef(0);
  const take = async (next: string) => {
    setText(next);
    turn.current += 1;
    const mine = turn.current;
    if (next.trim() === "") return setOutcome(undefined);
    const pasted = await readPasted(next).catch(
      (): Pasted => ({
        ok: false,
        problem: "The transaction decoder could not be loaded. Go online and paste it again.",
      }),
    );
    // Something newer was pasted while this was read.
    if (mine !== turn.current) return;
    setOutcome(pasted);
    onPaste(pasted);
  };
  return (
    <div className="field">
      <label htmlFor={id}>Transaction, calldata or JSON request</label>
      <textarea
        id={id}
        className="mono"
        rows={5}
        spellCheck={false}
        value={text}
        placeholder={'{"method":"eth_sendTransaction","params":[{"from":"0x…","to":"0x…","data":"0x…"}]}'}
        aria-describedby={`${id}-outcome`}
        onChange={(event) => void take(event.target.value)}
      />
      <p
        id={`${id}-outcome`}
        role="status"
        className={outcome ? (outcome.ok ? "field-note good" : "field-error refused") : "field-note"}
      >
        {outcome
          ? outcome.ok
            ? [kinds[outcome.kind], ...outcome.notes].join(" ")
            : outcome.problem
          : "It is decoded in this browser. Once it is complete, the service is asked for a price."}
      </p>
    </div>
  );
}
