import { agentActionDomain, agentActions, type Hex } from "@assay/protocol";
import { type Meaning, mean, type SignedCall } from "../meaning.js";
import type { FormCode } from "../reasons.js";
import type { TypedStruct } from "../typedDocument.js";
import { type Leeway, readCaveats } from "./enforcers.js";
import {
  address,
  encodeCall,
  type Forms,
  NATIVE_MARK,
  type ReadForm,
  runAsOwner,
  structs,
  text,
} from "./form.js";

function readDelegation(message: TypedStruct, signer: Hex): Meaning {
  const leeway = readCaveats(
    structs(message.caveats).map(({ enforcer, terms }) => ({
      enforcer: address(enforcer),
      terms: address(terms),
    })),
  );
  const { kind, names, spend, calls, times, until } = leeway;
  const [delegate, delegator] = [address(message.delegate), address(message.delegator)];
  return mean({
    form: "eip7710.delegation",
    title: "a delegation (EIP-7710)",
    owner: delegator,
    venue: "delegations",
    until,
    canEnd: true,
    notes: [
      { code: judgeLeeway(leeway) },
      ...(leeway.hasUnknown ? [{ code: "ENFORCER_UNKNOWN" as const }] : []),
    ],
    payment: spend ? { ...spend, to: delegate, isDeposit: false } : null,
    // What is written down to the byte is judged as if it were done.
    run: kind === "calls" ? runAsOwner(delegator, calls) : null,
    times: kind === "calls" ? (times?.toString() ?? null) : "1",
    parties: [delegate],
    says: [
      `Lets ${delegate} act for ${delegator}${names.length === 0 ? " without any limit" : `, kept to: ${names.join("; ")}`}${kind === "calls" && times !== null ? ` (at most ${times} times)` : ""}.`,
    ],
    account: delegator === signer ? null : delegator,
  });
}

function judgeLeeway({ kind, calls, times }: Leeway): FormCode {
  if (kind === "everything") return "DELEGATES_EVERYTHING";
  if (kind === "spend") return "DELEGATION_BOUNDED";
  // Of calls that are made several times, only what plain payments come to is known.
  const isCounted = times !== null && (times <= 1n || calls.every(isPlainPayment));
  return kind === "calls" && isCounted ? "DELEGATION_BOUNDED" : "DELEGATION_LOOSE";
}

const isPlainPayment = ({ data, value }: SignedCall): boolean =>
  data === "0x" || (value === "0" && data.startsWith("0xa9059cbb") && data.length === 138);

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
            code: BigInt(text(message.allowance)) >= 2n ** 159n ? "DELEGATES_EVERYTHING" : "SPENDING_BOUNDED",
          },
        ],
        payment: {
          token: address(message.token) === NATIVE_MARK ? null : address(message.token),
          to: address(message.spender),
          amount: text(message.allowance),
          period: text(message.period),
          start: text(message.start),
          isDeposit: false,
        },
        parties: [address(message.spender)],
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
