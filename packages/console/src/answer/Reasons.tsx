import { type ReasonCode, reasonCodes } from "@assay/protocol";

/** Each reason in words, with the code that programs read. */
export function Reasons({ codes }: { readonly codes: readonly string[] }) {
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
