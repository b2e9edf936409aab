import { useState } from "react";
import { count } from "../ui/format.js";

const LONG_TEXT = 200;

/** Any JSON as a tree that opens branch by branch; closed branches are not rendered, since proofs are large. */
export function EvidenceTree({ value, isOpen }: { readonly value: unknown; readonly isOpen: boolean }) {
  if (!isBranch(value)) return <Leaf value={value} />;
  return (
    <ul className="tree">
      {Object.entries(value).map(([name, inner]) => (
        <li key={name}>
          <Branch name={name} value={inner} isOpen={isOpen} />
        </li>
      ))}
    </ul>
  );
}

interface BranchProps {
  readonly name: string;
  readonly value: unknown;
  readonly isOpen: boolean;
}

function Branch({ name, value, isOpen }: BranchProps) {
  const [isShown, setIsShown] = useState(isOpen);
  const plain = findReadingValue(value);
  if (!isBranch(plain.value))
    return (
      <>
        <code>{name}</code> {plain.status && <span className="tag soft">{plain.status}</span>}{" "}
        <Leaf value={plain.value} />
      </>
    );
  const size = Object.keys(plain.value).length;
  if (size === 0)
    return (
      <>
        <code>{name}</code> <span className="soft">none</span>
      </>
    );
  return (
    <details open={isShown} onToggle={(event) => setIsShown(event.currentTarget.open)}>
      <summary>
        <code>{name}</code> {plain.status && <span className="tag soft">{plain.status}</span>}{" "}
        <span className="soft">{count(size, Array.isArray(plain.value) ? "item" : "field")}</span>
      </summary>
      {isShown && <EvidenceTree value={plain.value} isOpen={false} />}
    </details>
  );
}

/** A reading of the chain is shown as its value and its status. */
function findReadingValue(value: unknown): { readonly value: unknown; readonly status?: string } {
  if (!isBranch(value)) return { value };
  switch (value.status) {
    case "value":
      return { value: value.value, status: "read" };
    case "absent":
      return { value: null, status: "absent" };
    case "reverted":
      return { value: value.data ?? null, status: "reverted" };
    case "unanswered":
      return { value: value.reason, status: "unanswered" };
    default:
      return { value };
  }
}

function Leaf({ value }: { readonly value: unknown }) {
  const [isWhole, setIsWhole] = useState(false);
  if (value === null) return <span className="soft">none</span>;
  if (typeof value === "boolean") return <span className="mono">{value ? "yes" : "no"}</span>;
  const text = String(value);
  if (text.length <= LONG_TEXT || isWhole) return <span className="mono leaf">{text}</span>;
  return (
    <span className="mono leaf">
      {text.slice(0, LONG_TEXT)}…{" "}
      <button type="button" className="quiet small" onClick={() => setIsWhole(true)}>
        show all {text.length} characters
      </button>
    </span>
  );
}

const isBranch = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
