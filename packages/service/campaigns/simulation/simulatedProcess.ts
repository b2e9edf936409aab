import { createHash, createSecretKey } from "node:crypto";
import { AssayError, type ChannelPayment, type Hex } from "@assay/protocol";
import type { Failpoints } from "../../src/base/failpoints.js";
import type { Settings } from "../../src/base/settings.js";
import type { DigestSigner } from "../../src/base/signers/digestSigner.js";
import { OfferEndedError } from "../../src/evidence/answer.js";
import { createChannelTurns } from "../../src/payments/channels/channelTurns.js";
import { claimVouchers } from "../../src/payments/channels/claimVouchers.js";
import { type ConfirmContext, confirmSettlements } from "../../src/payments/confirmSettlements.js";
import type { Sale } from "../../src/payments/paidCall.js";
import { encodePayment } from "../../src/payments/paymentDigest.js";
import type { PaymentsContext } from "../../src/payments/paymentsContext.js";
import { reconcileAbandoned } from "../../src/payments/reconcile.js";
import { sealResponse } from "../../src/payments/sealedResponse.js";
import { createInProcessFacilitator } from "../../src/payments/settlement/inProcessFacilitator.js";
import { noRateLimits } from "../../src/store/rateLimits.js";
import { never, type Scene } from "./faults.js";
import { type SimulatedChain, signatureOf, voucherSignatureOf } from "./simulatedChain.js";
import { createSimulatedDatabase, type DatabaseServer, type SimulatedDatabase } from "./simulatedDatabase.js";
import { createSimulatedNode } from "./simulatedNode.js";
import type { Owner } from "./timeline.js";

export const TOKEN: Hex = `0x${"c0".repeat(20)}`;
export const PAY_TO: Hex = `0x${"aa".repeat(20)}`;
export const AUTHORIZER: Hex = `0x${"5e".repeat(20)}`;
export const WITHDRAW_DELAY_SECONDS = 900;

const secret = (byte: number) => Buffer.alloc(32, byte);

/** Only what payments read of it. */
const settings = {
  publicUrl: "http://simulated",
  payTo: PAY_TO,
  stablecoin: { address: TOKEN, name: "USD Coin", version: "2" },
  channels: {
    receiverAuthorizer: AUTHORIZER,
    formerAuthorizers: [],
    withdrawDelaySeconds: WITHDRAW_DELAY_SECONDS,
  },
  isSimulated: () => false,
  ticketSecret: createSecretKey(secret(7)),
  otherTicketSecrets: [],
  answerSecret: secret(9),
  formerAnswerSecrets: [],
  writesBreadcrumbs: false,
} as unknown as Settings;

/** A process of the service: the code of payments over a simulated database, node and key, with its jobs. */
export interface SimulatedProcess extends Owner {
  readonly context: PaymentsContext & ConfirmContext;
  readonly database: SimulatedDatabase;
  /** What waits for an answer of it. */
  readonly callers: Set<() => void>;
}

const silent = { info() {}, warn() {}, error() {}, debug() {} };
const counter = { inc() {}, set() {} };

