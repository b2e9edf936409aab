import { getCapability } from "@assay/client";
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import { Link } from "../routing/router.js";
import type { AskedPaste } from "./askPasted.js";
import { openForm } from "./handedInput.js";
import { type Sighted, useSight } from "./useSight.js";

/** One box for anything that somebody has at hand: it says what that is, and which questions can be asked about it. */
export function AskBox() {
  const id = useId();
  const [text, setText] = useState("");
  const [pasted, setPasted] = useState<AskedPaste>();
  const sighted = useSight(pasted);
  const { asked } = sighted;
  const turn = useRef(0);
  const read = async (next: string) => {
    setText(next);
    turn.current += 1;
    const mine = turn.current;
    if (next.trim() === "") return setPasted(undefined);
    const result = await import("./askPasted.js").then(
      ({ askPasted }) => askPasted(next),
      (): AskedPaste => ({
        ...{ kind: "unknown", title: "", questions: [] },
        problem: "It could not be read: the page is offline.",
      }),
    );
    // Something newer was entered while this was read.
    if (mine === turn.current) setPasted(result);
  };
  const submit = (event: Pick<FormEvent, "preventDefault">) => {
    event.preventDefault();
    const [first] = questionsOf(asked);
    if (first && !sighted.isLooking) openForm(first.id, first.values);
  };
  // Of one line, Enter is the end; a message or a request may have more.
  const enter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Enter" && !event.shiftKey && !text.includes("\n")) submit(event);
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
        onKeyDown={enter}
      />
      <p
        id={`${id}-outcome`}
        role="status"
        className={asked?.problem === undefined ? "field-note" : "field-error refused"}
      >
        {asked
          ? [asked.title && `This is ${asked.title}.`, asked.problem, asked.note].filter(Boolean).join(" ")
          : "It is read in this browser. Of an address, the service reads what stands there; nothing else is sent before you ask."}
      </p>
      <Questions asked={asked} sighted={sighted} />
    </form>
  );
}

/** The question that fits first; of an account without code, what else can be done with it. */
function Questions({
  asked,
  sighted,
}: {
  readonly asked: AskedPaste | undefined;
  readonly sighted: Sighted;
}) {
  const [first, ...others] = questionsOf(asked);
  if (sighted.isLooking || (!first && !sighted.account))
    return (
      <p className="ask-questions">
        <button type="submit" disabled>
          {sighted.isLooking ? "Reading what stands there…" : "Check it"}
        </button>
      </p>
    );
  return (
    <p className="ask-questions">
      {first && <button type="submit">{getCapability(first.id).title}</button>}
      {sighted.account && (
        <>
          <Link href="/sign" className="button">
            Check a payment to it
          </Link>
          <Link href={`/wallet/${sighted.account}`}>If it is yours: what did it buy here?</Link>
        </>
      )}
      {others.map(({ id, values }) => (
        <button key={id} type="button" className="quiet" onClick={() => openForm(id, values)}>
          {getCapability(id).title}
        </button>
      ))}
    </p>
  );
}

const questionsOf = (asked: AskedPaste | undefined) =>
  asked?.problem === undefined ? (asked?.questions ?? []) : [];
