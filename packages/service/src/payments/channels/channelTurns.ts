/** Lets the calls of one channel run one after another in this process. */
export interface ChannelTurns {
  /** Undefined where too many wait already. */
  run<T>(channelId: string, work: () => Promise<T>): Promise<T> | undefined;
}

/** A payer that sends more at once than this has not read an answer for a while. */
const MAX_WAITING = 32;

export function createChannelTurns(): ChannelTurns {
  const lines = new Map<string, { last: Promise<unknown>; waiting: number }>();
  return {
    run(channelId, work) {
      const line = lines.get(channelId) ?? { last: Promise.resolve(), waiting: 0 };
      if (line.waiting >= MAX_WAITING) return undefined;
      lines.set(channelId, line);
      line.waiting += 1;
      const turn = line.last.then(work).finally(() => {
        line.waiting -= 1;
        if (line.waiting === 0) lines.delete(channelId);
      });
      line.last = turn.catch(() => undefined);
      return turn;
    },
  };
}
