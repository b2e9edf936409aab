import { useId, useState } from "react";
import type { InputValues } from "../form/checkInput.js";
import { readPasted } from "./readPasted.js";

const kinds = {
  request: "Read as a JSON transaction.",
  transaction: "Read as a serialized transaction.",
  calldata: "Read as calldata: say who sends it, and to whom.",
} as const;

/** Takes a transaction in any form and fills the fields with it. */
export function PasteBox({ onRead }: { onRead(values: InputValues): void }) {
  const id = useId();
  const [text, setText] = useState("");
  const [outcome, setOutcome] = useState<{ readonly ok: boolean; readonly words: string }>();
  const take = async (next: string) => {
    setText(next);
    if (next.trim() === "") return setOutcome(undefined);
    const pasted = await readPasted(next);
    setOutcome(pasted.ok ? { ok: true, words: kinds[pasted.kind] } : { ok: false, words: pasted.problem });
    if (pasted.ok) onRead(pasted.values);
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
        className={outcome ? (outcome.ok ? "field-note good" : "field-error") : "field-note"}
      >
        {outcome?.words ??
          "It is taken apart in this browser. Once it is complete, the service is asked for a price."}
      </p>
    </div>
  );
}
