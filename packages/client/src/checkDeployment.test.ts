import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkDeployment } from "./checkDeployment.js";
import { checkLogHead, type SeenHead } from "./checkLogHead.js";
import { createClient } from "./createClient.js";
import type { ConnectedService } from "./testing/connectToService.js";
import { findClosedAddress } from "./testing/findClosedAddress.js";
import { getSharedService } from "./testing/getSharedService.js";
import { runAssay } from "./testing/runAssay.js";

let service: ConnectedService;
let state: string;
beforeAll(async () => {
  [service, state] = await Promise.all([getSharedService(), mkdtemp(join(tmpdir(), "assay-state-"))]);
});
afterAll(async () => {
  await rm(state, { recursive: true, force: true });
});

const clientOf = () => createClient({ baseUrl: service.url, account: service.wallet("alice") });
const assay = (...args: string[]) => runAssay(["--url", service.url, ...args], { XDG_STATE_HOME: state });
/** A service that differs in what one path answers. */
const altered =
  (path: string, change: (response: Response) => Response | Promise<Response>): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    return new URL(String(input)).pathname === path ? change(response) : response;
  };
const failing = async (fetch: typeof globalThis.fetch, more: object = {}) => {
  const { ok, steps } = await checkDeployment({ baseUrl: service.url, fetch, ...more });
  const failed = steps.filter((step) => !step.ok);
  expect(ok).toBe(failed.length === 0);
  return failed.map(({ name, detail }) => `${name}: ${detail}`);
};

