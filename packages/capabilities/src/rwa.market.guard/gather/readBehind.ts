import { type Hex, mapReading, noAnswer, type Reading, unanswered, valueReading } from "@assay/protocol";
import type { GatherContext, InterfaceScan } from "../../gathering.js";
import type { CodeFingerprint } from "../../shared/code/fingerprintBytecode.js";
import { scanCode } from "../../shared/code/gather/scanCode.js";
import { listDelegatingOpcodes } from "../../shared/code/listDelegatingOpcodes.js";
import type { Subject } from "../../shared/control/gather/gatherSubject.js";
import { listControllers, parseOwner } from "../../shared/control/listControllers.js";
import { LABEL_ANSWER_BYTES } from "../../shared/labels/labelAnswer.js";
import {
  findBeaconCode,
  joinBeaconAnswers,
  parseBeaconAnswer,
  readBeacon,
  readNamed,
} from "../../shared/proxies/gather/beaconLens.js";
import { resolveImplementation } from "../../shared/proxies/resolveImplementation.js";
import { type Batch, createBatch } from "../../shared/reads/gather/createBatch.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../shared/reads/gather/cutAnswer.js";
import { fingerprintReading } from "../../shared/reads/gather/fingerprintReading.js";
import { readAccounts } from "../../shared/reads/gather/readAccounts.js";
import { addressInWord } from "../../shared/words/addressInWord.js";
import { readOneWord } from "../../shared/words/readOneWord.js";
import { B20_POLICIES } from "../judgeB20.js";
import { findRoleAdmin } from "../judgeIssuerPowers.js";
import { findNamed } from "../judgePermissions.js";
import { findAuthority } from "../judgeUpgrade.js";
import type { RwaMarketReadings } from "../readings.js";
import { callAsset, encodeAsset } from "./assetCalls.js";
import { askPoolTransfer } from "./poolTransfer.js";
import type { Question, TokenReadings } from "./readToken.js";

interface Behind
  extends Pick<
    RwaMarketReadings,
    "implementation" | "authority" | "adminOwners" | "erc3643" | "poolTransfer"
  > {
  readonly roleAdmin: RwaMarketReadings["roles"]["admin"];
  readonly message: RwaMarketReadings["erc1404"]["message"];
  readonly policies: Pick<RwaMarketReadings["b20"], "senderAllowed" | "receiverAllowed">;
  readonly scans: readonly InterfaceScan[];
}

interface Known extends Question {
  readonly subject: Subject;
  readonly token: TokenReadings;
}

const OWNER = encodeAsset("owner");
const TOKEN_IMPLEMENTATION = encodeAsset("getTokenImplementation");

/** Everything the token's slots and answers point at, in one batch. */
export async function readBehind(context: GatherContext, known: Known): Promise<Behind> {
  const { address, subject, token } = known;
  const batch = createBatch();
  const pointed = findPointed(subject, token);
  const { target, authority, registry, compliance, roleAdmin } = pointed;
  const choice = askChoice(batch, address, pointed);
  const owners = askOwners(batch, subject, authority);
  const permissions = askPermissions(batch, known, pointed);
  const policies = askPolicies(batch, known);
  const poolTransfer = askPoolTransfer(batch, context, known);
  const named = [target, authority, registry, compliance, roleAdmin];
  const apart = [...new Set(named.filter((one) => one !== null && one !== address))] as Hex[];
  if (apart.length + batch.reads.length > 0) {
    const { accounts, others } = await readAccounts(
      context,
      apart.map((one) => ({ address: one, slots: [] })),
      batch.reads,
    );
    batch.settle(others);
    pointed.codes.set(address, token.account?.code ?? noAnswer);
    for (const [index, one] of apart.entries()) pointed.codes.set(one, accounts[index]?.code ?? noAnswer);
  }
  const codeOf = (one: Hex) => ({ address: one, code: fingerprintReading(pointed.codes.get(one)) });
  const { implementation, made } = await describeRunning(context, pointed, choice?.() ?? null);
  return {
    implementation,
    authority: {
      slot: token.authoritySlot,
      account: authority && { ...codeOf(authority), owner: owners.ofAuthority() },
      implementation: authority && pointed.beacon === null ? nameCode(choice?.() ?? noAnswer) : null,
    },
    adminOwners: owners.all(),
    roleAdmin: roleAdmin && codeOf(roleAdmin),
    erc3643: {
      ...token.erc3643,
      ownerIsAgent: permissions.ownerIsAgent(),
      registry: registry && { ...codeOf(registry), verifiesStranger: permissions.verifiesStranger() },
      rules: compliance && { ...codeOf(compliance), boundTo: permissions.boundTo() },
    },
    message: permissions.message(),
    policies: policies(),
    poolTransfer: poolTransfer(),
    scans: made,
  };
}

interface Pointed {
  /** The implementation that a slot or the code itself names. */
  readonly target: Hex | null;
  readonly beacon: Hex | null;
  /** Of an ERC-3643 proxy. */
  readonly authority: Hex | null;
  readonly registry: Hex | null;
  readonly compliance: Hex | null;
  readonly roleAdmin: Hex | null;
  readonly codes: Map<Hex, Reading<Hex>>;
}

