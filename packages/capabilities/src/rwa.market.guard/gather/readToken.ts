import type { CallRead } from "@assay/chain";
import { type Hex, keccak256, noAnswer, type Reading } from "@assay/protocol";
import { stringToHex, zeroHash } from "viem";
import type { GatherContext } from "../../gathering.js";
import type { ListedAsset } from "../../shared/issuers/listedAsset.js";
import { LABEL_ANSWER_BYTES } from "../../shared/labels/labelAnswer.js";
import { parsePools, readPools } from "../../shared/pools/gather/findPools.js";
import { withUniswapOnly } from "../../shared/pools/launchVenues.js";
import { type Batch, createBatch } from "../../shared/reads/gather/createBatch.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../shared/reads/gather/cutAnswer.js";
import { type AccountReadings, readAccounts } from "../../shared/reads/gather/readAccounts.js";
import { gasPriceAt, priceRead } from "../../shared/simulation/gather/simulatedFees.js";
import { B20_FACTORY } from "../judgeB20.js";
import { BASE_SEQUENCER_FEED, ROUND_ANSWER_BYTES } from "../judgeFeed.js";
import { ERC3643_AUTHORITY_SLOT } from "../judgeUpgrade.js";
import type { RwaMarketReadings } from "../readings.js";
import { callAsset } from "./assetCalls.js";

/** More than these calls need, and a bound on the gas that a hostile token may burn. */
const STRANGER_GAS = 1_000_000;
/** The feature of a native token that covers transfers. */
const B20_TRANSFERS = 0;

const SENDER_POLICY = keccak256(stringToHex("TRANSFER_SENDER_POLICY"));
const RECEIVER_POLICY = keccak256(stringToHex("TRANSFER_RECEIVER_POLICY"));

export interface Question {
  readonly address: Hex;
  readonly listed: ListedAsset | null;
  /** Accounts that nobody can have prepared: their addresses follow from the block's hash. */
  readonly strangers: { readonly from: Hex; readonly to: Hex };
}

/** What the token, the chain's factory and the feeds answered in the first batch. */
export interface TokenReadings
  extends Pick<RwaMarketReadings, "labels" | "totalSupply" | "cap" | "stranger" | "feed" | "pools"> {
  readonly account: AccountReadings | undefined;
  readonly authoritySlot: Reading<Hex>;
  readonly roles: Omit<RwaMarketReadings["roles"], "admin">;
  readonly erc3643: Pick<RwaMarketReadings["erc3643"], "identityRegistry" | "compliance" | "strangerIsAgent">;
  readonly restriction: Reading<Hex>;
  readonly b20: Omit<RwaMarketReadings["b20"], "senderAllowed" | "receiverAllowed">;
}

/** One batch about the token itself. */
export async function readToken(context: GatherContext, question: Question): Promise<TokenReadings> {
  const { address, strangers } = question;
  const batch = createBatch();
  const basics = askBasics(batch, question);
  const b20 = askB20(batch, address);
  const stranger = askStranger(batch, context, question);
  const feed = askFeed(batch, question.listed);
  const pools = batch.ask(readPools(withUniswapOnly(context.launchVenues), address, strangers.from));
  const { accounts, others } = await readAccounts(
    context,
    [{ address, slots: [ERC3643_AUTHORITY_SLOT] }],
    batch.reads,
  );
  batch.settle(others);
  return {
    account: accounts[0],
    authoritySlot: accounts[0]?.slots[0] ?? noAnswer,
    ...basics(),
    b20: b20(),
    stranger: stranger(),
    feed: feed(),
    pools: parsePools(withUniswapOnly(context.launchVenues), address, pools()),
  };
}

/** Adds the call now; the returned function reads the answer later, cut to its bound. */
const cutTo =
  (batch: Batch, maxBytes: number) =>
  (read: CallRead): (() => Reading<Hex>) => {
    const answer = batch.ask(read);
    return () => cutAnswer(answer(), maxBytes);
  };

