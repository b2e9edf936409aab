import { agentActionDomain, agentActions, type Hex } from "@assay/protocol";
import { decodeAbiParameters, parseAbiParameters } from "viem";
import { type Meaning, mean, type SignedCall } from "../meaning.js";
import type { TypedStruct } from "../typedDocument.js";
import { address, encodeCall, type Forms, type ReadForm, runAsOwner, structs, text } from "./form.js";

interface Spend {
  readonly token: Hex | null;
  readonly amount: string;
  /** Seconds. */
  readonly period?: string;
}

/** What an enforcer of MetaMask's delegation framework keeps the delegate to, and how its terms are read. */
interface Enforcer {
  readonly name: string;
  /** Whether what can be lost has an end: an amount, or one call that is written down. */
  readonly bounds: "amount" | "action" | "count" | "time" | "other";
  /** Token and amount in the terms. */
  readonly spends?: (terms: Hex) => Spend | undefined;
  readonly until?: (terms: Hex) => string | undefined;
  /** The calls that the terms write down to the byte. */
  readonly calls?: (terms: Hex) => readonly SignedCall[] | undefined;
}

const word = (terms: Hex, from: number, bytes: number): bigint | undefined => {
  const digits = terms.slice(2 + from * 2, 2 + (from + bytes) * 2);
  return digits.length === bytes * 2 ? BigInt(`0x${digits}`) : undefined;
};
const tokenAmount =
  (amountAt = 20) =>
  (terms: Hex) => {
    const amount = word(terms, amountAt, 32);
    return amount === undefined ? undefined : { token: terms.slice(0, 42) as Hex, amount: amount.toString() };
  };
/** Behind the amount stands the length of a period. */
const inPeriods =
  (spends: (terms: Hex) => Spend | undefined, periodAt: number) =>
  (terms: Hex): Spend | undefined => {
    const [spend, period] = [spends(terms), word(terms, periodAt, 32)];
    return spend && period !== undefined ? { ...spend, period: period.toString() } : undefined;
  };
const nativeAmount = (terms: Hex) => {
  const amount = word(terms, 0, 32);
  return amount === undefined ? undefined : { token: null, amount: amount.toString() };
};

/** Target, value and calldata without any padding. */
function readCall(terms: Hex): SignedCall[] | undefined {
  const value = word(terms, 20, 32);
  if (value === undefined) return undefined;
  return [{ to: terms.slice(0, 42) as Hex, value: value.toString(), data: `0x${terms.slice(106)}` }];
}

const executions = parseAbiParameters([
  "Execution[] executions",
  "struct Execution { address target; uint256 value; bytes callData; }",
]);

function readBatch(terms: Hex): SignedCall[] | undefined {
  try {
    const [calls] = decodeAbiParameters(executions, terms);
    if (calls.length === 0 || calls.length > MAX_EXACT_CALLS) return undefined;
    return calls.map(({ target, value, callData }) => ({
      to: target.toLowerCase() as Hex,
      value: value.toString(),
      data: callData,
    }));
  } catch {
    // Other terms than the enforcer takes: nothing can be done by them.
    return undefined;
  }
}
const MAX_EXACT_CALLS = 50;

