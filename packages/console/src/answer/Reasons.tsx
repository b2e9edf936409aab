import { type ReasonCode, reasonCodes, type Verdict } from "@assay/protocol";

interface Props {
  readonly codes: readonly string[];
  readonly verdict: Verdict;
  /** Tells the sentences of the reasons that decided. */
  readonly summary: string;
  /** What fits the headings around it. */
  readonly heading?: "h3" | "h4" | undefined;
}

const titles: Record<Verdict, string> = {
  allow: "",
  review: "What asks for a closer look",
  block: "What speaks against it",
};

/** Each reason in words, with the code that programs read: what decided first, then what else was found. */
export function Reasons({ codes, verdict, summary, heading: Heading = "h4" }: Props) {
  const decided = codes.filter((code) => summary.includes(findSentence(code)));
  const others = codes.filter((code) => !decided.includes(code));
  if (verdict === "allow" || decided.length === 0 || others.length === 0) return <List codes={codes} />;
  return (
    <>
      <Heading className={`reasons-title reasons-${verdict}`}>{titles[verdict]}</Heading>
      <List codes={decided} />
      <Heading className="reasons-title">Also found</Heading>
      <List codes={others} />
    </>
  );
}

function List({ codes }: Pick<Props, "codes">) {
  return (
    <ul className="reasons">
      {codes.map((code) => (
        <li key={code}>
          {findSentence(code)} <code className="soft">{code}</code>
        </li>
      ))}
    </ul>
  );
}

const findSentence = (code: string) =>
  Object.hasOwn(reasonCodes, code)
    ? reasonCodes[code as ReasonCode]
    : "A reason newer than this page; reload it to have it in words.";
