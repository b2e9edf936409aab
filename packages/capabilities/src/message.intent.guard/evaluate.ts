import type { Hex } from "@assay/protocol";
import { describeEffects, leadSentence } from "../shared/intents/describeEffects.js";
import { describeActs, describeCalldata } from "../shared/intents/describeIntent.js";
import { evaluateTransactionIntent, transactionLimitations } from "../shared/intents/evaluateTransaction.js";
import { groupFlows } from "../shared/intents/groupFlows.js";
import type { IntentCase } from "../shared/intents/intentCase.js";
import { isKnownAsset, isSmallSum } from "../shared/intents/priceAssets.js";
import type { Evaluation } from "../shared/verdict/evaluation.js";
import { decidingSentences, unique, worstVerdict } from "../shared/verdict/note.js";
import { describeMessage, tellPayment } from "./describeMessage.js";
import type { MessageIntentInput } from "./input.js";
import { judgeDomain } from "./judgeDomain.js";
import { judgeDataToNoCode } from "./judgeEmptyAccounts.js";
import { judgeGrants } from "./judgeGrants.js";
import { judgeTrades, tellTrades } from "./judgeTrades.js";
import { judgeUse } from "./judgeUse.js";
import type { Meaning } from "./meaning.js";
import { type MessageCase, type Notes, openMessageCase } from "./messageCase.js";
import type { MessageIntentReadings } from "./readings.js";
import { type MessageIntentCode, messageIntentReasons } from "./reasons.js";

const ALWAYS = [
  "The verdict is about exactly the message in findings.binding, signed by this signer; any other message needs another one.",
  "True at the stated block; state, prices and code can change in any later one, and a signature may be used much later.",
  "A form is recognised by the hash of its type. What a contract of another protocol does with the same type is not known.",
  "Values in dollars are those of ether (by its feed), wrapped ether and dollar coins; what other assets are worth is not judged.",
  "Names of parties come from a registry of published contracts, compared by code where a hash is published.",
  "Which site or program asks for the signature is known only where the caller says so.",
  "State proofs cover code and slots that were read directly; what calls and runs answered is as the node gave it.",
];

/** What the name of a type promises, which only a contract that is known to keep it makes true. */
const harmless: ReadonlySet<MessageIntentCode> = new Set<MessageIntentCode>([
  "VOTE_ONLY",
  "VOTES_TO_SELF",
  "PERMISSION_ENDS",
  "TEXT_READABLE",
]);
const doubts: ReadonlySet<MessageIntentCode> = new Set<MessageIntentCode>([
  "VERIFIER_UNKNOWN",
  "VERIFIER_MISSING",
  "VERIFIER_HAS_NO_CODE",
]);

/** Judges a message before it is signed: what it lets whom do, until when, and what that does when it is run. */
export function evaluateMessageIntent(input: MessageIntentInput, readings: MessageIntentReadings) {
  const one = openMessageCase(input, readings);
  const { notes: domainNotes, domain } = judgeDomain(one);
  const ran = judgeRun(one);
  const isVouchedFor = domainNotes.every(({ code }) => !doubts.has(code));
  const notes: Notes = [
    ...one.meaning.notes.filter(({ code }) => isVouchedFor || !harmless.has(code)),
    ...domainNotes,
    ...judgeUse(one),
    ...judgeTrades(one),
    ...judgeGrants(one),
    ...ran.notes,
    ...noteUnread(one),
  ];
  const lead = tellLead(one, ran.lead);
  return {
    verdict: worstVerdict(notes, messageIntentReasons),
    reasonCodes: unique(notes.map(({ code }) => code)),
    summary: `${lead} ${decidingSentences(notes, messageIntentReasons)}`,
    findings: { ...describeMessage(one), domain, run: ran.findings },
    limitations: unique([
      ...ALWAYS,
      ...ran.limitations,
      ...notes.flatMap(({ limitation }) => limitation ?? []),
    ]),
  } satisfies Evaluation;
}

