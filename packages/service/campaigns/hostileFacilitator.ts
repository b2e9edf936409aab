import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SeededChoices } from "@assay/chain/testing/seededChoices";
import { NETWORK, type PaymentPayload, paymentPayloadSchema } from "@assay/protocol";
import type { HostileOutsiders } from "./hostileOutsiders.js";

export const facilitatorBehaviours = [
  "reset",
  "hang",
  "garbage",
  "html_502",
  "settlement_pending",
  "settled_then_lost",
  "revert",
  "preempted",
  "cancelled",
  "lying_success",
  "lying_failure",
  "lying_refusal",
] as const;
/** `lying_refusal` settles when asked to verify, and then says that the payment is not valid. */
export type FacilitatorBehaviour = (typeof facilitatorBehaviours)[number];

/** What will happen to one payment, and how often, before the facilitator behaves. */
export interface Script {
  readonly behaviour: FacilitatorBehaviour;
  readonly at: "verify" | "settle";
  /** For silences: whether the money is moved all the same, before the silence or some time after it. */
  readonly moves: "before" | "after" | "never";
  times: number;
  readonly choose: SeededChoices;
}

export interface HostileFacilitator {
  readonly url: string;
  /** Payments without a script are settled honestly. */
  script(payment: PaymentPayload, script: Script): void;
  /** Waits for money that is still to be moved. */
  calm(): Promise<void>;
  close(): Promise<void>;
}

const keyOf = ({ payload }: PaymentPayload) =>
  `${payload.authorization.from}:${payload.authorization.nonce}`.toLowerCase();
const CERTAIN = [
  "insufficient_funds",
  "invalid_exact_evm_signature",
  "invalid_exact_evm_insufficient_balance",
];

/** Answers as x402 facilitators do, with the truth or without it. */
export async function startHostileFacilitator(outsiders: HostileOutsiders): Promise<HostileFacilitator> {
  const scripts = new Map<string, Script>();
  const late = new Set<Promise<unknown>>();

  function later(ms: number, act: () => Promise<unknown>): void {
    const acting = new Promise((resume) => setTimeout(resume, ms)).then(act).catch(() => undefined);
    late.add(acting);
    void acting.finally(() => late.delete(acting));
  }

  async function answerHonestly(step: "verify" | "settle", payment: PaymentPayload): Promise<unknown> {
    if (step === "verify") return outsiders.verify(payment);
    return outsiders.settle(payment);
  }

  /** Returns what to answer, or nothing when it has dealt with the response itself. */
  async function misbehave(
    script: Script,
    payment: PaymentPayload,
    response: ServerResponse,
  ): Promise<unknown> {
    const { behaviour, choose } = script;
    const failure = (errorReason: string, transaction = "") => ({
      ...{ success: false, isValid: false, errorReason, invalidReason: errorReason },
      ...{ transaction, network: NETWORK, payer: payment.payload.authorization.from },
    });
    switch (behaviour) {
      case "reset":
      case "hang":
      case "garbage":
      case "html_502":
      case "settlement_pending":
        if (script.moves === "before") await outsiders.settle(payment);
        if (script.moves === "after") later(choose.integer(50, 1_500), () => outsiders.settle(payment));
        if (behaviour === "settlement_pending") return failure("settlement_pending", choose.hex(32));
        return void beSilent(behaviour, response);
      case "settled_then_lost":
        await outsiders.settle(payment);
        return void response.socket?.resetAndDestroy();
      case "revert":
        return failure("invalid_exact_evm_transaction_failed", await outsiders.sendReverting(payment));
      case "preempted":
        await outsiders.preempt(payment);
        return answerHonestly(script.at, payment);
      case "cancelled":
        await outsiders.cancel(payment);
        return answerHonestly(script.at, payment);
      case "lying_success": {
        const transaction = choose.chance(0.5)
          ? choose.hex(32)
          : (outsiders.lastTransaction() ?? choose.hex(32));
        const lie = { success: true, transaction: choose.chance(0.2) ? "" : transaction };
        return { ...lie, network: NETWORK, payer: payment.payload.authorization.from };
      }
      case "lying_failure":
      case "lying_refusal":
        await outsiders.settle(payment);
        return failure(choose.pick(CERTAIN));
    }
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const send = (body: unknown) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.url === "/supported")
      return void send({
        kinds: [{ x402Version: 2, scheme: "exact", network: NETWORK }],
        extensions: [],
        signers: {},
      });
    const { paymentPayload } = JSON.parse(Buffer.concat(chunks).toString()) as { paymentPayload: unknown };
    const payment = paymentPayloadSchema.parse(paymentPayload);
    const step = request.url === "/verify" ? "verify" : "settle";
    const script = scripts.get(keyOf(payment));
    if (!script || script.at !== step || script.times <= 0)
      return void send(await answerHonestly(step, payment));
    script.times--;
    const answer = await misbehave(script, payment, response);
    if (answer !== undefined) send(answer);
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    script: (payment, script) => void scripts.set(keyOf(payment), script),
    async calm() {
      scripts.clear();
      await Promise.all(late);
    },
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function beSilent(behaviour: "reset" | "hang" | "garbage" | "html_502", response: ServerResponse): void {
  if (behaviour === "reset") response.socket?.resetAndDestroy();
  if (behaviour === "garbage") response.end("\u0000{not json");
  if (behaviour === "html_502")
    response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad gateway</html>");
}
