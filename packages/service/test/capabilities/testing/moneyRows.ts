import { setTimeout as sleep } from "node:timers/promises";
import { type Hex, type PaymentPayload, paymentRequiredSchema } from "@assay/protocol";
import { getAddress } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { insertClaim } from "../../../src/claims/testing/insertClaim.js";
import { claimsUrl, hoursAhead } from "../../../src/claims/testing/paidClaims.js";
import { sendChallenge } from "../../../src/claims/testing/sendChallenge.js";
import type { SettleOutcome } from "../../../src/payments/facilitator.js";
import { accountOf, asPost, balanceOf, send, signPayment } from "../../payer.js";
import type { TestService } from "../../startTestService.js";

/** What money and claims came to behind one node: a word, or `503` where nothing was sold and nothing taken. */
export type MoneyOutcome = string;

/** Something that is paid for, or judged, behind each profile. */
export interface MoneyRow {
  readonly name: string;
  /** What it comes to behind a full node. */
  readonly usual: MoneyOutcome;
  run(service: TestService): Promise<MoneyOutcome>;
}

/** A caller tries this often, as it is asked to, before it counts as refused; an open outcome is asked for as long as this. */
const TRIES = 6;
const PAUSE_MS = 1_100;
const OPEN_MS = 30_000;

export const moneyRows: readonly MoneyRow[] = [
  {
    name: "a payment",
    usual: "settled",
    run: (service) => payFor(service, accountOf(service, "alice"), metadataUrl(service)),
  },
  {
    name: "one whose outcome was lost",
    usual: "settled",
    run: (service) => payThroughLoss(service, "bob", (settle) => settle()),
  },
  {
    name: "one that was never sent",
    usual: "settled",
    run: (service) => payThroughLoss(service, "dave", async () => undefined),
  },
  { name: "a claim", usual: "opened", run: openClaim },
  { name: "a challenge", usual: "upheld", run: challenge },
];

const metadataUrl = ({ url, chainOf }: TestService) =>
  `${url}/api/v1/capabilities/token.metadata/invoke?address=${chainOf.contracts.taxedToken}`;

const isOpen = (code: string | undefined) =>
  code === "payment_outcome_unknown" || code === "payment_in_flight";

interface Paid {
  readonly status: number;
  readonly code: string | undefined;
  /** Undefined where no price was named: the terms of a claim are checked before it is paid for. */
  readonly payment: PaymentPayload | undefined;
}

/** Asks for the price, and signs and sends a payment; the same again as long as it is asked to. */
async function payPatiently(
  account: PrivateKeyAccount,
  url: string,
  init: RequestInit,
  isOver: (paid: Paid, tries: number) => boolean,
): Promise<Paid> {
  let payment: PaymentPayload | undefined;
  const openUntil = performance.now() + OPEN_MS;
  for (let tries = 1; ; tries += 1) {
    const response = payment ? await send(url, payment, init) : await fetch(url, init);
    const body = await response.text();
    if (response.status === 402) {
      // The first price, or one that ended with the answer behind it.
      payment = await signPayment(account, paymentRequiredSchema.parse(JSON.parse(body)));
      continue;
    }
    const code = response.ok ? undefined : (JSON.parse(body) as { code?: string }).code;
    if (response.status === 503 && !(Number(response.headers.get("retry-after")) > 0))
      throw new Error(`a 503 does not say when to ask again: ${code}`);
    const paid = { status: response.status, code, payment };
    if (isOpen(code) ? performance.now() > openUntil : isOver(paid, tries)) return paid;
    await sleep(PAUSE_MS);
  }
}

/** Pays once; throws where money and answer do not agree, or a number of the settler was left out. */
async function payFor(
  service: TestService,
  account: PrivateKeyAccount,
  url: string,
  init: RequestInit = {},
  sold = 200,
): Promise<MoneyOutcome> {
  const before = await balanceOf(service, account.address);
  const isOver = ({ status }: Paid, tries: number) => status === sold || tries >= TRIES;
  const { status, code, payment } = await payPatiently(account, url, init, isOver);
  const taken = before - (await balanceOf(service, account.address));
  const owed = status === sold ? BigInt(payment?.accepted.amount ?? 0) : 0n;
  if (taken !== owed) throw new Error(`${taken} was taken, and ${owed} is owed for ${status} ${code}`);
  await expectNoGap(service);
  if (status === sold) return sold === 201 ? "opened" : "settled";
  // An outcome that stays open is no refusal.
  return status === 503 && !isOpen(code) ? "503" : `${status} ${code}`;
}

/** The settlement's outcome is lost once, as when a process dies; what was paid for must arrive all the same. */
async function payThroughLoss(
  service: TestService,
  payer: string,
  lose: (settle: () => Promise<SettleOutcome>) => Promise<unknown>,
): Promise<MoneyOutcome> {
  const { facilitator } = service.context;
  const { settle } = facilitator;
  const account = accountOf(service, payer);
  let isLost = false;
  facilitator.settle = async (...args) => {
    if (isLost || args[0].payload.authorization.from !== account.address) return settle(...args);
    isLost = true;
    await lose(() => settle(...args));
    return { status: "unknown", reason: "the answer was lost" };
  };
  return payFor(service, account, metadataUrl(service));
}

/** Every number that the settler has given out is mined. */
async function expectNoGap({ chainOf, context }: TestService): Promise<void> {
  const address = /0x[0-9a-fA-F]{40}/.exec(context.facilitator.description)?.[0];
  const count = (tag: string) => chainOf.request<Hex>("eth_getTransactionCount", [address, tag]);
  for (let waited = 0; waited < 10_000; waited += 100) {
    const [mined, pending] = await Promise.all([count("latest"), count("pending")]);
    if (mined === pending) return;
    await sleep(100);
  }
  throw new Error("a transaction of the settler is not mined");
}

const headOf = async ({ chainOf }: TestService) => Number(await chainOf.request<Hex>("eth_blockNumber"));

/** Over three blocks that every node has had time to see. */
async function openClaim(service: TestService): Promise<MoneyOutcome> {
  const account = accountOf(service, "erin");
  const { upgradeableProxy: address, boxV1: implementation } = service.chainOf.contracts;
  const toBlock = (await headOf(service)) - 4;
  const terms = { wallet: account.address, address, implementation, fromBlock: toBlock - 2, toBlock };
  const body = { ...terms, rewardUsd: 1, deadline: hoursAhead(2) };
  return payFor(service, account, claimsUrl(service.url), asPost(body), 201);
}

/** A false claim and its counterexample. */
async function challenge(service: TestService): Promise<MoneyOutcome> {
  const { upgradeableProxy: address, boxV1, boxV2 } = service.chainOf.contracts;
  const toBlock = (await headOf(service)) - 4;
  const window = { fromBlock: toBlock - 2, toBlock };
  const claimId = await insertClaim(service.db, {
    type: "upgrade_window",
    address: address as Hex,
    implementation: boxV2 as Hex,
    ...window,
  });
  const evidence = { block: toBlock, implementation: getAddress(boxV1) };
  const challenger = privateKeyToAccount(service.chainOf.deployer.privateKey);
  for (let tries = 1; ; tries += 1) {
    const { status, body } = await sendChallenge(service.url, challenger, claimId, evidence);
    if (status === 201) return "upheld";
    if (status !== 503) return `${status} ${body.code ?? body.resolution}`;
    if (tries >= TRIES) return "503";
    await sleep(PAUSE_MS);
  }
}