describe("checking a deployment", () => {
  it("finds everything in order, with the caller's own node too", async () => {
    const { ok, steps } = await checkDeployment({ baseUrl: service.url, rpcUrl: service.rpcUrl });
    expect(steps.map(({ name }) => name)).toEqual([
      "reachable",
      "chain",
      "database",
      "x402",
      "payment",
      "clocks",
      "audience",
      "log",
      "node",
    ]);
    expect([ok, steps.filter((step) => !step.ok)]).toEqual([true, []]);
  });

  it("says that nobody answers and stops there", async () => {
    const { ok, steps } = await checkDeployment({ baseUrl: await findClosedAddress() });
    expect([ok, steps.length]).toEqual([false, 1]);
  });

  it.each([
    [
      "a wrong clock",
      "/api/v1/health",
      (response: Response) => {
        const headers = new Headers(response.headers);
        headers.set("date", new Date(Date.now() + 120_000).toUTCString());
        return new Response(response.body, { status: response.status, headers });
      },
      /^clocks: .* 120 s apart/,
    ],
    [
      "a proxy that changes a challenge",
      "/api/v1/capabilities/contract.guard/invoke",
      async (response: Response) =>
        new Response(`${await response.text()} `, { status: 402, headers: response.headers }),
      /^payment: .*is a proxy changing/,
    ],
    [
      "a price that is not in the catalog",
      "/api/v1/capabilities/contract.guard/invoke",
      async (response: Response) => {
        const body = (await response.text()).replaceAll(/"amount":"\d+"/g, '"amount":"900000"');
        const headers = new Headers(response.headers);
        headers.set("payment-required", btoa(body));
        return new Response(body, { status: 402, headers });
      },
      /^payment: A 402 asks for 0\.9 USD; the catalog has contract\.guard for 0\.02 to 0\.1 USD\./,
    ],
    [
      "a free call",
      "/api/v1/capabilities/contract.guard/invoke",
      () => Response.json({}),
      /^payment: An unpaid call is answered 200/,
    ],
    [
      "a head nobody signed",
      "/api/v1/log/checkpoint",
      async (response: Response) => new Response((await response.text()).replace(/^(.*\n)\d+/, "$1999")),
      /^log: The checkpoint is not signed/,
    ],
    [
      "a missing dependency",
      "/api/v1/health",
      async (response: Response) => {
        const health = (await response.json()) as { dependencies: { name: string }[] };
        const dependencies = health.dependencies.map((entry) =>
          entry.name === "persistence" ? { ...entry, ok: false, detail: "no database" } : entry,
        );
        return Response.json({ ...health, status: "unavailable", dependencies }, { status: 503 });
      },
      /^database: no database/,
    ],
  ])("notices %s", async (_name, path, change, expected) => {
    const failed = await failing(altered(path, change));
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatch(expected);
  });

  it("compares its own node's head by time, and tells blocks and seconds", async () => {
    const ahead = (blocks: number) =>
      altered("/api/v1/health", async (response) => {
        const health = (await response.json()) as { headBlock: number };
        return Response.json({ ...health, headBlock: health.headBlock + blocks, blockTimeMs: 200 });
      });
    const { rpcUrl } = service;
    expect(await failing(ahead(40), { rpcUrl })).toEqual([]);
    expect(await failing(ahead(60), { rpcUrl })).toEqual([
      expect.stringMatching(/^node: .*: (5\d|6\d) blocks apart, which take 1[0-3]\.\d s\.$/),
    ]);
  });

  it("passes on what the service's nodes lack", async () => {
    const limit = "node 1: no proofs (eth_getProof): every answer is sold without them";
    const poor = altered("/api/v1/health", async (response) => {
      const health = (await response.json()) as { dependencies: { name: string; detail: string }[] };
      const dependencies = health.dependencies.map((entry) =>
        entry.name === "chain" ? { ...entry, detail: `${entry.detail}; ${limit}` } : entry,
      );
      return Response.json({ ...health, dependencies });
    });
    const { ok, steps } = await checkDeployment({ baseUrl: service.url, fetch: poor });
    expect([ok, steps.find(({ name }) => name === "chain")?.detail]).toEqual([
      true,
      expect.stringMatching(
        /^Head \d+, \d+ ms old, a block every \d+ ms\. Its nodes lack: node 1: no proofs/,
      ),
    ]);
  });

  it("notices an address that the service does not know as its own", async () => {
    const { port } = new URL(service.url);
    const { steps } = await checkDeployment({ baseUrl: `http://localhost:${port}` });
    expect(steps.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(["payment", "audience"]);
  });
});

describe("the log's head", () => {
  it("must begin with what was seen before", async () => {
    const client = clientOf();
    const first = await checkLogHead(client);
    await client.call("chain.snapshot", {});
    const second = await checkLogHead(client, first.head);
    expect(second).toMatchObject({ ok: true, detail: expect.stringContaining("it begins with the") });
    const { head } = second;
    if (!first.head || !head) throw new Error("no head");
    const forked: SeenHead = { ...first.head, root: `0x${"ab".repeat(32)}` };
    expect(await checkLogHead(client, forked)).toMatchObject({
      ok: false,
      detail: expect.stringContaining("rewritten"),
    });
    expect(await checkLogHead(client, { ...head, size: head.size + 5 })).toMatchObject({ ok: false });
    for (const renamed of [{ publicKey: `${"A".repeat(43)}=` }, { origin: "assay/another" }])
      expect(await checkLogHead(client, { ...head, ...renamed })).toMatchObject({
        ok: false,
        head: undefined,
        detail: expect.stringContaining("Nothing shows that it holds the same entries"),
      });
  });

  it("is remembered by the command line, per service", async () => {
    expect(await assay("log")).toMatchObject({ code: 0, out: expect.stringContaining("first time") });
    const again = await assay("log", "--json");
    expect([again.code, JSON.parse(again.out)]).toMatchObject([0, { ok: true }]);
    expect(again.out).not.toContain("first time");
    expect(await readFile(join(state, "assay", "log-heads.json"), "utf8")).toContain(service.url);
  });

  it("is refused by the command line under another key, until --forget", async () => {
    await assay("log");
    const file = join(state, "assay", "log-heads.json");
    const heads = JSON.parse(await readFile(file, "utf8"));
    heads[service.url].publicKey = `${"A".repeat(43)}=`;
    await writeFile(file, JSON.stringify(heads));
    expect(await assay("log")).toMatchObject({ code: 1, out: expect.stringContaining("when last seen") });
    expect(await assay("doctor")).toMatchObject({
      code: 1,
      out: expect.stringContaining("Failed: log."),
    });
    expect(await assay("log", "--forget")).toMatchObject({
      code: 0,
      out: expect.stringContaining("first time"),
    });
    expect(await assay("log")).toMatchObject({ code: 0 });
  });
});

describe("the command line", () => {
  it("examines a deployment and says what is wrong by its exit code", async () => {
    const well = await assay("doctor");
    expect([well.code, well.out]).toEqual([0, expect.stringContaining("Every step passed.")]);
    const away = await runAssay(["--url", await findClosedAddress(), "doctor"], { XDG_STATE_HOME: state });
    expect([away.code, away.out]).toEqual([1, expect.stringContaining("Failed: reachable.")]);
  });

  it("completes commands, capabilities, options and choices", async () => {
    const complete = async (...words: string[]) =>
      (await assay("__complete", "--", ...words)).out.trim().split("\n");
    expect(await complete("doc")).toEqual(["doctor"]);
    expect(await complete("call", "contract.")).toEqual([
      "contract.change",
      "contract.guard",
      "contract.interface",
    ]);
    expect(await complete("call", "contract.guard", "--ad")).toEqual(["--address"]);
    expect(await complete("completion", "")).toEqual(["bash", "fish", "zsh"]);
    expect(await complete("outcome", "inv_1", "av")).toEqual(["avoided"]);
    for (const shell of ["bash", "zsh", "fish"])
      expect((await assay("completion", shell)).out).toContain("assay __complete");
  });
});