function askBasics(batch: Batch, { address, listed, strangers: { from, to } }: Question) {
  const word = cutTo(batch, WORD_ANSWER_BYTES);
  const label = cutTo(batch, LABEL_ANSWER_BYTES);
  const name = label(callAsset(address, "name"));
  const symbol = label(callAsset(address, "symbol"));
  const totalSupply = word(callAsset(address, "totalSupply"));
  const cap = word(callAsset(address, "cap"));
  const defaultAdmin = word(callAsset(address, "defaultAdmin"));
  const firstMember = word(callAsset(address, "getRoleMember", [zeroHash, 0n]));
  const strangerRole = word(callAsset(address, "hasRole", [zeroHash, from]));
  const admins = (listed?.admins ?? []).map((admin) => ({
    admin,
    hasRole: word(callAsset(address, "hasRole", [zeroHash, admin])),
  }));
  const identityRegistry = word(callAsset(address, "identityRegistry"));
  const compliance = word(callAsset(address, "compliance"));
  const strangerIsAgent = word(callAsset(address, "isAgent", [from]));
  const restriction = word(callAsset(address, "detectTransferRestriction", [from, to, 1n]));
  return () => ({
    labels: { name: name(), symbol: symbol() },
    totalSupply: totalSupply(),
    cap: cap(),
    roles: {
      defaultAdmin: defaultAdmin(),
      firstMember: firstMember(),
      listed: admins.map(({ admin, hasRole }) => ({ address: admin, hasRole: hasRole() })),
      stranger: strangerRole(),
    },
    erc3643: {
      identityRegistry: identityRegistry(),
      compliance: compliance(),
      strangerIsAgent: strangerIsAgent(),
    },
    restriction: restriction(),
  });
}

function askB20(batch: Batch, address: Hex) {
  const word = cutTo(batch, WORD_ANSWER_BYTES);
  const isKnown = word(callAsset(B20_FACTORY, "isB20", [address]));
  const isInitialized = word(callAsset(B20_FACTORY, "isB20Initialized", [address]));
  const transfersPaused = word(callAsset(address, "isPaused", [B20_TRANSFERS]));
  const supplyCap = word(callAsset(address, "supplyCap"));
  const senderPolicy = word(callAsset(address, "policyId", [SENDER_POLICY]));
  const receiverPolicy = word(callAsset(address, "policyId", [RECEIVER_POLICY]));
  return () => ({
    isKnown: isKnown(),
    isInitialized: isInitialized(),
    transfersPaused: transfersPaused(),
    supplyCap: supplyCap(),
    senderPolicy: senderPolicy(),
    receiverPolicy: receiverPolicy(),
  });
}

/** What a fresh account is allowed to do, at a gas price that a wallet would offer. */
function askStranger(batch: Batch, context: GatherContext, { address, strangers }: Question) {
  const { from, to } = strangers;
  const gasPrice = gasPriceAt(context.block);
  const word = cutTo(batch, WORD_ANSWER_BYTES);
  const act = (...call: Parameters<typeof callAsset> extends [Hex, ...infer Rest] ? Rest : never) =>
    word(priceRead({ ...callAsset(address, ...call), from, gas: STRANGER_GAS }, gasPrice, { heldWei: 0n }));
  // Zero units: neither account holds any, and ERC-20 treats such a transfer as any other.
  const transfer = act("transfer", [to, 0n]);
  const mint = act("mint", [from, 1n]);
  const pause = act("pause");
  const freeze = act("setAddressFrozen", [to, true]);
  const seize = act("forcedTransfer", [to, from, 0n]);
  return () => ({
    from,
    to,
    transfer: transfer(),
    mint: mint(),
    pause: pause(),
    freeze: freeze(),
    seize: seize(),
  });
}

/** Reads the price feed and the sequencer's feed, only where the operator's list names a feed. */
function askFeed(batch: Batch, listed: ListedAsset | null): () => RwaMarketReadings["feed"] {
  if (!listed?.feed) return () => null;
  const round = cutTo(batch, ROUND_ANSWER_BYTES);
  const latestRound = round(callAsset(listed.feed.address, "latestRoundData"));
  const decimals = cutTo(batch, WORD_ANSWER_BYTES)(callAsset(listed.feed.address, "decimals"));
  const sequencer = round(callAsset(BASE_SEQUENCER_FEED, "latestRoundData"));
  return () => ({
    latestRound: latestRound(),
    decimals: decimals(),
    sequencerRound: sequencer(),
  });
}
