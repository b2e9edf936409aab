import type { CallRead, ChainLog, ChainRead } from "@assay/chain";
import {
  ETHER_USD_FEED,
  type Hex,
  LATEST_ROUND_DATA,
  mapReading,
  noAnswer,
  type Reading,
  valueReading,
} from "@assay/protocol";
import type { GatherContext, Gatherer } from "../../gathering.js";
import { canonicalTokens } from "../../shared/chain-facts/canonicalTokens.js";
import {
  describeParty,
  findImplementation,
  type ReadParty,
} from "../../shared/effects/gather/describeParty.js";
import { describeHistory, historyReads } from "../../shared/effects/gather/readHistory.js";
import type { Execution } from "../../shared/intents/gather/execution.js";
import { gatherTransaction } from "../../shared/intents/gather/gatherTransaction.js";
import { askPools, listUnpriced, parsePools } from "../../shared/intents/gather/readPoolPrices.js";
import { askToken, parseToken } from "../../shared/intents/gather/tokenReads.js";
import { isItem } from "../../shared/intents/weighOffer.js";
import { readProgram } from "../../shared/machine/gather/readProgram.js";
import { findParty, registryVersion } from "../../shared/parties/findParty.js";
import { knownSlots } from "../../shared/proxies/knownSlots.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../shared/reads/gather/cutAnswer.js";
import { readAccounts } from "../../shared/reads/gather/readAccounts.js";
import { unique } from "../../shared/verdict/note.js";
import { encodeCall, NATIVE_MARK, ZERO } from "../forms/form.js";
import type { MessageIntentInput } from "../input.js";
import { dearTokens } from "../judgeVoucher.js";
import type { Meaning, SignedRun } from "../meaning.js";
import type { MessageIntentReadings } from "../readings.js";
import { readMessage } from "../readMessage.js";
import { isAddressValue } from "../typedDocument.js";
import { namedDomains, type VenueName, venueNames, venues } from "../venues.js";

type Readings = MessageIntentReadings;

const DOMAIN_SEPARATOR: Hex = "0x3644e515";
const DOMAIN_SEPARATOR_CAMEL: Hex = "0xf698da25";
const EIP712_DOMAIN: Hex = "0x84b0196e";
const DESCRIPTION_BYTES = 1024;
/** Permit2 answers an allowance with three words. */
const NONCE_BYTES = 96;
const MAX_PARTIES = 16;
const MAX_TOKENS = 8;
const partySlots = [knownSlots.eip1967Implementation, knownSlots.safeSingleton];
/** Enough for whatever a forwarder or an entry point passes on. */
const LENT_WEI = 10n ** 21n;
/** A Safe keeps its threshold there. */
const THRESHOLD_SLOT: Hex = `0x${"4".padStart(64, "0")}`;
const ONE: Hex = `0x${"1".padStart(64, "0")}`;

/** What the message names is read in one batch; what it makes happen is run beside it as a transaction is. */
async function gatherMessage(context: GatherContext, input: MessageIntentInput): Promise<Readings> {
  const meaning = readMessage(input, venues);
  const { number, hash, timestamp } = context.block;
  const [read, run] = await Promise.all([
    readNamed(context, input, meaning),
    meaning.run && gatherTransaction(context, meaning.run.judged, toExecution(meaning.run)),
  ]);
  return {
    block: { number, hash, timestamp },
    registryVersion,
    venues: recordVenues(),
    named: findNamed(input),
    ...read,
    run,
  };
}

const recordVenues = (): Readings["venues"] => {
  const entries = venueNames.map((name): [VenueName, Hex[]] => [name, [...venues[name]]]);
  return Object.fromEntries(entries) as Readings["venues"];
};

function toExecution({ caller, steps, judged, lendsToCaller, safe }: SignedRun): Execution {
  const overrides = {
    ...(lendsToCaller ? { [caller]: { balance: LENT_WEI } } : {}),
    ...(safe === null ? {} : { [safe]: { stateDiff: { [THRESHOLD_SLOT]: ONE } } }),
  };
  return {
    caller,
    steps: steps.map(({ to, data, value }) => ({ to, data, value: BigInt(value) })),
    takesExit: caller === judged.from && safe === null,
    ...(Object.keys(overrides).length === 0 ? {} : { overrides }),
  };
}

