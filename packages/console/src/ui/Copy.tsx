import { useState } from "react";

const CONFIRMED_FOR_MS = 2_000;

/** Copies a text and confirms it for a moment. */
export function useCopy(text: string): { readonly copied: boolean; copy(): void } {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), CONFIRMED_FOR_MS);
  };
  return { copied, copy: () => void copy() };
}

/** A button that copies a text. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const { copied, copy } = useCopy(text);
  return (
    <button type="button" className="quiet small" onClick={copy} aria-label={`Copy ${label}`}>
      {copied ? "Copied" : "Copy"}
    </button>
  );
}

export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  return (
    <figure className="code">
      <figcaption>
        <span>{label}</span>
        <CopyButton text={code} label={label} />
      </figcaption>
      {/* Scrolls by keyboard too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
