import type { DecodedCall, DecodedCalldata } from "@assay/client";
import { count, formatAmount } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { findAmountToken, findOwnToken } from "./findAmountToken.js";
import { type TokenName, useTokenNames } from "./useTokenNames.js";

const WORD_DIGITS = 64;
const MOST_WORDS = 64;

/** The calls inside a transaction, decoded from its calldata, and the bytes that could not be decoded. */
export function CallTree({
  decoded,
  data,
  hasTarget,
}: {
  readonly decoded: DecodedCalldata;
  readonly data: string;
  /** Whether the target of the outermost call is known. */
  readonly hasTarget: boolean;
}) {
  const bytes = (data.length - 2) / 2;
  return (
    <div className="call-tree">
      <p className="decoded-share">
        <span className="tag inferred">inferred</span>{" "}
        {decoded.undecodedBytes === 0
          ? `All ${count(bytes, "byte")} of the calldata are decoded.`
          : `${decoded.undecodedBytes} of ${count(bytes, "byte")} could not be decoded.`}
        {decoded.isBounded && " Calls that are nested deeper than this page reads are not decoded."}
      </p>
      <ul className="calls">
        <Call call={decoded.call} hasTarget={hasTarget} />
      </ul>
      {decoded.undecodedBytes > 0 && (
        <details open={decoded.call.signature === null}>
          <summary>The bytes themselves</summary>
          <Bytes data={data} />
        </details>
      )}
    </div>
  );
}

function Call({ call, hasTarget }: { readonly call: DecodedCall; readonly hasTarget: boolean }) {
  const { signature, selector, to, value, isDelegatecall, args, inner, undecodedBytes } = call;
  const target = useTokenNames()(to.toLowerCase());
  return (
    <li className="call">
      <p className="call-name">
        {signature === null ? (
          <strong className="warn">Unknown function {selector ?? "without a selector"}</strong>
        ) : (
          <strong className="mono">{nameOf(signature)}</strong>
        )}
        {isDelegatecall && <span className="tag warn">runs with the caller's storage</span>}
        {undecodedBytes > 0 && <span className="tag warn">{count(undecodedBytes, "byte")} not decoded</span>}
      </p>
      <p className="soft">
        {hasTarget ? (
          <>
            on {target.decimals !== undefined && <strong>{target.name} </strong>}
            <Hash value={to} label="called address" />
          </>
        ) : (
          "on an address that is still to be named"
        )}
        {value !== "0" && <> with {formatAmount(BigInt(value), 18)} ETH</>}
      </p>
      {args && Object.keys(args).length > 0 && inner.length === 0 && (
        <Arguments of={args} own={hasTarget ? findOwnToken(signature, to) : undefined} />
      )}
      {inner.length > 0 && (
        <ul className="calls">
          {inner.map((one, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: calls have a place and no name
            <Call key={place} call={one} hasTarget />
          ))}
        </ul>
      )}
    </li>
  );
}

interface ArgumentsProps {
  readonly of: object;
  /** The token whose function is called. */
  readonly own?: string | undefined;
}

function Arguments({ of: named, own }: ArgumentsProps) {
  const nameToken = useTokenNames();
  const tokenOf = (name: string) => {
    const token = findAmountToken(name, named as Record<string, unknown>, own);
    return token === undefined ? undefined : nameToken(token);
  };
  return (
    <dl className="call-arguments">
      {Object.entries(named).map(([name, argument]) => (
        <div key={name}>
          <dt className="mono">{name}</dt>
          <dd className="mono">
            <Argument value={argument} token={tokenOf(name)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const UNLIMITED = 2n ** 255n;

interface ArgumentProps {
  readonly value: unknown;
  /** The token of an amount, where the call names it. */
  readonly token: TokenName | undefined;
}

function Argument({ value, token }: ArgumentProps) {
  if (typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value))
    return <Hash value={value} label="argument" />;
  if (typeof value === "string" && /^[0-9]+$/.test(value)) return <Figure value={value} token={token} />;
  // A struct or a list, whose own parts are shown under it.
  return typeof value === "object" && value !== null ? <Arguments of={value} /> : String(value);
}

function Figure({ value, token }: ArgumentProps & { readonly value: string }) {
  const amount = BigInt(value);
  if (amount >= UNLIMITED) return <strong className="warn">unlimited</strong>;
  if (token?.decimals !== undefined) return `${formatAmount(amount, token.decimals)} ${token.name}`;
  return formatAmount(amount, undefined);
}

const nameOf = (signature: string) => signature.split("(")[0];

/** The selector, then one 32-byte word a line, as the ABI lays them out. */
function Bytes({ data }: { readonly data: string }) {
  const words = data.slice(10).match(new RegExp(`.{1,${WORD_DIGITS}}`, "g")) ?? [];
  const left = words.length - MOST_WORDS;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable
    <pre className="bytes" tabIndex={0}>
      {[data.slice(0, 10), ...words.slice(0, MOST_WORDS)].join("\n")}
      {left > 0 && `\n… and ${count(left, "word")} more`}
    </pre>
  );
}