function findPointed(subject: Subject, token: TokenReadings): Pointed {
  const codes = new Map<Hex, Reading<Hex>>();
  const { code, slots } = subject;
  const isProgram = code.status !== "value" || !["empty", "native_b20"].includes(code.value.form);
  if (!isProgram) {
    const nothing = { target: null, beacon: null, authority: null, registry: null, compliance: null };
    return { ...nothing, roleAdmin: null, codes };
  }
  const resolution = resolveImplementation({ ...subject, beaconImplementation: null });
  const isBeacon = resolution.status === "unread" && resolution.kind === "beacon";
  const slot = slots.eip1967Beacon;
  return {
    target: resolution.status === "resolved" ? resolution.implementation : null,
    beacon: isBeacon && slot.status === "value" ? addressInWord(slot.value) : null,
    authority: findAuthority(token.authoritySlot),
    registry: findNamed(token.erc3643.identityRegistry),
    compliance: findNamed(token.erc3643.compliance),
    roleAdmin: findRoleAdmin(token.roles),
    codes,
  };
}

/** The implementation that a beacon or an ERC-3643 authority names to the token, and the code found there. */
function askChoice(batch: Batch, address: Hex, { target, beacon, authority }: Pointed) {
  const reads =
    beacon !== null
      ? readBeacon(beacon, address)
      : authority !== null && target === null
        ? readBeacon(authority, address, TOKEN_IMPLEMENTATION)
        : null;
  if (reads === null) return null;
  const [lens, toProxy] = [batch.ask(reads[0]), batch.ask(reads[1])];
  return () => joinBeaconAnswers(lens(), toProxy());
}

/** The owners of contracts that may replace the code, each with its code. */
function askOwners(batch: Batch, subject: Subject, authority: Hex | null) {
  const admins = listControllers(subject).flatMap(({ role, address }) => (role === "owner" ? [] : [address]));
  const asked = [...new Set([...admins, ...(authority === null ? [] : [authority])])].map((admin) => ({
    admin,
    owner: batch.ask(readNamed(admin, OWNER)),
  }));
  const ofAuthority = authority && batch.ask(callAsset(authority, "owner"));
  return {
    all: () => asked.map(({ admin, owner }) => ({ admin, owner: nameCode(owner()) })),
    ofAuthority: () => cutAnswer(ofAuthority?.(), WORD_ANSWER_BYTES),
  };
}

const nameCode = (answer: Reading<Hex>) =>
  mapReading(parseBeaconAnswer(trimRefusal(answer)), ({ implementation, code }) => ({
    address: implementation,
    code,
  }));

/** An answer is parsed later; only revert data is recorded as it came, so it is cut here. */
const trimRefusal = (answer: Reading<Hex>): Reading<Hex> =>
  answer.status === "reverted" ? cutAnswer(answer, WORD_ANSWER_BYTES) : answer;

function askPermissions(batch: Batch, known: Known, { registry, compliance }: Pointed) {
  const { address, subject, token, strangers } = known;
  const owner = parseOwner(subject.owner);
  const code = readOneWord(token.restriction);
  const ownerIsAgent =
    owner.status === "named" && registry !== null
      ? batch.ask(callAsset(address, "isAgent", [owner.address]))
      : null;
  const verifies = registry && batch.ask(callAsset(registry, "isVerified", [strangers.from]));
  const boundTo = compliance && batch.ask(callAsset(compliance, "getTokenBound"));
  const message =
    code !== null && code > 0n && code < 256n
      ? batch.ask(callAsset(address, "messageForTransferRestriction", [Number(code)]))
      : null;
  return {
    ownerIsAgent: () => ownerIsAgent && cutAnswer(ownerIsAgent(), WORD_ANSWER_BYTES),
    verifiesStranger: () => cutAnswer(verifies?.(), WORD_ANSWER_BYTES),
    boundTo: () => cutAnswer(boundTo?.(), WORD_ANSWER_BYTES),
    message: () => message && cutAnswer(message(), LABEL_ANSWER_BYTES),
  };
}

/** Whether the policies of a native token admit a fresh account. */
function askPolicies(batch: Batch, { token, strangers }: Known) {
  const ask = (answer: Reading<string>, account: Hex) => {
    const policy = readOneWord(answer);
    return policy === null || policy >= 2n ** 64n
      ? null
      : batch.ask(callAsset(B20_POLICIES, "isAuthorized", [policy, account]));
  };
  const sender = ask(token.b20.senderPolicy, strangers.from);
  const receiver = ask(token.b20.receiverPolicy, strangers.to);
  return () => ({
    senderAllowed: sender && cutAnswer(sender(), WORD_ANSWER_BYTES),
    receiverAllowed: receiver && cutAnswer(receiver(), WORD_ANSWER_BYTES),
  });
}

/** The code that runs behind the token, scanned. */
async function describeRunning(
  context: GatherContext,
  { target, codes }: Pointed,
  choice: Reading<Hex> | null,
): Promise<{ implementation: RwaMarketReadings["implementation"]; made: readonly InterfaceScan[] }> {
  const describe = async (
    address: Hex,
    code: Reading<CodeFingerprint>,
    bytes: Reading<Hex>,
    isProvable: boolean,
  ) => {
    const { scan, made } = await scanCode(context, code, bytes.status === "value" ? bytes.value : undefined);
    const delegations = mapReading(bytes, listDelegatingOpcodes);
    return { implementation: { address, code, scan, delegations, isProvable }, made };
  };
  if (target !== null) {
    const code = codes.get(target) ?? noAnswer;
    return describe(target, fingerprintReading(code), code, true);
  }
  const named = choice && parseBeaconAnswer(choice);
  if (choice === null || named?.status !== "value") return { implementation: null, made: [] };
  const { implementation, code } = named.value;
  const bytes = findBeaconCode(choice);
  const whole = bytes === undefined ? unanswered("code_not_whole") : valueReading(bytes);
  return describe(implementation, valueReading(code), whole, false);
}