/** What the signature makes happen, judged by the rule for transactions. */
function judgeRun({ meaning, readings, run }: MessageCase) {
  if (meaning.run === null) return { notes: [], limitations: [], lead: null, findings: null };
  if (run === null || readings.run === null) {
    const notes: Notes = [{ code: "RUN_NOT_JUDGED" }];
    return { notes, limitations: [], lead: null, findings: null };
  }
  const { judged } = meaning.run;
  const { reasonCodes, findings, limitations } = evaluateTransactionIntent(judged, readings.run);
  const isUntraced = readings.run.trace.status === "absent" && isPublishedOnly(run);
  const dataToNoCode = judgeDataToNoCode(meaning.run, run, findMade(meaning));
  const codes = reasonCodes.filter(
    (code) => code !== "CALLDATA_TO_NO_CODE" && !(isUntraced && code === "SIMULATION_RECOGNISABLE"),
  );
  const always = new Set(transactionLimitations);
  return {
    notes: [...codes.map((code) => ({ code: code as MessageIntentCode })), ...dataToNoCode],
    limitations: limitations.filter((sentence) => !always.has(sentence)),
    lead: leadSentence(run, findings.execution),
    findings: {
      caller: meaning.run.caller,
      execution: findings.execution,
      effects: describeEffects(run, findings.execution),
      calldata: describeCalldata(run),
      acts: describeActs(run),
    },
  };
}

/** The account that a factory makes in the run, which has code when it is called. A key's own account is none. */
const findMade = ({ operation, account }: Meaning): Hex | null =>
  operation !== null && operation.factory !== null ? account : null;

/** Published code has no reason to tell a simulation from a transaction; with a small sum, code beneath it may. */
function isPublishedOnly(run: IntentCase): boolean {
  const tokens = run.listed.acts.flatMap((act) => {
    if (act.kind === "swap") return [act.tokenIn, act.tokenOut];
    return act.kind === "approval" || act.kind === "transfer" || act.kind === "payout" ? [act.token] : [];
  });
  const isPublished = ({ to }: { readonly to: Hex }) =>
    ["known", "own", "account"].includes(run.viewParty(to).kind);
  if (!run.calls.every(isPublished)) return false;
  const isKnown = (token: Hex | null) =>
    isKnownAsset(run, { kind: token === null ? "native" : "erc20", token, id: null });
  // A token that only published routers call can take no more than they are given.
  return tokens.every(isKnown) || risksLittle(run);
}

/** Whether a small sum leaves, and no permission stays. */
function risksLittle(run: IntentCase): boolean {
  const flows = groupFlows(run, run.own);
  const isSpent = run.effects?.permissions.every(({ after }) => after === 0n) === true;
  return flows !== null && isSpent && isSmallSum(run, flows.leaves);
}

function tellLead(one: MessageCase, ran: string | null): string {
  const { title, inside, says, until } = one.meaning;
  const where = inside.length === 0 ? "" : ` inside ${inside.join(", inside ")}`;
  const end =
    until === null || BigInt(until) > 32_503_680_000n
      ? []
      : [`It ends at ${new Date(Number(until) * 1000).toISOString()}.`];
  return [
    `This is ${title}${where}.`,
    ...says,
    ...tellPayment(one),
    ...tellTrades(one),
    ...(ran === null ? [] : [ran]),
    ...end,
  ].join(" ");
}

/** Only what was read supports an allow. */
function noteUnread({
  readings: { parties, tokens, etherPrice, history, balances, poolPrices },
}: MessageCase): Notes {
  const isSilent = (reading: { readonly status: string } | null) => reading?.status === "unanswered";
  const unread = [
    ...parties.filter(({ code, nonce }) => [code, nonce].some(isSilent)).map(({ address }) => address),
    ...tokens
      .filter(({ symbol, decimals, isReceipt }) => [symbol, decimals, isReceipt].some(isSilent))
      .map(({ token }) => token),
    ...balances.filter(({ balance }) => isSilent(balance)).map(({ token }) => `what is held of ${token}`),
    ...poolPrices.filter(({ pools }) => isSilent(pools)).map(({ token }) => `the price of ${token}`),
    ...(isSilent(etherPrice) ? ["the price of ether"] : []),
  ];
  const notes: Notes =
    unread.length === 0
      ? []
      : [
          {
            code: "PARTY_UNREAD",
            limitation: `No node answered everything about ${unique(unread).join(", ")}.`,
          },
        ];
  if ([history?.paid, history?.payers, history?.amounts].some((one) => one?.status === "unanswered"))
    notes.push({ code: "HISTORY_UNREAD", limitation: "No node answered the search for earlier payments." });
  return notes;
}
