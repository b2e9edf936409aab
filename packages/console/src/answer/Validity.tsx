import type { CapabilityResult } from "@assay/protocol";
import { useHealth } from "../service/assay.js";
import { count, formatDuration } from "../ui/format.js";
import { useNow } from "../ui/useNow.js";

/** How long an answer still holds, in blocks and seconds, following the chain's head. */
export function Validity({ answer: { result } }: { readonly answer: CapabilityResult }) {
  const { computedAtBlock, validUntilBlock } = result;
  const health = useHealth();
  const nowMs = useNow(500);
  const head = health.data?.headBlock ?? null;
  if (head === null || health.error)
    return (
      <p className="validity validity-unknown" role="status">
        <strong>Valid until block {validUntilBlock}.</strong> The chain's head is not known now, so whether it
        still holds cannot be said.
      </p>
    );
  const blocksLeft = Math.max(0, validUntilBlock - head + 1);
  const blockTimeMs = health.data?.blockTimeMs ?? null;
  // Between two looks at the head the clock goes on.
  const leftMs = blockTimeMs === null ? null : blocksLeft * blockTimeMs - (nowMs - health.dataUpdatedAt);
  const whole = validUntilBlock - computedAtBlock + 1;
  const isOver = blocksLeft === 0;
  return (
    <div className={isOver ? "validity validity-over" : "validity"}>
      <p role={isOver ? "status" : undefined} data-testid="validity">
        {isOver ? (
          <>
            <strong>No longer holds.</strong> The chain is at block {head}; this answer held until block{" "}
            {validUntilBlock}. Ask again before you act.
          </>
        ) : (
          <>
            <strong>
              Holds for {count(blocksLeft, "block")}
              {leftMs !== null && `, about ${formatDuration(Math.max(0, Math.ceil(leftMs / 1_000)))}`}
            </strong>
            , until block {validUntilBlock}. The chain is at block {head}.
          </>
        )}
      </p>
      <svg className="validity-bar" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true">
        <rect className="bar-ground" width="100" height="2" />
        <rect className="bar-fill" width={Math.min(100, (100 * blocksLeft) / whole)} height="2" />
      </svg>
    </div>
  );
}
