/** Answers all items of one batch, in their order. */
export type BatchWork<I, O> = (items: readonly I[]) => Promise<readonly O[]>;

export type BatchCalls = <I, O>(
  name: string,
  item: I,
  work: BatchWork<I, O>,
  /** Batches of this name at once; see `ONE_BY_ONE`. */
  maxRunning?: number,
) => Promise<O>;

/**
 * For transactions that end at the log, whose head each of them locks: a second one would only wait, and take others with it. Also
 * for statements that cost more than what they do for one caller.
 */
export const ONE_BY_ONE = 1;

interface Waiting {
  readonly item: unknown;
  readonly work: BatchWork<unknown, unknown>;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

interface Line {
  readonly waiting: Waiting[];
  readonly maxRunning: number;
  running: number;
  scheduled: boolean;
}

const MAX_ITEMS = 64;
/** More would only make the batches smaller; fewer would make a caller wait for a whole round trip. */
const MAX_RUNNING = 2;

/**
 * Callers who want the same kind of work in one turn of the event loop, or while it is being done
 * for others, share one round trip and one commit. `mayRepeat` says whether a failure is the
 * items' own: then each is tried alone, so that no caller fails because of another. The work must be
 * one statement or one transaction, so that what failed has left nothing behind.
 */
export function createBatchCalls(mayRepeat: (error: unknown) => boolean): BatchCalls {
  const lines = new Map<string, Line>();

  async function run(batch: readonly Waiting[]): Promise<void> {
    const [first] = batch as [Waiting];
    try {
      const answers = await first.work(batch.map(({ item }) => item));
      if (answers.length !== batch.length)
        throw new Error(`${batch.length} answers were due, ${answers.length} came`);
      batch.forEach(({ resolve }, i) => {
        resolve(answers[i]);
      });
    } catch (error) {
      if (batch.length === 1 || !mayRepeat(error)) for (const { reject } of batch) reject(error);
      else for (const waiting of batch) await run([waiting]);
    }
  }

  function pump(line: Line): void {
    line.scheduled = false;
    while (line.waiting.length > 0 && line.running < line.maxRunning) {
      line.running += 1;
      void run(line.waiting.splice(0, MAX_ITEMS)).finally(() => {
        line.running -= 1;
        pump(line);
      });
    }
  }

  return <I, O>(name: string, item: I, work: BatchWork<I, O>, maxRunning = MAX_RUNNING) =>
    new Promise<O>((resolve, reject) => {
      const line = lines.get(name) ?? { waiting: [], maxRunning, running: 0, scheduled: false };
      lines.set(name, line);
      line.waiting.push({ item, work, resolve, reject } as Waiting);
      if (line.scheduled) return;
      line.scheduled = true;
      setImmediate(pump, line);
    });
}
