import type { CapabilityResult } from "@assay/protocol";
import { Scroll } from "../ui/Scroll.js";

interface Citation {
  readonly id: string;
  /** UTF-16 offsets into the Markdown. */
  readonly markdownStart: number;
  readonly markdownEnd: number;
}

interface Compiled {
  readonly markdown?: string;
  readonly citations?: readonly Citation[];
}

/** A web page as the Markdown made of it, shown as text: nothing of a stranger's page is ever run or rendered here. */
export function PageText({ answer }: { readonly answer: CapabilityResult }) {
  const { markdown = "", citations = [] } = answer.result.evidence as Compiled;
  return (
    <section className="page-text">
      <h3>Text of the page</h3>
      {markdown === "" ? (
        <p className="soft">No readable text was found.</p>
      ) : (
        <Scroll label="The page as Markdown">
          {splitByCitation(markdown, citations).map(({ start, text, id }) =>
            id ? (
              <p key={start}>
                <code className="tag soft" title="Cite this part by this name">
                  {id}
                </code>
                <span>{text}</span>
              </p>
            ) : (
              <p key={start} className="uncited">
                <span />
                <span>{text}</span>
              </p>
            ),
          )}
        </Scroll>
      )}
      <p className="soft">
        {citations.length === 1 ? "One part" : `${citations.length} parts`}, each with a hash in the evidence.
      </p>
    </section>
  );
}

interface Part {
  readonly start: number;
  readonly text: string;
  readonly id: string | undefined;
}

/** The text in order, part by part; text that no citation covers is kept too. */
export function splitByCitation(markdown: string, citations: readonly Citation[]): Part[] {
  const parts: Part[] = [];
  let place = 0;
  const add = (end: number, id: string | undefined) => {
    const text = markdown.slice(place, end);
    if (text.trim() !== "") parts.push({ start: place, text: text.trim(), id });
    place = Math.max(place, end);
  };
  for (const { id, markdownStart, markdownEnd } of citations.toSorted(
    (a, b) => a.markdownStart - b.markdownStart,
  )) {
    add(markdownStart, undefined);
    add(markdownEnd, id);
  }
  add(markdown.length, undefined);
  return parts;
}
