import type { WeighedReason } from "@assay/client";
import type { CapabilityResult, Verdict } from "@assay/protocol";
import { FoldOnPhone } from "../ui/FoldOnPhone.js";
import { useNews } from "./useNews.js";

interface Props {
  readonly answer: Parameters<typeof useNews>[0] & Pick<CapabilityResult, "verdict">;
  /** The level that fits the headings around it. */
  readonly heading?: "h3" | "h4" | undefined;
}

const titles: Record<Verdict, string> = {
  block: "Speaks for blocking",
  review: "To be checked by you",
  allow: "In its favour, or neutral",
};

/** Each reason in words, with the code that programs read, by weight: what decided nothing is folded, on a wide screen only beside what did. */
export function Reasons({ answer, heading: Heading = "h4" }: Props) {
  const news = useNews(answer);
  const reasons = news?.reasons ?? [];
  const of = (verdict: Verdict) => reasons.filter((one) => one.verdict === verdict);
  const light = of("allow");
  return (
    <>
      {(["block", "review"] as const).map((verdict) => {
        const group = of(verdict);
        return group.length === 0 ? null : (
          <div key={verdict} className="reason-group">
            <Heading className={`reasons-title reasons-${verdict}`}>{titles[verdict]}</Heading>
            <List reasons={group} />
          </div>
        );
      })}
      {light.length > 0 &&
        (light.length === reasons.length ? (
          <FoldOnPhone isFolded title={`${titles.allow}: ${light.length}`}>
            <List reasons={light} />
          </FoldOnPhone>
        ) : (
          <details className="reason-group">
            <summary>
              {titles.allow}: {light.length}
            </summary>
            <List reasons={light} />
          </details>
        ))}
    </>
  );
}

function List({ reasons }: { readonly reasons: readonly WeighedReason[] }) {
  return (
    <ul className="reasons">
      {reasons.map(({ code, sentence }) => (
        <li key={code}>
          {sentence} <code className="soft">{code}</code>
        </li>
      ))}
    </ul>
  );
}
