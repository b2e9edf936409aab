import { once } from "node:events";
import { connect } from "node:net";
import { catalogSchema, problemSchema } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { accountOf, balanceOf, fetchChallenge, pay, signPayment, toHeader } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";
import { catalogRows } from "./openapi/testing/contract.js";

const service = useTestService({ RATE_LIMITS: "off" });

const guardPath = () =>
  `/api/v1/capabilities/contract.guard/invoke?address=${service.chainOf.contracts.plainToken}`;

async function expectProblem(response: Response, status: number, code: string) {
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const problem = problemSchema.parse(await response.json());
  expect(problem).toMatchObject({ status, code });
  expect(problem.requestId).toBe(response.headers.get("x-request-id"));
  return problem;
}

/** Bytes straight to the socket, for requests no client library would send. */
function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((done, fail) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = "";
    socket.setTimeout(10_000, () => socket.destroy(new Error("no answer within 10 s")));
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", (error) => (answer ? done(answer) : fail(error)));
    socket.on("close", () => done(answer));
  });
}

describe("the catalog", () => {
  test("lists the sixteen capabilities of the contract and one of our own, each with its routes and what its input is", async () => {
    const response = await fetch(`${service.url}/api/v1/capabilities`);
    expect(response.status).toBe(200);
    const catalog = catalogSchema.parse(await response.json());
    expect(catalog.capabilities.map(({ id }) => id)).toEqual(catalogRows.map(({ id }) => id));
    expect(catalogRows).toHaveLength(17);
    for (const entry of catalog.capabilities) {
      expect(entry.constraints.network).toBe("eip155:8453");
      expect(entry.pricing).toMatchObject({
        currency: "USD",
        network: "eip155:8453",
        facilitatorMinimumUsd: 0.001,
      });
      expect(entry.endpoints.invoke).toBe(`/api/v1/capabilities/${entry.id}/invoke`);
      expect(entry.x402Endpoints.invoke).toBe(entry.endpoints.invoke);
      expect(entry.summary.length).toBeGreaterThan(20);
      for (const shape of Object.values(entry.input)) expect(shape).not.toBe("");
    }
  });

  test("says what it is, what is proposed, and whether it can serve now", async () => {
    const catalog = catalogSchema.parse(await (await fetch(`${service.url}/api/v1/capabilities`)).json());
    expect(catalog).toMatchObject({
      mode: "consume_only",
      network: "eip155:8453",
      quoteEndpoint: "/api/v1/quotes",
      payable: { x402: false },
      production: { open: true, publish: "/api/v1/artifacts/publish", reward: "non_transferable_credits" },
      proposed: { pledgeEndpoint: "/api/v1/demand-pledges" },
      readiness: { ok: true },
    });
    expect(catalog.readiness.dependencies.map((dependency) => dependency.name).sort()).toEqual([
      "chain",
      "persistence",
      "x402",
    ]);
    expect(catalog.proposed.proposals.map((proposal) => proposal.pledgeAs)).toEqual([
      "solana.program.change",
      "solana.token.mint.change",
      "evm.contract.change.multichain",
      "amm.pool.state",
    ]);
    for (const proposal of catalog.proposed.proposals) {
      expect(proposal.status).toBe("unbuilt");
      const invoke = `${service.url}/api/v1/capabilities/${proposal.pledgeAs}/invoke`;
      await expectProblem(await fetch(invoke), 404, "not_found");
    }
  });
});

