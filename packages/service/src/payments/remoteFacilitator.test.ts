import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { NETWORK, type PaymentPayload, type PaymentRequirements } from "@assay/protocol";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createRemoteFacilitator } from "./remoteFacilitator.js";

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let url: string;
let asked: string[] = [];
let behave: Behaviour;
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    behave(request, response);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

const requirements: PaymentRequirements = {
  scheme: "exact",
  network: NETWORK,
  asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  amount: "20000",
  payTo: "0x7cFD3008066278D336c5432F5A7b5E87DFFC9aCD",
  maxTimeoutSeconds: 300,
  extra: { name: "USD Coin", version: "2" },
};
const payment: PaymentPayload = {
  x402Version: 2,
  accepted: requirements,
  payload: {
    signature: `0x${"12".repeat(65)}`,
    authorization: {
      from: "0x73B54E0e58fe9f54E9Ac5CB8147e06C87Db655F1",
      to: requirements.payTo,
      value: "20000",
      validAfter: "0",
      validBefore: "9999999999",
      nonce: `0x${"34".repeat(32)}`,
    },
  },
};
const HASH = `0x${"Ab".repeat(32)}`;
const patience = (ms: number) => ({ verifyMs: ms, settleMs: ms });
const open = () => createRemoteFacilitator(url, patience(10_000));
/** For answers that never come. */
const openImpatient = () => createRemoteFacilitator(url, patience(150));
const json =
  (body: unknown, status = 200): Behaviour =>
  (_, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const hang: Behaviour = () => {};
const reset: Behaviour = (request) => request.socket.resetAndDestroy();
const garbage: Behaviour = (_, response) => response.end("\u0000{not json");
const badGateway: Behaviour = (_, response) =>
  response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad gateway</html>");
const dripping: Behaviour = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
};
const silences = { hang, reset, garbage, badGateway, dripping };
const settlement = (facts: object) => ({ network: NETWORK, transaction: "", payer: "", ...facts });

describe("verify", () => {
  test("valid", async () => {
    behave = json({ isValid: true, payer: payment.payload.authorization.from });
    expect(await open().verify(payment, requirements)).toEqual({ status: "valid" });
    expect(asked).toEqual(["/verify"]);
  });

  test.each([200, 400, 402, 500])("a refusal with a reason, whatever its status (%i)", async (status) => {
    behave = json({ isValid: false, invalidReason: "insufficient_funds" }, status);
    expect(await open().verify(payment, requirements)).toEqual({
      status: "refused",
      reason: "insufficient_funds",
      authorizationUsed: false,
    });
  });

  test.each(["invalid_exact_evm_nonce_already_used", "authorization_used", "duplicate_settlement"])(
    "%s: the chain must be asked",
    async (invalidReason) => {
      behave = json({ isValid: false, invalidReason });
      expect(await open().verify(payment, requirements)).toMatchObject({ authorizationUsed: true });
    },
  );

  test.each(Object.entries(silences))("%s is no answer", async (_name, behaviour) => {
    behave = behaviour;
    const started = Date.now();
    expect((await openImpatient().verify(payment, requirements)).status).toBe("unavailable");
    expect(Date.now() - started).toBeLessThan(2_000);
  });

  test.each([{}, { isValid: "true" }, { isValid: null }, [], "yes", null])(
    "%j is not taken for a yes",
    async (body) => {
      behave = json(body);
      expect((await open().verify(payment, requirements)).status).not.toBe("valid");
    },
  );
});

