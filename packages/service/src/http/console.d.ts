import type { Env, Hono } from "hono";
/** Only what this service itself serves; nothing is evaluated, framed or sent elsewhere. */
export declare const CONTENT_SECURITY_POLICY: string;
/** Addresses of the console; each is the same page, which looks at the address itself. */
export declare const CONSOLE_PATHS: readonly ["/", "/capabilities/:id", "/sign", "/verify", "/receipts", "/receipts/:id", "/evidence", "/evidence/:id", "/claims", "/claims/:id", "/obligations", "/bounties", "/publishers", "/publishers/:wallet", "/stats", "/log"];
interface StaticFile {
    readonly type: string;
    readonly etag: string;
    /** Compressed when it is first asked for, then kept: starting does not wait for it. */
    encode(encoding: Encoding): Uint8Array<ArrayBuffer>;
}
type Encoding = "br" | "gzip" | "identity";
/** The built console in memory. Empty when it was not built. */
export declare function loadConsole(folder: string): ReadonlyMap<string, StaticFile>;
export interface Site {
    readonly files: ReadonlyMap<string, StaticFile>;
    /** The local chain with its test wallets, whose keys are no secret; undefined on a real one. */
    readonly devnet: object | undefined;
}
/** Serves the console at every address it has, its files by their names, and on the local chain its test wallets. */
export declare function addConsole<E extends Env>(app: Hono<E>, { files, devnet }: Site): void;
export {};