/** The contracts that may have the name of this domain, where it is a name that is worth imitating. */
function findNamed({ typedData }: MessageIntentInput): Readings["named"] {
  const name = typedData?.domain.name;
  if (typeof name !== "string") return null;
  const domain = namedDomains.find((one) => one.name.toLowerCase() === name.trim().toLowerCase());
  if (domain) return { name: domain.name, addresses: [...venues[domain.venue]] };
  const token = canonicalTokens.find(
    (one) => one.address !== null && one.name.toLowerCase() === name.trim().toLowerCase(),
  );
  return token?.address ? { name: token.name, addresses: [token.address.toLowerCase() as Hex] } : null;
}

const view = (to: Hex, data: Hex): CallRead => ({ kind: "call", to, data });

async function readNamed(
  context: GatherContext,
  { signer, typedData }: MessageIntentInput,
  meaning: Meaning,
) {
  const { block } = context;
  const verifier = typedData?.domain.verifyingContract;
  const owner = meaning.owner ?? signer;
  const addresses = listParties(meaning, signer, verifier);
  const tokens = listTokens(meaning).slice(0, MAX_TOKENS);
  const isVoucher = meaning.nonce?.kind === "channel";
  const given = isVoucher ? [...dearTokens] : listGiven(meaning).slice(0, MAX_TOKENS);
  const gives = meaning.trades.flatMap((trade) => trade.gives);
  const sold = new Set(gives.map(({ token }) => token));
  const items = new Set(gives.filter(isItem).map(({ token }) => token));
  const reads: ChainRead[] = [];
  const ask = <T = Hex>(read: ChainRead) => {
    const at = reads.push(read) - 1;
    return (answers: readonly Reading<unknown>[]) => (answers[at] ?? noAnswer) as Reading<T>;
  };
  const nonces = addresses.map((address) => ask({ kind: "nonce", address }));
  const domain = isAddressValue(verifier)
    ? [DOMAIN_SEPARATOR, DOMAIN_SEPARATOR_CAMEL, EIP712_DOMAIN].map((data) => ask(view(verifier, data)))
    : null;
  const nonce = meaning.nonce && ask(askNonce(meaning.nonce));
  const { account } = meaning;
  const command = account === null ? null : askCommand(account, signer).map((read) => ask(read));
  const labels = tokens.map((token) =>
    askToken(token, sold.has(token), items.has(token)).map((read) => ask(read)),
  );
  const holder = isVoucher ? (meaning.nonce?.target ?? owner) : owner;
  const balances = given.map((token) =>
    ask(
      token === NATIVE_MARK
        ? { kind: "balance", address: owner }
        : view(token, encodeCall("balanceOf(address holder)", [holder])),
    ),
  );
  const unpriced = listUnpriced(tokens);
  const pools = unpriced.map((token) => ask(askPools(context.launchVenues, token)));
  const etherPrice = ask(view(ETHER_USD_FEED, LATEST_ROUND_DATA));
  const isHistoryNeeded = addresses.some((address) => address !== owner);
  const history = isHistoryNeeded
    ? historyReads(owner, block.number).map((read) => ask<readonly ChainLog[]>(read))
    : [];
  const { accounts, others } = await readAccounts(
    context,
    addresses.map((address) => ({ address, slots: partySlots })),
    reads,
  );
  const read = addresses.map(
    (address, index): ReadParty => ({
      address,
      code: accounts[index]?.code ?? noAnswer,
      slots: accounts[index]?.slots ?? [],
      nonce: mapReading(nonces[index]?.(others) ?? noAnswer, (quantity) => BigInt(quantity).toString()),
      keeps: null,
      wallet: null,
    }),
  );
  const cut = (answer: ((answers: readonly Reading<unknown>[]) => Reading<Hex>) | undefined, bytes: number) =>
    cutAnswer(answer?.(others) ?? noAnswer, bytes);
  return {
    domain: domain && {
      separator: cut(domain[0], WORD_ANSWER_BYTES),
      alternative: cut(domain[1], WORD_ANSWER_BYTES),
      description: cut(domain[2], DESCRIPTION_BYTES),
    },
    nonce: nonce && cutAnswer(toWord(nonce(others)), NONCE_BYTES),
    command: command && {
      isOwner: cut(command[0], WORD_ANSWER_BYTES),
      isOwnerAddress: cut(command[1], WORD_ANSWER_BYTES),
      owner: cut(command[2], WORD_ANSWER_BYTES),
    },
    parties: await describeParties(context, read),
    tokens: tokens.map((token, index) =>
      parseToken(
        token,
        (labels[index] ?? []).map((answer) => answer(others)),
      ),
    ),
    balances: given.map((token, index) => ({
      token,
      holder,
      balance:
        token === NATIVE_MARK
          ? toWord(balances[index]?.(others) ?? noAnswer)
          : cut(balances[index], WORD_ANSWER_BYTES),
    })),
    history: describeHistory(
      block.number,
      history.map((answer) => answer(others)),
    ),
    etherPrice: cutAnswer(etherPrice(others), 160),
    poolPrices: unpriced.map((token, index) =>
      parsePools(context.launchVenues, token, pools[index]?.(others) ?? noAnswer),
    ),
    delegateSigns: await readSigns(meaning, read),
  } satisfies Partial<Readings>;
}

