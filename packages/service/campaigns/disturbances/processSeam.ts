import dns from "node:dns";
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/**
 * Loaded into a service process before its own code: moves its clock, and answers for the name server. What it does stands in the
 * file that its address names, which the campaign writes.
 */
interface Seam {
  readonly shiftMs?: number;
  /** Names that mean this machine. */
  readonly names?: readonly string[];
  /** Whether the name server has gone. */
  readonly isNameless?: boolean;
}

const file = new URL(import.meta.url).searchParams.get("file") ?? "";
const POLL_MS = 20;
let seam: Seam = {};

function read(): void {
  try {
    seam = JSON.parse(readFileSync(file, "utf8")) as Seam;
  } catch {
    // It is being written.
  }
}
read();
setInterval(read, POLL_MS).unref();

const RealDate = Date;
const now = () => RealDate.now() + (seam.shiftMs ?? 0);
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});

type Lookup = (
  name: string,
  options: object,
  done: (error: Error | null, ...found: unknown[]) => void,
) => void;
const realLookup = dns.lookup as unknown as Lookup;
const lookup: Lookup = (name, options, done) => {
  if (!seam.names?.includes(name)) return realLookup(name, options, done);
  const isAll = "all" in options && options.all === true;
  setImmediate(() => {
    if (seam.isNameless)
      done(
        Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
          code: "ENOTFOUND",
          syscall: "getaddrinfo",
        }),
      );
    else if (isAll) done(null, [{ address: "127.0.0.1", family: 4 }]);
    else done(null, "127.0.0.1", 4);
  });
};
dns.lookup = lookup as unknown as typeof dns.lookup;
syncBuiltinESMExports();