/** By address, of release 1.3.0. */
const enforcers: Readonly<Record<Hex, Enforcer>> = {
  "0xf100b0819427117ecf76ed94b358b1a5b5c6d2fc": {
    name: "a largest amount of a token",
    bounds: "amount",
    spends: tokenAmount(),
  },
  "0x474e3ae7e169e940607cc624da8a15eb120139ab": {
    name: "an amount of a token in each period",
    bounds: "amount",
    spends: inPeriods(tokenAmount(), 52),
  },
  // Token, first amount, largest amount, amount per second.
  "0x56c97ae02f233b29fa03502ecc0457266d9be00e": {
    name: "a stream of a token",
    bounds: "amount",
    spends: tokenAmount(52),
  },
  "0xf71af580b9c3078fbc2bbf16fbb8eed82b330320": {
    name: "a largest amount of ether",
    bounds: "amount",
    spends: nativeAmount,
  },
  "0x9bc0faf4aca5ae429f4c06aeeac517520cb16bd9": {
    name: "an amount of ether in each period",
    bounds: "amount",
    spends: inPeriods(nativeAmount, 32),
  },
  "0xd10b97905a320b13a0608f7e9cc506b56747df19": { name: "a stream of ether", bounds: "amount" },
  "0x146713078d39ecc1f5338309c28405ccf85abfbb": {
    name: "one call, to the byte",
    bounds: "action",
    calls: readCall,
  },
  "0x1e141e455d08721dd5bcda1baa6ea5633afd5017": {
    name: "one batch of calls, to the byte",
    bounds: "action",
    calls: readBatch,
  },
  "0x99f2e9bf15ce5ec84685604836f71ab835dbbded": { name: "calldata, to the byte", bounds: "other" },
  "0x982fd5c86bbf425d7d1451f974192d4525113dfd": { name: "calldata of a batch, to the byte", bounds: "other" },
  "0x7f20f61b1f09b08d970938f6fa563634d65c4eeb": { name: "contracts that may be called", bounds: "other" },
  "0x2c21fd0cb9dc8445cb3fb0dc5e7bb0aca01842b5": { name: "functions that may be called", bounds: "other" },
  "0xc2b0d624c1c4319760c96503ba27c347f3260f55": { name: "part of the calldata", bounds: "other" },
  "0x92bf12322527caa612fd31a0e810472bbb106a8f": {
    name: "a largest value of ether in a call",
    bounds: "other",
  },
  "0x04658b29f6b82ed55274221a06fc97d318e25416": { name: "a number of calls", bounds: "count" },
  "0x1046bb45c8d673d4ea75321280db34899413c069": {
    name: "a time",
    bounds: "time",
    // Not before (16 bytes), then not after.
    until: (terms) => word(terms, 16, 16)?.toString(),
  },
  "0xe144b0b2618071b4e56f746313528a669c7e65c5": { name: "who may use it", bounds: "other" },
  "0xc8b5d93463c893401094cc70e66a206fb5987997": { name: "one use", bounds: "count" },
  "0xde4f2fac4b3d87a1d9953ca5fc09fca7f366254f": { name: "a nonce", bounds: "other" },
};

function readDelegation(message: TypedStruct, signer: Hex): Meaning {
  const caveats = structs(message.caveats).map(({ enforcer, terms }) => ({
    enforcer: enforcers[address(enforcer)],
    address: address(enforcer),
    terms: address(terms),
  }));
  const delegate = address(message.delegate);
  const calls = caveats
    .map(({ enforcer, terms }) => enforcer?.calls?.(terms))
    .find((one) => one !== undefined);
  const spends = caveats.flatMap(({ enforcer, terms }) => enforcer?.spends?.(terms) ?? []);
  const until = caveats
    .flatMap(({ enforcer, terms }) => enforcer?.until?.(terms) ?? [])
    .find((end) => end !== "0");
  const [spend] = spends;
  // Without a count, what is written down may be done again and again.
  const isCounted = caveats.some(({ enforcer }) => enforcer?.bounds === "count");
  const limits = caveats.map(({ enforcer, address: at }) => enforcer?.name ?? `the unknown enforcer ${at}`);
  return mean({
    form: "eip7710.delegation",
    title: "a delegation (EIP-7710)",
    owner: address(message.delegator),
    venue: "delegations",
    until: until ?? null,
    canEnd: true,
    notes: [
      {
        code:
          caveats.length === 0
            ? "DELEGATES_EVERYTHING"
            : spend || (calls && isCounted)
              ? "DELEGATION_BOUNDED"
              : "DELEGATION_LOOSE",
      },
      ...(caveats.some(({ enforcer }) => enforcer === undefined)
        ? [{ code: "ENFORCER_UNKNOWN" as const }]
        : []),
    ],
    payment: spend ? { ...spend, to: delegate, isDeposit: false } : null,
    // What is written down to the byte is judged as if it were done.
    run: calls && !spend ? runAsOwner(address(message.delegator), calls) : null,
    parties: [delegate],
    says: [
      `Lets ${delegate} act for ${address(message.delegator)}${limits.length === 0 ? " without any limit" : `, kept to: ${limits.join("; ")}`}.`,
    ],
    account: address(message.delegator) === signer ? null : address(message.delegator),
  });
}

