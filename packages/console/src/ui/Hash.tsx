import { useCopy } from "./Copy.js";
import { shorten } from "./format.js";
import { Icon } from "./Icon.js";

/** An address or hash, shortened; the whole is its title and what a click copies. */
export function Hash({ value, label }: { readonly value: string; readonly label: string }) {
  const { copied, copy } = useCopy(value);
  return (
    <button type="button" className="hash mono" title={value} onClick={copy}>
      {shorten(value)}
      <span className="visually-hidden">
        : copy the {label} {value}
      </span>
      <span className="hash-mark">
        <Icon name={copied ? "done" : "copy"} />
      </span>
      <span className="visually-hidden" role="status">
        {copied ? "Copied" : ""}
      </span>
    </button>
  );
}