describe("settle", () => {
  test("success, with the hash of a transaction", async () => {
    behave = json(settlement({ success: true, transaction: HASH }));
    expect(await open().settle(payment, requirements)).toEqual({
      status: "settled",
      transaction: HASH.toLowerCase(),
    });
  });

  test.each(["", "0x", "0x1234", `${HASH}00`, "pending"])(
    "success with %j for a transaction is not believed",
    async (transaction) => {
      behave = json(settlement({ success: true, transaction }));
      expect((await open().settle(payment, requirements)).status).toBe("unknown");
    },
  );

  test.each(["insufficient_funds", "invalid_exact_evm_signature", "invalid_exact_evm_insufficient_balance"])(
    "%s without a transaction is decided before anything is sent: failed",
    async (errorReason) => {
      behave = json(settlement({ success: false, errorReason }));
      expect((await open().settle(payment, requirements)).status).toBe("failed");
      behave = json(settlement({ success: false, errorReason }), 400);
      expect((await open().settle(payment, requirements)).status).toBe("failed");
      behave = json(settlement({ success: false, errorReason, transaction: HASH }));
      expect((await open().settle(payment, requirements)).status).toBe("unknown");
    },
  );

  test.each([
    "settlement_pending",
    "invalid_exact_evm_transaction_failed",
    "invalid_transaction_state",
    "unexpected_settle_error",
    "invalid_exact_evm_nonce_already_used",
    "something new",
    undefined,
  ])("%s may hide a transaction: unknown", async (errorReason) => {
    behave = json(settlement({ success: false, errorReason }));
    expect((await open().settle(payment, requirements)).status).toBe("unknown");
  });

  test.each(Object.entries(silences))("%s leaves the outcome unknown", async (_name, behaviour) => {
    behave = behaviour;
    expect((await openImpatient().settle(payment, requirements)).status).toBe("unknown");
  });

  test("a facilitator that is not there: unknown, since an address may lead to one that is", async () => {
    const nobody = createRemoteFacilitator("http://127.0.0.1:9", patience(10_000));
    expect((await nobody.settle(payment, requirements)).status).toBe("unknown");
  });
});

describe("the breaker", () => {
  test("opens after three silences, answers at once, and lets one probe through later", async () => {
    const facilitator = open();
    behave = reset;
    for (let i = 0; i < 3; i++) await facilitator.verify(payment, requirements);
    asked = [];
    expect(await facilitator.verify(payment, requirements)).toEqual({
      status: "unavailable",
      reason: "the facilitator has not been answering",
    });
    // Nothing left this process, so the same payment may be tried again.
    expect((await facilitator.settle(payment, requirements)).status).toBe("not_sent");
    expect(asked).toEqual([]);
    await new Promise((resume) => setTimeout(resume, 550));
    behave = json({ isValid: true, payer: "" });
    expect(await facilitator.verify(payment, requirements)).toEqual({ status: "valid" });
    expect(await facilitator.verify(payment, requirements)).toEqual({ status: "valid" });
    expect(asked).toHaveLength(2);
  });

  test("opens after silence at settling too, and does not open for refusals", async () => {
    const facilitator = open();
    behave = json({ isValid: false, invalidReason: "insufficient_funds" }, 400);
    for (let i = 0; i < 5; i++) await facilitator.verify(payment, requirements);
    behave = json(settlement({ success: false, errorReason: "insufficient_funds" }), 400);
    for (let i = 0; i < 5; i++) await facilitator.settle(payment, requirements);
    expect(asked).toHaveLength(10);
    behave = reset;
    for (let i = 0; i < 3; i++) await facilitator.settle(payment, requirements);
    asked = [];
    expect((await facilitator.settle(payment, requirements)).status).toBe("not_sent");
    expect(asked).toEqual([]);
  });
});

describe("check", () => {
  test("passes when the facilitator settles exact payments on Base", async () => {
    behave = json({
      kinds: [{ x402Version: 2, scheme: "exact", network: NETWORK }],
      extensions: [],
      signers: {},
    });
    expect(await open().verifyReady()).toBe("facilitator answers");
  });
  test("names what is missing, and does not wait for ever", async () => {
    behave = json({
      kinds: [{ x402Version: 2, scheme: "exact", network: "eip155:1" }],
      extensions: [],
      signers: {},
    });
    await expect(open().verifyReady()).rejects.toThrow(/does not settle exact payments on eip155:8453/);
    behave = hang;
    await expect(openImpatient().verifyReady()).rejects.toThrow();
  });
});
