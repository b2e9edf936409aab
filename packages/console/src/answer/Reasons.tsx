import { type FindSentence, loadSentences } from "@assay/client";
import type { Verdict } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";

interface Props {
  readonly answer: {
    readonly capabilityId: string;
    readonly verdict: Verdict;
    /** Its summary holds the sentences of the reasons that decided. */
    readonly result: {
      readonly reasonCodes: readonly string[];
      readonly summary: string;
      readonly refreshed?: unknown;
    };
  };
  /** The level that fits the headings around it. */
  readonly heading?: "h3" | "h4" | undefined;
}

const titles: Record<Verdict, string> = {
  allow: "",
  review: "Reasons to review",
  block: "Reasons to block",
};

/** Each reason in words, with the code that programs read: those that decided the verdict first, then the others. */
export function Reasons({ answer, heading: Heading = "h4" }: Props) {
  const { capabilityId, verdict, result } = answer;
  const { reasonCodes: codes, summary } = result;
  const { data: findSentence = () => "" } = useQuery({
    queryKey: ["sentences", capabilityId, result],
    queryFn: () => loadSentences(answer),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const decided = codes.filter((code) => findSentence(code) !== "" && summary.includes(findSentence(code)));
  const others = codes.filter((code) => !decided.includes(code));
  if (verdict === "allow" || decided.length === 0 || others.length === 0)
    return <List codes={codes} findSentence={findSentence} />;
  return (
    <>
      <Heading className={`reasons-title reasons-${verdict}`}>{titles[verdict]}</Heading>
      <List codes={decided} findSentence={findSentence} />
      <Heading className="reasons-title">Also found</Heading>
      <List codes={others} findSentence={findSentence} />
    </>
  );
}

interface ListProps {
  readonly codes: readonly string[];
  readonly findSentence: FindSentence;
}

function List({ codes, findSentence }: ListProps) {
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
