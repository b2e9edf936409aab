import { Hash } from "./Hash.js";
import { Party } from "./Party.js";

const NAMED = /(0x[0-9a-fA-F]{40}(?![0-9a-fA-F])|(?:sha256:|0x)[0-9a-fA-F]{64}(?![0-9a-fA-F]))/;

const MARKS = /^[.,;:!?)”]+/;

interface Props {
  readonly text: string;
  readonly names: ReadonlyMap<string, string>;
}

/** A sentence in which addresses are drawn, and hashes are short; both can be copied whole. */
export function Sentence({ text, names }: Props) {
  const parts = text.split(NAMED);
  return parts.map((part, place) => {
    const key = `${place} ${part.slice(0, 12)}`;
    // A figure and its sign stay on one line.
    if (place % 2 === 0)
      return (place === 0 ? part : part.replace(MARKS, "")).replace(/(?<=\d) %/g, "\u00a0%");
    const marks = MARKS.exec(parts[place + 1] ?? "")?.[0];
    const drawn =
      part.length === 42 ? (
        <Party key={key} address={part} name={names.get(part.toLowerCase())} />
      ) : (
        <Hash key={key} value={part} label="hash" />
      );
    // So does what ends a sentence.
    return marks ? (
      <span key={key} className="unbroken">
        {drawn}
        {marks}
      </span>
    ) : (
      drawn
    );
  });
}
