import { Hash } from "./Hash.js";
import { Party } from "./Party.js";

const NAMED = /(0x[0-9a-fA-F]{40}(?![0-9a-fA-F])|(?:sha256:|0x)[0-9a-fA-F]{64}(?![0-9a-fA-F]))/;

interface Props {
  readonly text: string;
  readonly names: ReadonlyMap<string, string>;
}

/** A sentence in which addresses are drawn, and hashes are short; both can be copied whole. */
export function Sentence({ text, names }: Props) {
  return text.split(NAMED).map((part, place) => {
    const key = `${place} ${part.slice(0, 12)}`;
    // A figure and its sign stay on one line.
    if (place % 2 === 0) return part.replace(/(?<=\d) %/g, "\u00a0%");
    return part.length === 42 ? (
      <Party key={key} address={part} name={names.get(part.toLowerCase())} />
    ) : (
      <Hash key={key} value={part} label="hash" />
    );
  });
}