export function startProcess(
  scene: Scene,
  server: DatabaseServer,
  chain: SimulatedChain,
  name: string,
  settler: Hex,
): SimulatedProcess {
  const { faults, timeline } = scene;
  const owner = { name, isDead: false } as { name: string; isDead: boolean } & Partial<SimulatedProcess>;
  const database = createSimulatedDatabase(scene, server, owner as Owner);
  const node = createSimulatedNode(scene, chain, owner as Owner);
  // It may die while it starts.
  Object.assign(owner, { database, callers: new Set<() => void>() });
  const failpoints: Failpoints = {
    reach(step) {
      if (faults.draw(step, ["died before"]) === undefined) return;
      scene.kill(owner as Owner);
      throw new Error("the process is dead");
    },
  };
  // The settler's key: the chain reads the sender where the signature is.
  const settlerSigner = {
    ...{ address: settler, place: "simulated", isRemote: false, findTrouble: () => undefined },
    sign: () => ({ r: `0x${settler.slice(2).padStart(64, "0")}`, s: `0x${"11".repeat(32)}`, yParity: 0 }),
    verifyReady: async () => undefined,
    close: () => undefined,
  } as DigestSigner;
  let isUnsigned = false;
  const signer = {
    ...{ address: AUTHORIZER, addresses: [AUTHORIZER], place: "simulated", isRemote: true },
    signBytes: (): Hex | Promise<Hex> => {
      if (owner.isDead) return never();
      isUnsigned = faults.draw("signBytes", ["unanswered"]) !== undefined;
      if (isUnsigned) timeline.after(2_000, owner as Owner, () => (isUnsigned = false));
      if (isUnsigned) return Promise.reject(new AssayError("signer_unavailable", "the key does not answer"));
      return `0x${"5a".repeat(65)}`;
    },
    findTrouble: () => (isUnsigned ? "the key does not answer" : undefined),
  };
  const facilitator = createInProcessFacilitator({
    ...{ chain: node, signers: [settlerSigner] },
    logger: silent as never,
  });
  const context = {
    ...{ settings, database, chain: node, limits: noRateLimits, logger: silent, failpoints },
    ...{ prices: new Map(), freshness: { learn() {} }, signer, facilitator },
    metrics: new Proxy({}, { get: () => counter }),
    payerSignatures: {
      digestOf: () => "0x",
      isByKey: ({
        authorization,
        signature,
      }: {
        authorization: { from: string; nonce: string };
        signature: string;
      }) => signature === signatureOf(authorization.from, authorization.nonce),
      isVoucherByKey: ({ voucher, channelConfig }: ChannelPayment["payload"]) =>
        voucher.signature === voucherSignatureOf(channelConfig.payerAuthorizer, voucher),
    },
    extensions: { describe: async () => undefined },
    channelTurns: createChannelTurns(),
    blockedWallets: { has: () => false, refresh: async () => undefined },
  } as unknown as SimulatedProcess["context"];
  return Object.assign(owner, { context }) as SimulatedProcess;
}

/** What runs on a schedule, for as long as the process lives. */
export function startJobs({ timeline }: Scene, process: SimulatedProcess, paceMs: () => number): void {
  const { context } = process;
  const jobs: readonly [number, () => Promise<unknown>][] = [
    [1, () => reconcileAbandoned(context, 20)],
    [2, () => confirmSettlements(context, 100)],
    [3, () => claimVouchers(context)],
  ];
  for (const [turns, job] of jobs) {
    const again = async () => {
      await job().catch(() => undefined);
      timeline.after(turns * paceMs(), process, again);
    };
    timeline.after(turns * 500, process, again);
  }
}

/** What is sold: work that takes a while, may fail, and may find that its offer has ended. Some answers are private. */
export function simulatedSale(
  { choices, faults, timeline }: Scene,
  question: string,
  isPrivate: boolean,
): Sale {
  return {
    async compute(call, isOwed = false) {
      const { context, payment, invocation } = call;
      if (choices.chance(0.5)) await timeline.sleep(choices.integer(1, 400));
      const fault = faults.draw("compute", ["request lost", "very late", "garbled"]);
      if (fault === "request lost") throw new AssayError("chain_unavailable", "no node answers");
      // Somebody may deliver the payment meanwhile.
      if (fault === "garbled") await timeline.sleep(choices.integer(0, 15_000));
      if (fault === "garbled" && !isOwed) throw new OfferEndedError("the price has risen");
      if (fault === "very late") await timeline.sleep(choices.integer(5_000, 70_000));
      return async () => {
        const { invocationId, attempt } = invocation;
        await context.signer.signBytes("0x");
        const body = JSON.stringify({ question, invocationId, attempt, salt: choices.integer(0, 1e9) });
        const { answerSecret } = context.settings;
        return {
          actualStatus: invocation.quotedStatus,
          resultHash: createHash("sha256").update(body).digest("hex"),
          artifactId: null,
          body,
          sealedBody: isPrivate
            ? sealResponse(answerSecret, encodePayment(payment), invocationId, Buffer.from(body))
            : null,
          packedBody: null,
          sealedOutcome: null,
          effects: null,
        };
      };
    },
  };
}
