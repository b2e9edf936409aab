import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatePrivateKey } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../createClient.js";
import type { ConnectedService } from "../testing/connectToService.js";
import { findClosedAddress } from "../testing/findClosedAddress.js";
import { getSharedService } from "../testing/getSharedService.js";
import { type Run, runAssay, withDefaults } from "../testing/runAssay.js";
import { answerProblem, startStub } from "../testing/startStub.js";

let service: ConnectedService;
let directory: string;
let workingDirectory: string;
beforeAll(async () => {
  [service, directory] = await Promise.all([getSharedService(), mkdtemp(join(tmpdir(), "assay-failures-"))]);
  // Where payments of unknown outcome are kept.
  workingDirectory = process.cwd();
  process.chdir(directory);
});
afterAll(async () => {
  process.chdir(workingDirectory);
  if (directory) await rm(directory, { recursive: true, force: true });
});

const json = (args: readonly string[], env: Record<string, string> = {}): Promise<Run> =>
  runAssay(withDefaults(["--json", ...args], { "--url": service.url, "--data-dir": service.dataDir }), env);

/** Runs a command against a server that gives this answer to every request. */
async function askStub(answer: (response: ServerResponse) => void, ...args: string[]): Promise<Run> {
  const stub = await startStub((_request, response) => answer(response));
  try {
    return await json(["--url", stub.url, ...args]);
  } finally {
    await stub.stop();
  }
}

/** A payment of alice's for a call, kept in a file as by an earlier run. */
async function keepPayment(url: string): Promise<string> {
  const alice = createClient({ baseUrl: service.url, account: service.wallet("alice") });
  const prepared = await alice.prepareUnquoted("chain.snapshot", {});
  const request = { ...prepared.request, url: prepared.request.url.replace(service.url, url) };
  const file = join(directory, "kept.json");
  await writeFile(file, JSON.stringify({ ...prepared, request }));
  return file;
}

describe("with --json, a failure is one document on stdout, and the exit code gives its kind", () => {
  const guard = ["call", "contract.guard", "--address"];

  it.each<[string, number, object, () => Promise<Run>]>([
    ["any other", 1, { code: "not_found", status: 404 }, () => json(["receipt", "inv_none"])],
    ["a wrong command line", 2, { code: "usage" }, () => json(["call", "contract.guard", "--adress", "0x1"])],
    ["a file that is not there", 2, { code: "usage" }, () => json(["verify", "none.json"])],
    [
      "input that the service refuses",
      2,
      { code: "invalid_input", status: 400, errors: [{ field: "address", rule: expect.any(String) }] },
      () => json([...guard, "0x12"]),
    ],
    ["no wallet", 2, { code: "no_wallet" }, () => json(["--data-dir", directory, "call", "chain.snapshot"])],
    [
      "nobody there",
      3,
      { code: "service_unreachable" },
      async () => json(["--url", await findClosedAddress(), "catalog"]),
    ],
    [
      "a price above the limit",
      4,
      { code: "price_above_limit", maxPriceUsd: 0.000001 },
      () => json(["call", "chain.snapshot", "--max-price", "0.000001"]),
    ],
    [
      "a refused payment",
      4,
      { code: "payment_refused", reason: expect.stringContaining("insufficient") },
      () => json(["call", "chain.snapshot"], { ASSAY_PRIVATE_KEY: generatePrivateKey() }),
    ],
    [
      "a limit on requests",
      1,
      { code: "rate_limited", requestId: "req_1", retryAfterSeconds: 7 },
      () =>
        askStub(
          (response) => answerProblem(response, 429, { code: "rate_limited" }, { "retry-after": "7" }),
          "catalog",
        ),
    ],
    [
      "something that is no service",
      1,
      { code: "unexpected_response", status: 200 },
      () => askStub((response) => response.end("<h1>Hello</h1>"), "catalog"),
    ],
  ])("%s", async (_name, exitCode, expected, run) => {
    const { code, out, err } = await run();
    expect(JSON.parse(out)).toEqual({
      error: expect.objectContaining({ detail: expect.stringMatching(/./), exitCode, ...expected }),
    });
    expect(code).toBe(exitCode);
    expect(err).not.toBe("");
  });
});

describe("says in one sentence", () => {
  it("that a body is not what an Assay service answers", async () => {
    for (const command of [["catalog"], ["health"], ["stats"], ["quote", "chain.snapshot"]]) {
      const { err, out } = await askStub((response) => response.end("{}"), ...command);
      expect(err).toMatch(
        /^assay: http:\S+ answered 200, and the body has another shape than agreed: \w+ is required\. Is this an Assay service of the same version\?\n$/,
      );
      expect(JSON.parse(out).error).toMatchObject({ code: "unexpected_response", status: 200 });
      expect(out).not.toContain("invalid_type");
    }
  });
});

describe("input that the service refuses", () => {
  it("is named as it was given: an argument, or an option", async () => {
    expect((await json(["evidence", "sha256:00"])).err).toContain("\n  <artifactId> must be sha256:");
    const asOption = await json(["call", "evidence.artifact", "--artifact-id", "sha256:00"]);
    expect(asOption.err).toContain("\n  --artifact-id must be sha256:");
  });
});

describe("a payment that was sent before", () => {
  // Given before the service searches for the payment: it says nothing about the first attempt.
  const refuse = (response: ServerResponse) =>
    answerProblem(response, 400, { code: "invalid_payment_header", detail: "No." });

  it("stays in doubt when a refusal is not about it, and is kept", async () => {
    const stub = await startStub((_request, response) => refuse(response));
    try {
      const file = await keepPayment(stub.url);
      const { code, out, err } = await json(["--url", stub.url, "resume", file]);
      const { error } = JSON.parse(out);
      expect([code, error.code]).toEqual([5, "payment_outcome_unknown"]);
      expect(err).toContain(`assay resume ${error.paymentFile}`);
      const kept = await readFile(join(directory, error.paymentFile), "utf8");
      expect(JSON.parse(kept)).toEqual(JSON.parse(await readFile(file, "utf8")));
    } finally {
      await stub.stop();
    }
  });

  it("is printed when it cannot be kept", async () => {
    const stub = await startStub((_request, response) => refuse(response));
    const gone = await mkdtemp(join(directory, "gone-"));
    try {
      const file = await keepPayment(stub.url);
      process.chdir(gone);
      await rm(gone, { recursive: true });
      const { code, err } = await runAssay(["--url", stub.url, "resume", file]);
      expect(code).toBe(5);
      expect(err).toMatch(/It could not be kept here[\s\S]*"paymentSignature": "/);
    } finally {
      process.chdir(directory);
      await stub.stop();
    }
  });
});
