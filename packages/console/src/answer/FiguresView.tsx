import type { News, Section } from "@assay/client";
import { FoldOnPhone } from "../ui/FoldOnPhone.js";
import { Sentence } from "../ui/Sentence.js";
import { toneOf } from "./toneOf.js";

/** Lines of a section that a phone shows at once; a list of ten alike says little more than its beginning. */
const MOST_ON_PHONE = 8;

/** Every figure that was paid for. */
export function FiguresView({ news: { sections, names } }: { readonly news: News }) {
  const minor = sections.filter(({ isMinor }) => isMinor);
  return (
    <>
      <div className="news-sections">
        {sections
          .filter(({ isMinor }) => !isMinor)
          .map((section) => (
            <section key={section.title}>
              <h3>{section.title}</h3>
              <Figures lines={section.lines.slice(0, MOST_ON_PHONE)} names={names} />
              {section.lines.length > MOST_ON_PHONE && (
                <FoldOnPhone isFolded title={`${section.lines.length - MOST_ON_PHONE} more`}>
                  <Figures lines={section.lines.slice(MOST_ON_PHONE)} names={names} />
                </FoldOnPhone>
              )}
            </section>
          ))}
      </div>
      {minor.length > 0 && (
        <div className="news-minor">
          {minor.map(({ title, lines }) => (
            <details key={title}>
              <summary>{title}</summary>
              <Figures lines={lines} names={names} />
            </details>
          ))}
        </div>
      )}
    </>
  );
}

function Figures({ lines, names }: { readonly lines: Section["lines"]; readonly names: News["names"] }) {
  return (
    <dl className="news-figures">
      {lines.map(({ name, text, tone }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines never change their order
        <div key={place} className={shapeOf(name)}>
          <dt>
            <Sentence text={name} names={names} />
          </dt>
          <dd className={toneOf(tone)}>
            <Sentence text={text} names={names} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** An address needs the whole width, the number of a sentence nearly none. */
const shapeOf = (name: string) =>
  name.startsWith("0x") ? "of-party" : /^\d+$/.test(name) ? "of-sentence" : undefined;
