import { getCapability } from "@assay/client";
import { type FormEvent, useId, useRef, useState } from "react";
import { Link } from "../routing/router.js";
import type { AskedPaste } from "./askPasted.js";
import { openForm } from "./handedInput.js";
import { useSight } from "./useSight.js";

/** One box for anything that somebody has at hand: it says what that is, and which questions can be asked about it. */
export function AskBox() {
  const id = useId();
  const [text, setText] = useState("");
  const [pasted, setPasted] = useState<AskedPaste>();
  const { asked, isLooking, account } = useSight(pasted);
  const turn = useRef(0);
  const read = async (next: string) => {
    setText(next);
    turn.current += 1;
    const mine = turn.current;
    if (next.trim() === "") return setPasted(undefined);
    const result = await import("./askPasted.js").then(
      ({ askPasted }) => askPasted(next),
      (): AskedPaste => ({ title: "", problem: "It could not be read: the page is offline.", questions: [] }),
    );
    // Something newer was entered while this was read.
    if (mine === turn.current) setPasted(result);
  };
  const [first, ...others] = asked?.problem === undefined ? (asked?.questions ?? []) : [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (first && !isLooking) openForm(first.id, first.values);
  };
  return (
    <form className="ask" onSubmit={submit}>
      <label htmlFor={id}>What do you want to check?</label>
      <textarea
        id={id}
        className="mono"
        rows={2}
        spellCheck={false}
        autoComplete="off"
        value={text}
        placeholder="Address, transaction, request of a wallet, message to sign, web address…"
        aria-describedby={`${id}-outcome`}
        onChange={(event) => void read(event.target.value)}
      />
      <p
        id={`${id}-outcome`}
        role="status"
        className={asked?.problem === undefined ? "field-note" : "field-error refused"}
      >
        {asked
          ? [asked.title && `This is ${asked.title}.`, asked.problem].filter(Boolean).join(" ")
          : "It is read in this browser. Of an address, the service reads what stands there; nothing else is sent before you ask."}
      </p>
      <p className="ask-questions">
        {isLooking ? (
          <button type="submit" disabled>
            Reading what stands there…
          </button>
        ) : account ? (
          <>
            <Link href="/sign" className="button">
              Check a payment to it
            </Link>
            <Link href={`/wallet/${account}`}>If it is yours: what did it buy here?</Link>
          </>
        ) : first ? (
          <button type="submit">{getCapability(first.id).title}</button>
        ) : (
          <button type="submit" disabled>
            Check it
          </button>
        )}
        {(isLooking ? [] : others).map(({ id: other, values }) => (
          <button key={other} type="button" className="quiet" onClick={() => openForm(other, values)}>
            {getCapability(other).title}
          </button>
        ))}
      </p>
    </form>
  );
}
