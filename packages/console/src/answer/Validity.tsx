import type { CapabilityResult } from "@assay/protocol";
import { useHealth } from "../service/assay.js";
import { count, formatDuration } from "../ui/format.js";
import { useNow } from "../ui/useNow.js";
import type { AnswerEnd } from "./endOf.js";
import { isMomentary } from "./isMomentary.js";
import type { AnswerState } from "./useAnswerState.js";

interface Props {
  readonly answer: CapabilityResult;
  readonly state: Pick<AnswerState, "isForeign" | "end" | "window">;
}

/** How long an answer still holds, in blocks and seconds, following the chain's head. */
export function Validity({
  answer,
  state: {
    isForeign,
    end,
    window: { holds, words },
  },
}: Props) {
  const head = useHealth().data?.headBlock ?? null;
  if (isForeign)
    return (
      <p className="validity bad" role="status" data-testid="validity">
        <strong>This answer is of another chain or another service than the one that answers now.</strong> It
        says nothing about this one. Ask again before you act.
      </p>
    );
  if (isMomentary(answer))
    return (
      <p className="validity" role="status" data-testid="validity">
        <strong>True at block {answer.result.computedAtBlock}.</strong> Each call computes a new answer.
      </p>
    );
  if (holds === false)
    return (
      <div className="validity validity-over">
        <p role="status" data-testid="validity">
          <strong>No longer holds.</strong> {words} Ask again before you act.
        </p>
        <Bar share={0} />
      </div>
    );
  if (holds === undefined || head === null)
    return (
      <div className="validity">
        <p role="status">
          <strong>Valid until block {end.block}.</strong> The newest block is not known now, so this page
          cannot show whether the answer still holds.
        </p>
        <Bar share={0} />
      </div>
    );
  return <Countdown answer={answer} head={head} end={end} />;
}

interface CountdownProps extends Pick<Props, "answer"> {
  readonly head: number;
  readonly end: AnswerEnd;
}

function Countdown({ answer: { result }, head, end }: CountdownProps) {
  const { computedAtBlock } = result;
  const { data, dataUpdatedAt } = useHealth();
  const nowMs = useNow(500);
  // A head that was asked for before the answer came may be older than the answer.
  const newest = Math.max(head, computedAtBlock);
  const blocksLeft = end.block - newest + 1;
  const blockTimeMs = data?.blockTimeMs ?? null;
  // Between two readings of the head the clock goes on.
  const leftMs = Math.min(
    blockTimeMs === null ? Number.POSITIVE_INFINITY : blocksLeft * blockTimeMs - (nowMs - dataUpdatedAt),
    end.atMs - nowMs,
  );
  return (
    <div className="validity">
      <p data-testid="validity">
        <strong>
          Holds for {count(blocksLeft, "block")},{" "}
          <span className="unbroken">about {formatDuration(Math.max(0, Math.ceil(leftMs / 1_000)))}</span>
        </strong>
        <span className="validity-more">
          , until block {end.block}. The chain is at block {newest}.
        </span>
      </p>
      <Bar share={blocksLeft / (end.block - computedAtBlock + 1)} />
    </div>
  );
}

function Bar({ share }: { readonly share: number }) {
  return (
    <svg className="validity-bar" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true">
      <rect className="bar-ground" width="100" height="2" />
      <rect className="bar-fill" width={Math.min(100, 100 * share)} height="2" />
    </svg>
  );
}