async function describeParties(
  { chain, block }: GatherContext,
  parties: readonly ReadParty[],
): Promise<Readings["parties"]> {
  const isRead = (address: Hex) => parties.some((one) => one.address === address);
  const behind = unique(parties.map(findImplementation))
    .filter((address) => address !== null)
    .filter((address) => !isRead(address) && findParty(address)?.role !== "token");
  const codes: readonly Reading<Hex>[] =
    behind.length === 0
      ? []
      : await chain.readAt(
          block,
          behind.map((address) => ({ kind: "code", address }) as const),
        );
  const codeOf = new Map<Hex, Reading<Hex>>([
    ...parties.map(({ address, code }) => [address, code] as const),
    ...behind.map((address, index) => [address, codes[index] ?? noAnswer] as const),
  ]);
  return parties.map((party) => {
    const implementation = findImplementation(party);
    return describeParty(party, implementation === null ? noAnswer : codeOf.get(implementation));
  });
}

/** An account's own nonce is a quantity; contracts answer in words. */
const toWord = (answer: Reading<Hex>): Reading<Hex> =>
  mapReading(answer, (value): Hex => (value.length < 66 ? `0x${value.slice(2).padStart(64, "0")}` : value));

const askNonce = ({ target, data }: NonNullable<Meaning["nonce"]>): ChainRead =>
  data === "0x" ? { kind: "nonce", address: target } : view(target, data);

/** By the names that Safe, Coinbase's wallet and most other accounts have for it. */
const askCommand = (account: Hex, signer: Hex): ChainRead[] => [
  view(account, encodeCall("isOwner(address owner)", [signer])),
  view(account, encodeCall("isOwnerAddress(address owner)", [signer])),
  view(account, encodeCall("owner()", [])),
];

function listParties(meaning: Meaning, signer: Hex, verifier: unknown): Hex[] {
  const { owner, parties, delegate, account, payment, trades } = meaning;
  const recipients = trades.flatMap(({ gets }) => gets.map(({ to }) => to));
  // An item of a published contract may stand for a deposit there.
  const items = trades.flatMap(({ gives }) =>
    gives.flatMap(({ kind, token }) => (kind === "erc721" || kind === "erc1155" ? [token] : [])),
  );
  return unique(
    [signer, verifier, owner, delegate, account, payment?.to, ...parties, ...items, ...recipients].filter(
      isAddressValue,
    ),
  )
    .filter((address) => address !== ZERO)
    .slice(0, MAX_PARTIES);
}

const listTokens = ({ payment, trades }: Meaning): Hex[] =>
  unique(
    [
      payment?.token,
      ...trades.flatMap(({ gives, gets }) => [...gives, ...gets].map(({ token }) => token)),
    ].filter(isAddressValue),
  );

/** Tokens that the message pays or offers, of which the owner's balance matters; the mark stands for ether. */
const listGiven = ({ payment, trades }: Meaning): Hex[] =>
  unique(
    [
      payment?.token === null ? NATIVE_MARK : payment?.token,
      ...trades.flatMap(({ gives }) => gives.flatMap(({ kind, token }) => (kind === "erc20" ? [token] : []))),
    ].filter(isAddressValue),
  );

async function readSigns(
  { delegate }: Meaning,
  parties: readonly ReadParty[],
): Promise<Readings["delegateSigns"]> {
  if (delegate === null) return null;
  const code = parties.find(({ address }) => address === delegate)?.code ?? noAnswer;
  if (code.status !== "value") return code;
  const program = await readProgram(code.value);
  return valueReading(program === null ? null : [...program.signs]);
}

export const gatherer: Gatherer<MessageIntentInput, MessageIntentReadings> = {
  // Nothing is kept: what a caller is about to sign is private.
  gather: async (context, input) => ({ readings: await gatherMessage(context, input) }),
};