describe("requests that are refused", () => {
  test("a receipt that does not exist", async () => {
    for (const id of ["inv_00000000000000000000000000000000", "x", "%00", "a%00b", "%ff", "..%2f", "'--"])
      await expectProblem(await fetch(`${service.url}/api/v1/receipts/${id}`), 404, "not_found");
  });

  test("a route that is not there", async () => {
    for (const path of ["/api/v2/capabilities", "/api/v1/capabilities/", "/api/v1/receipts", "/..;/", "/%00"])
      await expectProblem(await fetch(`${service.url}${path}`), 404, "not_found");
    for (const id of ["no.such", "__proto__", "constructor", "%00"])
      await expectProblem(await fetch(`${service.url}/api/v1/capabilities/${id}/invoke`), 404, "not_found");
  });

  test("a method a route does not take is 405 and says which it does", async () => {
    const routes: [string, string][] = [
      ["/api/v1/capabilities", "POST"],
      ["/api/v1/quotes", "POST"],
      ["/api/v1/health", "DELETE"],
      ["/api/v1/receipts/inv_1", "PUT"],
      ["/metrics", "POST"],
      [guardPath(), "POST"],
      [guardPath(), "PUT"],
      [guardPath(), "DELETE"],
    ];
    for (const [path, method] of routes) {
      const response = await fetch(`${service.url}${path}`, { method });
      expect(response.headers.get("allow")).toBe("GET, HEAD");
      await expectProblem(response, 405, "method_not_allowed");
    }
  });

  test("one query parameter given twice, which would be read one way here and another way elsewhere", async () => {
    const twice = await fetch(`${service.url}${guardPath()}&address=0x12`);
    expect((await expectProblem(twice, 400, "invalid_input")).errors).toEqual([
      { field: "address", rule: "must be given once" },
    ]);
    const quote = await fetch(
      `${service.url}/api/v1/quotes?capability=chain.snapshot&capability=chain.snapshot`,
    );
    expect((await expectProblem(quote, 400, "invalid_input")).errors?.[0]?.field).toBe("capability");
  });

  test("a body that is no JSON by its own headers is 415, one that says nothing of itself is read", async () => {
    const ask = (path: string, headers: Record<string, string>) =>
      fetch(`${service.url}${path}`, { method: "POST", headers, body: "{}" });
    const invoke = "/api/v1/capabilities/transaction.intent.guard/invoke";
    for (const path of [invoke, "/api/v1/claims", "/api/v1/outcomes", "/api/mcp"]) {
      for (const headers of [
        { "content-type": "application/xml" },
        { "content-type": "multipart/form-data; boundary=x" },
        { "content-type": "application/json", "content-encoding": "gzip" },
      ])
        await expectProblem(await ask(path, headers), 415, "unsupported_media_type");
    }
    for (const type of ["application/json; charset=utf-8", "text/plain", "application/vnd.api+json"])
      expect((await ask(invoke, { "content-type": type })).status).toBe(402);
  });

  test("bodies and payments that nest too deep to be written again", async () => {
    const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    const posted = await fetch(`${service.url}/api/v1/capabilities/transaction.intent.guard/invoke`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `{"from":${deep(100_000)}}`,
    });
    await expectProblem(posted, 400, "invalid_json");
    const payment = await signPayment(
      accountOf(service, "alice"),
      await fetchChallenge(`${service.url}${guardPath()}`),
    );
    const { extensions: _, resource: __, ...bare } = payment;
    const text = JSON.stringify({ ...bare, accepted: { ...bare.accepted, extra: { a: 0 } } });
    const header = Buffer.from(text.replace('"a":0', `"a":${deep(3_000)}`)).toString("base64");
    const paid = await fetch(`${service.url}${guardPath()}`, { headers: { "payment-signature": header } });
    const problem = await expectProblem(paid, 400, "invalid_payment_header");
    expect(problem.errors?.[0]?.rule).toBe("must be nested at most 64 levels deep");
  });

  test("payment headers that cannot be read are 400 and name the header", async () => {
    const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
    const good = await signPayment(
      accountOf(service, "alice"),
      await fetchChallenge(`${service.url}${guardPath()}`),
    );
    const { payload: _payload, ...withoutPayload } = good;
    for (const header of [
      "x",
      "not base64!",
      Buffer.from("{").toString("base64"),
      json(null),
      json([]),
      json({}),
      json({ ...good, x402Version: 1 }),
      json(withoutPayload),
      json({ ...good, accepted: { ...good.accepted, scheme: "upto" } }),
      json({ ...good, payload: { ...good.payload, signature: "0x1" } }),
    ]) {
      const response = await fetch(`${service.url}${guardPath()}`, {
        headers: { "payment-signature": header },
      });
      const problem = await expectProblem(response, 400, "invalid_payment_header");
      expect(problem.errors?.[0]?.field).toMatch(/^PAYMENT-SIGNATURE/);
    }
  });

  test("a payment header of over 8 KiB before base64 is 431, one that just fits is read", async () => {
    const ask = (length: number) =>
      fetch(`${service.url}${guardPath()}`, { headers: { "payment-signature": "A".repeat(length) } });
    await expectProblem(await ask(10_925), 431, "headers_too_large");
    await expectProblem(await ask(10_924), 400, "invalid_payment_header");
  });

  test("every challenge's payment can be sent, however long the input is that the URL carries", async () => {
    const { address } = accountOf(service, "alice");
    const { weth } = service.chainOf.contracts;
    const query = (id: string, fields: Record<string, string>) =>
      `${service.url}/api/v1/capabilities/${id}/invoke?${new URLSearchParams(fields)}`;
    const preflight = (characters: number) =>
      query("tx.preflight", { from: address, to: weth, data: `0x${"ab".repeat(characters / 2 - 1)}` });
    const evidence = (question: string, market: string) => query("prediction.evidence", { question, market });
    const missing = new URL("/missing-", service.chainOf.pages[0]).href;
    const urls = [
      preflight(7_682),
      evidence("問".repeat(500), missing.padEnd(2048, "m")),
      evidence("ab?".repeat(100), missing.padEnd(1920, "m")),
    ];
    for (const url of urls) {
      const { response } = await pay(url, accountOf(service, "alice"));
      // There is no such page; what counts is that the payment arrived.
      expect([url.length, response.status]).toEqual([url.length, url.includes("preflight") ? 200 : 502]);
    }
    const tooLong = await expectProblem(await fetch(preflight(7_684)), 400, "invalid_input");
    expect(tooLong.errors).toEqual([
      {
        field: "data",
        rule: "must be at most 7682 characters in a query; POST /api/v1/capabilities/transaction.intent.guard/invoke takes 262146",
      },
    ]);
    const longest = evidence("問".repeat(500), `https://example.com/${"/%25".repeat(507)}`);
    const refused = await expectProblem(await fetch(longest), 431, "headers_too_large");
    expect(refused.errors?.[0]?.rule).toContain("at most 8192 characters");
  });

  test("headers over 16 KB in total are 431 with a problem document", async () => {
    const answer = await sendRaw(
      `GET /api/v1/health HTTP/1.1\r\nHost: a\r\nX-Padding: ${"a".repeat(17 * 1024)}\r\n\r\n`,
    );
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 431 /);
    expect(head.toLowerCase()).toContain("content-type: application/problem+json");
    expect(problemSchema.parse(JSON.parse(body))).toMatchObject({ status: 431, code: "headers_too_large" });
  });

  test("what is not HTTP is 400 with a problem document", async () => {
    for (const text of [
      "hello\r\n\r\n",
      "GET / HTTP/1.1\r\nno colon\r\n\r\n",
      "GET /\u0001 HTTP/1.1\r\n\r\n",
      "GET /api/v1/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    ]) {
      const answer = await sendRaw(text);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({ status: 400 });
    }
  });

  test("two Host lines are refused in their turn, and end the connection, even one that is kept open", async () => {
    const twoHosts = "GET /api/v1/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n";
    const pipelined = await sendRaw(`GET /api/v1/capabilities HTTP/1.1\r\nHost: a\r\n\r\n${twoHosts}`);
    expect(pipelined.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 400"]);
    const { hostname, port } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.write(twoHosts);
    const answered = once(socket, "end");
    socket.resume();
    await answered;
    // A peer that has gone resets what is still sent to it; one that waits for more takes it.
    const lost = once(socket, "error");
    const writing = setInterval(() => socket.write("more"), 50);
    expect((await lost)[0]).toMatchObject({ code: expect.stringMatching(/^(EPIPE|ECONNRESET)$/) });
    clearInterval(writing);
  });
});

