import type { CapabilityResult } from "@assay/protocol";
import { formatAmount } from "../ui/format.js";
import { BeforeAfter } from "./BeforeAfter.js";
import { SenderNotice } from "./SenderNotice.js";
import { useTokenNames } from "./useTokenNames.js";

interface Side {
  readonly address: string;
  readonly isNative: boolean;
}

/** Hundredths of a percent: a figure, or the range it lies in. */
type Bps = number | { readonly atLeast: number; readonly atMost: number };

/** The part of a swap's findings that is drawn. */
interface SwapFindings {
  readonly swap: {
    readonly kind: "exactIn" | "exactOut";
    readonly tokenIn: Side;
    readonly tokenOut: Side;
    readonly amountIn: string | null;
    readonly maxIn: string | null;
    readonly amountOut: string | null;
    readonly minOut: string | null;
  };
  readonly measured: { readonly paid: string; readonly received: string } | null;
  readonly measuredIfApproved: { readonly paid: string; readonly received: string } | null;
  readonly priceImpactBps: Bps | null;
  readonly transferFeeBps: Bps | null;
}

/** What a swap takes and gives: the limits in its calldata beside what the simulation measured. */
export function SwapView({ answer }: { readonly answer: CapabilityResult }) {
  const { findings, input } = answer.result.evidence;
  const { from } = input as { readonly from: string };
  const { swap, measured, measuredIfApproved, priceImpactBps, transferFeeBps } = findings as SwapFindings;
  const outcome = measured ?? measuredIfApproved;
  const isExactIn = swap.kind === "exactIn";
  return (
    <section className="effects">
      <h3>What the swap takes and gives</h3>
      <SenderNotice from={from} />
      <p className="soft legend">
        <span className="tag measured">measured</span> by running it at the stated block ·{" "}
        <span className="tag inferred">inferred</span> the limit in its calldata
      </p>
      {!measured && (
        <p className="warn">
          {measuredIfApproved
            ? "It would run only after the router is approved; measured as if it were."
            : "Nothing was measured: the swap did not run."}
        </p>
      )}
      <ul className="effect-list">
        <Flow
          name="Sender pays"
          side={swap.tokenIn}
          limit={swap.amountIn ?? swap.maxIn}
          word={isExactIn ? "exactly" : "at most"}
          measured={outcome?.paid}
        />
        <Flow
          name="Recipient receives"
          side={swap.tokenOut}
          limit={swap.minOut ?? swap.amountOut}
          word={isExactIn ? "at least" : "exactly"}
          measured={outcome?.received}
        />
      </ul>
      <dl className="facts">
        <dt>Price impact</dt>
        <dd className="mono">{formatBps(priceImpactBps)}</dd>
        <dt>Transfer fee</dt>
        <dd className="mono">{formatBps(transferFeeBps)}</dd>
      </dl>
    </section>
  );
}

interface FlowProps {
  readonly name: string;
  readonly side: Side;
  readonly limit: string | null;
  readonly word: string;
  readonly measured: string | undefined;
}

function Flow({ name, side, limit, word, measured }: FlowProps) {
  const token = useTokenNames()(side.isNative ? null : side.address.toLowerCase());
  const amountOf = (text: string) => `${formatAmount(BigInt(text), token.decimals)} ${token.name}`;
  return (
    <li className="card effect">
      <p className="effect-head">
        <strong>{name}</strong>
        <strong className="mono">{measured === undefined ? "not measured" : amountOf(measured)}</strong>
      </p>
      {measured !== undefined && limit !== null && (
        <BeforeAfter
          before={BigInt(limit)}
          after={BigInt(measured)}
          names={["limit", "measured"]}
          decimals={token.decimals}
          label={`${name}: limit and measured`}
        />
      )}
      <ul className="ways">
        {measured !== undefined && (
          <li>
            <span className="tag measured">measured</span> <span className="mono">{amountOf(measured)}</span>
          </li>
        )}
        {limit !== null && (
          <li>
            <span className="tag inferred">inferred</span> {word}{" "}
            <span className="mono">{amountOf(limit)}</span>
          </li>
        )}
      </ul>
    </li>
  );
}

function formatBps(bps: Bps | null): string {
  if (bps === null) return "not known";
  const { atLeast, atMost } = typeof bps === "number" ? { atLeast: bps, atMost: bps } : bps;
  const percent = (one: number) => (one / 100).toFixed(2);
  return atLeast === atMost ? `${percent(atMost)} %` : `${percent(atLeast)} to ${percent(atMost)} %`;
}
