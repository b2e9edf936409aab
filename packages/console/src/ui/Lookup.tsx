import { type FormEvent, useState } from "react";
import { navigate } from "../routing/router.js";
import type { NameRule } from "./Named.js";

interface Props {
  readonly label: string;
  readonly placeholder: string;
  /** How an id is written. */
  readonly by: NameRule;
  /** The page of one thing is this and its name. */
  readonly path: string;
}

/** Asks for an id and goes to its page. */
export function Lookup({ label, placeholder, by: { pattern, rule }, path }: Props) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const go = (event: FormEvent) => {
    event.preventDefault();
    const id = text.trim();
    if (!pattern.test(id)) return setProblem(rule);
    navigate(`${path}/${encodeURIComponent(id)}`);
  };
  return (
    <form className="lookup" onSubmit={go}>
      <label>
        {label}
        <input
          className="mono"
          value={text}
          placeholder={placeholder}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <button type="submit">Look up</button>
      {problem && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
