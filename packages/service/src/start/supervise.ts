import cluster, { type Worker } from "node:cluster";
import type { Logger } from "pino";
import { AggregatorRegistry } from "prom-client";
import type { Config } from "./config.js";

/** Which of the workers this process is, from 0; undefined in a process that stands alone, and in the supervisor. */
const PLACE = "ASSAY_WORKER";
/** A worker that ends by itself is replaced after this time, doubled each time up to the longest. */
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** One that has run for this long ends for a new reason. */
const STEADY_MS = 60_000;

export const isSupervisor = ({ workers }: Config): boolean => workers > 1 && cluster.isPrimary;

type Environment = Readonly<Record<string, string | undefined>>;

export const isFirstWorker = (environment: Environment): boolean =>
  !cluster.isWorker || environment[PLACE] === "0";

/** What one worker takes of the settings for all: a settling key of its own, because each process counts its own nonces. */
export function takeShare(config: Config, environment: Environment): Config {
  const place = environment[PLACE];
  const { settlers, workers } = config;
  if (place === undefined || !settlers) return config;
  const isOurs = (_: unknown, i: number) => i % workers === Number(place);
  const places = settlers.map((_, i) => i + 1).filter(isOurs);
  return { ...config, settlers: settlers.filter(isOurs), settlerPlaces: places };
}

/** Tells the supervisor that this worker answers requests, and ends it with the supervisor. */
export function reportReady(shutDown: () => void): void {
  if (!cluster.isWorker) return;
  process.on("disconnect", shutDown);
  process.send?.("ready");
}

/**
 * Runs as many processes as there are workers on one port and over one database, until it is asked to stop. A worker that dies is
 * replaced. SIGUSR2 replaces all of them, one after another, each only when its successor answers: no request is refused.
 */
export function supervise({ workers }: Config, logger: Logger): void {
  const aggregated = new AggregatorRegistry();
  let isStopping = false;

  /** A successor starts beside the one it replaces, and takes its settling keys over when that one stops. */
  const fork = (place: number, isFirst = false): Promise<Worker> =>
    new Promise((resolve, reject) => {
      const worker = cluster.fork({ [PLACE]: String(place), ...(!isFirst && { SETTLER_LEASE: "wait" }) });
      worker.on("message", (message) => {
        if (message === "ready") resolve(worker);
        if (message === "metrics")
          void aggregated.clusterMetrics().then((metrics) => worker.send({ metrics }));
      });
      worker.once("exit", (code) => reject(new Error(`worker ${place} ended while starting (${code})`)));
    });

  /** Keeps one place filled. The first start of a place must succeed, because what is wrong then is wrong for all. */
  async function keep(place: number): Promise<void> {
    let delayMs = FIRST_DELAY_MS;
    for (let isFirst = true; !isStopping; isFirst = false) {
      const startedAtMs = Date.now();
      try {
        const worker = await fork(place, isFirst);
        current[place] = worker;
        if (isFirst) noteStarted();
        await waitForEnd(worker, place);
      } catch (error) {
        if (isFirst) return stop(1);
        logger.error({ err: error }, "a worker did not start");
      }
      if (isStopping) return;
      delayMs =
        Date.now() - startedAtMs > STEADY_MS ? FIRST_DELAY_MS : Math.min(delayMs * 2, LONGEST_DELAY_MS);
      await new Promise((done) => setTimeout(done, delayMs));
    }
  }

  /** Ends when the place is empty: its worker has ended, and no successor has taken the place meanwhile. */
  async function waitForEnd(first: Worker, place: number): Promise<void> {
    for (let worker = first; ; worker = current[place] as Worker) {
      const [code, signal] = await new Promise<[number, string]>((done) => {
        if (worker.isDead()) done([0, ""]);
        worker.once("exit", (...how) => done(how));
      });
      if (current[place] === worker) {
        if (!isStopping) logger.error({ place, code, signal }, "a worker ended and is replaced");
        return;
      }
    }
  }

  const current: (Worker | undefined)[] = [];
  let started = 0;

  function noteStarted(): void {
    started += 1;
    if (started === workers)
      process.stdout.write(
        `All ${workers} workers answer. SIGUSR2 to process ${process.pid} replaces them.\n`,
      );
  }

  async function replaceAll(): Promise<void> {
    for (let place = 0; place < workers && !isStopping; place++) {
      const old = current[place];
      const next = await fork(place).catch((err: unknown) => {
        logger.error({ err }, "a successor did not start; the old workers stay");
      });
      if (!next) return;
      current[place] = next;
      old?.process.kill("SIGTERM");
      logger.info({ place, pid: next.process.pid }, "a worker was replaced");
    }
  }

  function stop(code: number): void {
    if (isStopping) return;
    isStopping = true;
    const left = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    let alive = left.length;
    const end = () => process.exit(code);
    if (alive === 0) end();
    for (const worker of left) {
      worker.once("exit", () => {
        alive -= 1;
        if (alive === 0) end();
      });
      worker.process.kill("SIGTERM");
    }
  }

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop(0));
  process.on("SIGUSR2", () => void replaceAll());
  for (let place = 0; place < workers; place++) void keep(place);
}
