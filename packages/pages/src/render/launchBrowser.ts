import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

type Fields = Readonly<Record<string, unknown>>;

/** A message of the Chrome DevTools Protocol that nobody asked for. */
export interface BrowserEvent {
  readonly method: string;
  readonly params: Fields;
  readonly sessionId: string;
}

/** A browser of its own, which no port leads to. */
export interface RunningBrowser {
  /** Rejects where the browser refuses, or has ended. */
  send(method: string, params?: Fields, sessionId?: string): Promise<Fields>;
  onEvent(listener: (event: BrowserEvent) => void): void;
  /** Ends it and deletes what it wrote. */
  close(): Promise<void>;
}

/**
 * Starts a Chromium that cannot reach any network: its only way out is a proxy that closes every connection. Its requests are
 * answered through the protocol, over pipes.
 */
export async function launchBrowser(browserPath: string): Promise<RunningBrowser> {
  const folder = await mkdtemp(join(tmpdir(), "assay-browser-"));
  const wall = createServer((socket) => socket.destroy());
  await new Promise<void>((ready) => wall.listen(0, "127.0.0.1", ready));
  const { port } = wall.address() as AddressInfo;
  const process_ = spawn(browserPath, listFlags(folder, port), {
    // A group of its own, which ends as a whole.
    detached: true,
    // The service's secrets are in its environment.
    env: { HOME: folder, TMPDIR: folder },
    cwd: folder,
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => {
    process_.once("exit", () => resolve());
    process_.once("error", () => resolve());
  });
  const protocol = speak(process_.stdio[3] as Writable, process_.stdio[4] as Readable, ended);
  return {
    ...protocol,
    async close() {
      if (process_.pid !== undefined)
        try {
          process.kill(-process_.pid, "SIGKILL");
        } catch {
          // It has ended by itself.
        }
      await ended;
      await new Promise((closed) => wall.close(closed));
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function listFlags(folder: string, wallPort: number): string[] {
  return [
    "--headless",
    "--remote-debugging-pipe",
    `--user-data-dir=${folder}`,
    `--proxy-server=http://127.0.0.1:${wallPort}`,
    // Without this, addresses of this machine would be asked directly.
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--deny-permission-prompts",
    "--mute-audio",
    "--no-first-run",
    "--window-size=1280,800",
    "--blink-settings=imagesEnabled=false",
    "--js-flags=--max-old-space-size=256",
    // Answers come without their servers' headers. The profile is empty, so that there is nothing to protect from other origins.
    "--disable-web-security",
    // Chromium's own sandbox needs an ordinary user.
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    "about:blank",
  ];
}

interface Waiting {
  resolve(result: Fields): void;
  reject(error: Error): void;
}

/** The protocol over pipes: JSON, each message ended by a NUL. */
function speak(
  input: Writable,
  output: Readable,
  ended: Promise<void>,
): Pick<RunningBrowser, "send" | "onEvent"> {
  const waiting = new Map<number, Waiting>();
  const listeners: ((event: BrowserEvent) => void)[] = [];
  let lastId = 0;
  let isOver = false;
  let rest = "";
  input.on("error", () => {});
  output.on("error", () => {});
  output.setEncoding("utf8");
  output.on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\0");
    rest = parts.pop() ?? "";
    for (const part of parts) receive(JSON.parse(part));
  });
  void ended.then(() => {
    isOver = true;
    for (const { reject } of waiting.values()) reject(new Error("the browser has ended"));
  });

  function receive(
    message: { id?: number; result?: Fields; error?: { message: string } } & Partial<BrowserEvent>,
  ) {
    const { id, result = {}, error, method, params = {}, sessionId = "" } = message;
    const call = id === undefined ? undefined : waiting.get(id);
    if (id !== undefined) waiting.delete(id);
    if (error) call?.reject(new Error(error.message));
    else call?.resolve(result);
    if (method !== undefined) for (const listener of listeners) listener({ method, params, sessionId });
  }

  return {
    onEvent: (listener) => void listeners.push(listener),
    send(method, params = {}, sessionId) {
      if (isOver) return Promise.reject(new Error("the browser has ended"));
      lastId += 1;
      const id = lastId;
      input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
  };
}
