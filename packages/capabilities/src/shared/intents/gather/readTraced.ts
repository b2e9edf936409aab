import { type Hex, mapReading, noAnswer, type Reading } from "@assay/protocol";
import type { GatherContext } from "../../../gathering.js";
import { describeParty, findImplementation, type ReadParty } from "../../effects/gather/describeParty.js";
import { listMovements, netMovements, ZERO_ADDRESS } from "../../effects/movements.js";
import { findParty } from "../../parties/findParty.js";
import { readAccounts } from "../../reads/gather/readAccounts.js";
import { unique } from "../../verdict/note.js";
import type { TransactionPlan } from "../intentCase.js";
import type { TransactionIntentReadings } from "../transactionReadings.js";
import { askPools, listUnpriced, parsePools } from "./readPoolPrices.js";
import { askToken, parseToken } from "./tokenReads.js";

type Readings = TransactionIntentReadings;
const MAX_FOUND = 10;

/** What only the trace names: tokens that come or go, who has them at the end, and code behind proxies. */
export async function readTraced(
  context: GatherContext,
  plan: TransactionPlan,
  trace: Readings["trace"],
  read: readonly ReadParty[],
  { tokens, poolPrices }: Pick<Readings, "tokens" | "poolPrices">,
): Promise<Pick<Readings, "parties" | "tokens" | "poolPrices">> {
  const found = trace.status === "value" ? listFound(plan, trace.value) : { tokens: [], parties: [] };
  const isRead = (address: Hex) => read.some((one) => one.address === address);
  const newTokens = found.tokens
    .filter((token) => !tokens.some((one) => one.token === token))
    .slice(0, MAX_FOUND);
  const newParties = found.parties.filter((address) => !isRead(address)).slice(0, MAX_FOUND);
  const unpriced = listUnpriced(newTokens);
  const implementations = unique(read.map(findImplementation))
    .filter((address) => address !== null)
    .filter((address) => !isRead(address) && findParty(address)?.role !== "token");
  const others = [
    ...implementations.map((address) => ({ kind: "code", address }) as const),
    ...newParties.map((address) => ({ kind: "nonce", address }) as const),
    ...newTokens.flatMap((token) => askToken(token, false)),
    ...unpriced.map((token) => askPools(context.launchVenues, token)),
  ];
  // The code of each party is a fact of the answer, so it is read with its proof.
  const requests = newParties.map((address) => ({ address, slots: [] }));
  const { accounts, others: answers } =
    requests.length + others.length === 0
      ? { accounts: [], others: [] }
      : await readAccounts(context, requests, others);
  const noncesAt = implementations.length;
  const tokensAt = noncesAt + newParties.length;
  const pricesAt = tokensAt + newTokens.length * 2;
  const all: ReadParty[] = [
    ...read,
    ...newParties.map((address, index) => ({
      address,
      code: accounts[index]?.code ?? noAnswer,
      slots: [],
      nonce: mapReading(answers[noncesAt + index] ?? noAnswer, (quantity) => BigInt(quantity).toString()),
      keeps: null,
      wallet: null,
    })),
  ];
  const behind = new Map<Hex, Reading<Hex>>([
    ...all.map(({ address, code }) => [address, code] as const),
    ...implementations.map((address, index) => [address, answers[index] ?? noAnswer] as const),
  ]);
  return {
    parties: all.map((party) => {
      const implementation = findImplementation(party);
      return describeParty(party, implementation === null ? noAnswer : behind.get(implementation));
    }),
    poolPrices: [
      ...poolPrices,
      ...unpriced.map((token, index) =>
        parsePools(context.launchVenues, token, answers[pricesAt + index] ?? noAnswer),
      ),
    ],
    tokens: [
      ...tokens,
      ...newTokens.map((token, index) =>
        parseToken(token, answers.slice(tokensAt + index * 2, tokensAt + index * 2 + 2)),
      ),
    ],
  };
}

function listFound(
  { measurements, listed }: TransactionPlan,
  { moves, logs }: Extract<Readings["trace"], { status: "value" }>["value"],
) {
  const net = netMovements(listMovements(moves, logs));
  const ofHolders = net.filter(({ holder }) => measurements.holders.includes(holder));
  const tokens = unique(ofHolders.flatMap(({ asset }) => (asset.token === null ? [] : [asset.token])));
  const hasLoss = ofHolders.some(({ change }) => change < 0n);
  const hasGain = ofHolders.some(({ change }) => change > 0n);
  // Who else gains or loses matters where the sender gets nothing for what leaves, or the function is not known.
  const matters = (hasLoss && !hasGain) || listed.unknownCalls.length > 0;
  const parties = matters
    ? unique(net.map(({ holder }) => holder)).filter((holder) => holder !== ZERO_ADDRESS)
    : [];
  return { tokens, parties };
}