/** Permissions to act for an account, and votes. */
export const delegationForms: Forms = {
  "Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)Caveat(address enforcer,bytes terms)":
    ({ message, signer }) => readDelegation(message, signer),
  "SpendPermission(address account,address spender,address token,uint160 allowance,uint48 period,uint48 start,uint48 end,uint256 salt,bytes extraData)":
    ({ message, signer }) =>
      mean({
        form: "coinbase.spendPermission",
        title: "a spend permission of a Coinbase Smart Wallet",
        owner: address(message.account),
        venue: "spendPermissions",
        until: text(message.end),
        canEnd: true,
        notes: [
          {
            code:
              BigInt(text(message.allowance)) >= 2n ** 159n ? "DELEGATES_EVERYTHING" : "DELEGATION_BOUNDED",
          },
        ],
        payment: {
          token: address(message.token),
          to: address(message.spender),
          amount: text(message.allowance),
          period: text(message.period),
          isDeposit: false,
        },
        parties: [address(message.spender)],
        says: [
          `Lets ${address(message.spender)} take ${text(message.allowance)} units of ${address(message.token)} in every ${text(message.period)} seconds.`,
        ],
        account: address(message.account) === signer ? null : address(message.account),
      }),
  "Delegation(address delegatee,uint256 nonce,uint256 expiry)": ({ verifier, signer, message }) => {
    const delegatee = address(message.delegatee);
    if (verifier === null) return undefined;
    return mean({
      form: "votes.delegation",
      title: "votes given to a delegate",
      owner: signer,
      until: text(message.expiry),
      canEnd: true,
      nonce: {
        target: verifier,
        data: encodeCall("nonces(address owner)", [signer]),
        kind: "next",
        expected: text(message.nonce),
      },
      notes: [{ code: delegatee === signer ? "VOTES_TO_SELF" : "VOTES_TO_ANOTHER" }],
      parties: [delegatee],
      says: [`Lets ${delegatee} vote with the signer's tokens, which stay where they are.`],
    });
  },
};

const ballot: ReadForm = ({ signer }) =>
  mean({
    form: "vote",
    title: "a vote on a proposal",
    owner: signer,
    notes: [{ code: "VOTE_ONLY" }],
    says: ["Casts a vote, where the contract takes its type as governors do."],
  });

const SNAPSHOT = { name: "snapshot", version: "0.1.4" } as const;

/** Snapshot's own domain: it has neither chain nor contract, so that only its server takes the signature. */
const snapshotVote: ReadForm = ({ document: { domain, types }, signer }) =>
  isDomain(domain, SNAPSHOT) && types.EIP712Domain?.length === 2
    ? mean({
        form: "vote",
        title: "a vote on Snapshot",
        owner: signer,
        isOffChain: true,
        notes: [{ code: "VOTE_ONLY" }],
        says: ["Casts a vote and nothing else."],
      })
    : undefined;

const isDomain = (domain: TypedStruct, fields: Readonly<Record<string, string>>): boolean =>
  Object.keys(domain).length === Object.keys(fields).length &&
  Object.entries(fields).every(([name, value]) => domain[name] === value);

/** A free action at a service like this one, which its salt binds to one server. */
const agentAction: ReadForm = ({ document: { domain }, message }) => {
  const { salt } = domain;
  const { salt: _, chainId, ...named } = agentActionDomain("https://example.org");
  const isOwn = typeof salt === "string" && isDomain(domain, { ...named, chainId: String(chainId), salt });
  if (!isOwn || !agentActions.some((name) => name === message.action)) return undefined;
  return mean({
    form: "assay.action",
    title: "an action at a service like this one",
    isOffChain: true,
    notes: [{ code: "SPEAKS_TO_SERVER" }],
    says: [
      `Asks a server for ${JSON.stringify(text(message.action))} on ${JSON.stringify(text(message.resource))}.`,
    ],
  });
};

const SNAPSHOT_VOTE = "Vote(address from,string space,uint64 timestamp,bytes32 proposal,";
const SNAPSHOT_END = " choice,string reason,string app,string metadata)";

/** Types that count votes or speak to a server. Whether no asset can move by them is for the contract to keep. */
export const plainForms: Forms = {
  "Ballot(uint256 proposalId,uint8 support)": ballot,
  "Ballot(uint256 proposalId,uint8 support,address voter,uint256 nonce)": ballot,
  "ExtendedBallot(uint256 proposalId,uint8 support,string reason,bytes params)": ballot,
  "ExtendedBallot(uint256 proposalId,uint8 support,address voter,uint256 nonce,string reason,bytes params)":
    ballot,
  "Ballot(uint256 proposalId,bool support)": ballot,
  [`${SNAPSHOT_VOTE}uint32${SNAPSHOT_END}`]: snapshotVote,
  [`${SNAPSHOT_VOTE}uint32[]${SNAPSHOT_END}`]: snapshotVote,
  [`${SNAPSHOT_VOTE}string${SNAPSHOT_END}`]: snapshotVote,
  "AgentAction(string action,string resource,uint256 timestamp,string nonce)": agentAction,
};
