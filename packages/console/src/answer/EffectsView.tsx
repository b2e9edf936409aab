import type { Change, Line, News } from "@assay/client";
import { BeforeAfter } from "../presign/BeforeAfter.js";
import { SenderNotice } from "../presign/SenderNotice.js";
import { FoldOnPhone } from "../ui/FoldOnPhone.js";
import { Icon } from "../ui/Icon.js";
import { Sentence } from "../ui/Sentence.js";
import { toneOf } from "./toneOf.js";

interface Props {
  /** What was asked. */
  readonly input: unknown;
  readonly news: News;
}

type Names = News["names"];

/** What moves, and who has power over it: what a person decides by. */
export function EffectsView({ input, news }: Props) {
  const { changes, powers, names } = news;
  const { from, signer } = (input ?? {}) as { readonly from?: unknown; readonly signer?: unknown };
  const isSigned = from !== undefined || signer !== undefined;
  return (
    <>
      {typeof from === "string" && <SenderNotice from={from} />}
      {(changes.length > 0 || powers.length > 0) && (
        <div className="news-effects">
          {changes.length > 0 && (
            <section className="news-changes">
              <h3>What moves</h3>
              <ul>
                {changes.map((change) => (
                  <ChangeRow key={`${change.name} ${change.text}`} change={change} names={names} />
                ))}
              </ul>
            </section>
          )}
          {powers.length > 0 && (
            <Powers
              title={isSigned ? "What others may do afterwards" : "Who has power over it"}
              {...{ powers, names }}
            />
          )}
        </div>
      )}
    </>
  );
}

function ChangeRow({ change, names }: { readonly change: Change; readonly names: Names }) {
  const { name, text, tone, measured, symbol, decimals, worthAfter } = change;
  return (
    <li>
      <p className="news-change">
        <span className="soft">{name}</span>{" "}
        <strong className={toneOf(tone)}>{<Sentence text={text} names={names} />}</strong>
      </p>
      {measured && <BeforeAfter {...measured} decimals={decimals} symbol={symbol} worthAfter={worthAfter} />}
    </li>
  );
}

/** Apart from everything else and in amber: it stays after the transaction. */
function Powers({
  title,
  powers,
  names,
}: {
  readonly title: string;
  readonly powers: readonly Line[];
  readonly names: Names;
}) {
  return (
    <section className="news-powers">
      <h3>
        <Icon name="warning" /> {title}
      </h3>
      <PowerList powers={powers.slice(0, MOST_ON_PHONE)} names={names} />
      {powers.length > MOST_ON_PHONE && (
        <FoldOnPhone isFolded title={`${powers.length - MOST_ON_PHONE} more`}>
          <PowerList powers={powers.slice(MOST_ON_PHONE)} names={names} />
        </FoldOnPhone>
      )}
    </section>
  );
}

/** Powers that a phone shows at once. */
const MOST_ON_PHONE = 4;

const PowerList = ({ powers, names }: { readonly powers: readonly Line[]; readonly names: Names }) => (
  <ul>
    {powers.map(({ name, text }) => (
      <li key={`${name} ${text}`}>
        <Sentence text={name} names={names} /> <Sentence text={text} names={names} />
      </li>
    ))}
  </ul>
);