describe("what a caller may rely on", () => {
  test("browsers on any origin may call, and may see the payment headers", async () => {
    const origin = { origin: "https://app.example" };
    const toolsList = { method: "POST", body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' };
    const ping = { method: "POST", body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' };
    for (const [path, init] of [
      [guardPath()],
      // The first time from the router, then from memory.
      [guardPath()],
      ["/api/v1/capabilities"],
      ["/nowhere"],
      ["/api/mcp", toolsList],
      ["/api/mcp", ping],
    ] as const) {
      const response = await fetch(`${service.url}${path}`, { ...init, headers: origin });
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("x-request-id")).toMatch(/^[\w-]+$/);
      if (path === "/api/mcp") expect(response.headers.get("cache-control")).toBe("no-store");
      const exposed = response.headers.get("access-control-expose-headers")?.toLowerCase().split(",") ?? [];
      for (const name of ["payment-required", "payment-response", "retry-after"])
        expect(exposed).toContain(name);
    }
    const preflight = await fetch(`${service.url}${guardPath()}`, {
      method: "OPTIONS",
      headers: {
        ...origin,
        "access-control-request-method": "GET",
        "access-control-request-headers": "payment-signature",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("payment-signature");
    expect(preflight.headers.get("access-control-allow-methods")).toBe("GET,HEAD,POST");
    expect(Number(preflight.headers.get("access-control-max-age"))).toBeGreaterThan(0);
  });

  test("metrics name routes and outcomes, never an address, an id or an input", async () => {
    const alice = accountOf(service, "alice");
    const { response } = await pay(`${service.url}${guardPath()}`, alice);
    expect(response.status).toBe(200);
    await fetch(`${service.url}/api/v1/receipts/inv_${"0".repeat(32)}`);
    await fetch(`${service.url}/0x${"ab".repeat(20)}`);
    const text = await (await fetch(`${service.url}/metrics`)).text();
    expect(text).toContain('assay_invocations_total{capability="contract.guard",outcome="settled"} 1');
    expect(text).toMatch(/assay_http_request_seconds_count\{route="\/api\/v1\/capabilities\/:id\/invoke"/);
    expect(text).toMatch(/assay_head_block [1-9]/);
    expect(text).toMatch(
      /^assay_verdicts_total\{capability="contract.guard",verdict="(allow|review|block)"\} 1$/m,
    );
    expect(text).toContain('assay_sold_calls{capability="contract.guard",status="miss"} 1');
    expect(text).toContain('assay_revenue_usd{capability="contract.guard"} 0.1');
    expect(text).toContain('assay_problems_total{code="not_found"} 2');
    // Alerts wait for an increase, which a count that appears with its first event does not show.
    expect(text).toContain('assay_problems_total{code="internal_error"} 0');
    expect(text).toContain('assay_problems_total{code="log_inconsistent"} 0');
    expect(text).toContain('assay_undone_settlements_total{outcome="reorged"} 0');
    for (const state of ["reserved", "settling", "unknown"]) {
      expect(text).toContain(`assay_open_calls{state="${state}"} 0`);
      expect(text).toContain(`assay_open_call_age_seconds{state="${state}"} 0`);
    }
    expect(text).toMatch(/^assay_head_age_seconds \d/m);
    expect(text).toMatch(/^assay_unclaimed_usd 0$/m);
    expect(text).toMatch(/^assay_unclaimed_age_seconds 0$/m);
    expect(text).toMatch(/^assay_database_bytes \d{7,}$/m);
    expect(text).toMatch(/^assay_settler_balance_ether\{settler="1"\} \d/m);
    expect(text).toMatch(/^assay_settlements_left\{settler="1"\} \d{3,}/m);
    expect(text).toMatch(/^assay_settlement_gas_total\{capability="contract.guard"\} [4-9]\d{4}$/m);
    expect(text).toMatch(/^assay_log_fault 0$/m);
    expect(text).not.toMatch(/0x[0-9a-fA-F]{8,}|inv_|quo_|sha256:/);
    // What the audit found is seen although nobody has asked for a head.
    await service.db.query({ text: "UPDATE log_audit SET fault = 'a leaf is lost'" });
    expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(/^assay_log_fault 1$/m);
    await service.db.query({ text: "UPDATE log_audit SET fault = NULL" });
  });

  test("HEAD never charges, even with a payment that GET would take", async () => {
    const alice = accountOf(service, "alice");
    const url = `${service.url}${guardPath().replace(service.chainOf.contracts.plainToken, service.chainOf.contracts.erc721)}`;
    const payment = await signPayment(alice, await fetchChallenge(url));
    const headers = { "payment-signature": toHeader(payment) };
    const before = await balanceOf(service, alice.address);
    const head = await fetch(url, { method: "HEAD", headers });
    expect([head.status, await head.text()]).toEqual([402, ""]);
    expect(head.headers.get("payment-required")).not.toBeNull();
    expect(await balanceOf(service, alice.address)).toBe(before);
    // Control: the very same payment is taken by GET.
    expect((await fetch(url, { headers })).status).toBe(200);
    expect(before - (await balanceOf(service, alice.address))).toBe(100_000n);
    expect((await fetch(`${service.url}/api/v1/health`, { method: "HEAD" })).status).toBe(200);
  });
});
