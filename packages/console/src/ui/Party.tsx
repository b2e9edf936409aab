import { useCopy } from "./Copy.js";
import { shorten } from "./format.js";
import { Icon } from "./Icon.js";
import { Identicon } from "./Identicon.js";

/** Somebody with an address: picture, name where it is known, and the address in short. A click copies the whole. */
export function Party({ address, name }: { readonly address: string; readonly name?: string | undefined }) {
  const { copied, copy } = useCopy(address);
  return (
    <button type="button" className="party" title={address} onClick={copy}>
      <Identicon address={address} />
      {name && <strong className="party-name">{name}</strong>}
      <span className="mono party-address">{shorten(address)}</span>
      <span className="visually-hidden">: copy the address {address}</span>
      <span className="hash-mark">
        <Icon name={copied ? "done" : "copy"} />
      </span>
      <span className="visually-hidden" role="status">
        {copied ? "Copied" : ""}
      </span>
    </button>
  );
}
