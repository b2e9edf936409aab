import type { Hex } from "@assay/protocol";
import { size } from "viem";
import { MULTICALL3 } from "../chain-facts/knownContracts.js";
import { type PartyView, viewParty } from "../effects/partyView.js";
import type { KnownParty } from "../parties/knownParty.js";
import { type DecodedSwap, decodeSwap, findSwapRouter } from "../swaps/decodeSwap.js";
import type { SwapRouter } from "../swaps/swapRouters.js";
import { classifyIntent, type IntentClass } from "./classifyIntent.js";
import { type DecodedCall, type DecodedCalldata, decodeCalls } from "./decodeCalls.js";
import { type ListedActs, listActs } from "./listActs.js";
import { listBeneath, listNamed, listNamedInside } from "./namedAddresses.js";
import { type ExitStep, planExit } from "./planExit.js";
import { type MeasurementPlan, planMeasurements } from "./planMeasurements.js";
import { type Effects, readEffects } from "./readEffects.js";
import { readTrace, type TracedEffects } from "./readTrace.js";
import type { TransactionIntentInput } from "./transactionInput.js";
import type { TransactionIntentReadings } from "./transactionReadings.js";

type Input = TransactionIntentInput;

/** What calldata alone shows about a transaction, and which reads follow from it. */
export interface TransactionPlan {
  readonly decoded: DecodedCalldata;
  readonly calls: readonly DecodedCall[];
  readonly listed: ListedActs;
  readonly measurements: MeasurementPlan;
  /** Calls that try to take back what the transaction deposits. */
  readonly exit: readonly ExitStep[];
  /** The one swap of a transaction to a supported router, which is then judged as such. */
  readonly swap: { readonly router: SwapRouter; readonly decoded: DecodedSwap } | null;
  /** Addresses of the supported routers. */
  readonly routers: ReadonlySet<Hex>;
}

/** Pure, so that the gatherer and the rule make the same plan. */
export function planTransaction(
  input: Input,
  swapRouters: readonly SwapRouter[],
  findParty: (address: Hex) => KnownParty | undefined,
): TransactionPlan {
  const decoded = decodeCalls(input, findParty);
  const calls = flatten(decoded.call);
  const routers = new Set(swapRouters.map(({ address }) => address));
  const listed = listActs(decoded.call, routers);
  const isOpaque = listed.unknownCalls.length > 0 || decoded.undecodedBytes > 0;
  const router = findSwapRouter(swapRouters, input.to);
  // Programs of the Universal Router are read as acts, like every other program.
  const found = router && router.kind !== "universal_router" ? decodeSwap(input, [router]) : undefined;
  return {
    decoded,
    calls,
    listed,
    measurements: planMeasurements(input, listed.acts, calls, {
      isOpaque,
      named: [
        ...listed.unknownCalls.flatMap(listNamed),
        ...calls.flatMap(listNamedInside),
        ...calls.flatMap(listBeneath),
      ],
    }),
    exit: planExit(input.from, decoded.call, listed.acts),
    swap: router && found && "swap" in found ? { router, decoded: found.swap } : null,
    routers,
  };
}

/** A transaction with everything known about it, as the judging functions take it. */
export interface IntentCase extends TransactionPlan {
  readonly input: Input;
  readonly readings: TransactionIntentReadings;
  /** The sender and the accounts of published code that it commands in this transaction. */
  readonly own: ReadonlySet<Hex>;
  /** Accounts that make calls for the sender, but whose code is not published. */
  readonly claimed: readonly Hex[];
  /** Accounts whose owners signed what they do here (ERC-4337). */
  readonly operated: ReadonlySet<Hex>;
  readonly effects: Effects | null;
  readonly traced: TracedEffects | null;
  readonly intent: IntentClass;
  readonly hasData: boolean;
  viewParty(address: Hex): PartyView;
}

export function openIntentCase(input: Input, readings: TransactionIntentReadings): IntentCase {
  const plan = planTransaction(input, readings.swapRouters, (address) =>
    readings.called.find((party) => party.address === address),
  );
  const { listed, measurements, decoded } = plan;
  const { accounts: wrappers, operated } = listAccounts(decoded.call, plan.routers);
  // A published contract that makes calls for anybody is nobody's account.
  const accounts = wrappers.filter(
    (address) => !readings.parties.some((party) => party.address === address && party.known !== null),
  );
  const isGenuine = (address: Hex) =>
    readings.parties.some((party) => party.address === address && party.account !== null);
  const own = new Set([input.from, ...accounts.filter(isGenuine)]);
  return {
    ...plan,
    input,
    readings,
    own,
    claimed: accounts.filter((address) => !own.has(address)),
    operated,
    effects: readEffects(input.from, measurements, readings),
    traced: readTrace(measurements, readings),
    intent: classifyIntent(listed.acts, listed.unknownCalls.length > 0),
    hasData: size(input.data) > 0,
    viewParty: (address) => viewParty(address, own, readings.parties),
  };
}

/** Accounts that carry out calls of the sender's, and those that an entry point calls for others. */
function listAccounts(root: DecodedCall, routers: ReadonlySet<Hex>) {
  const accounts = new Set<Hex>();
  const operated = new Set<Hex>();
  const visit = (call: DecodedCall, isOperated: boolean): void => {
    const isBundle = call.signature?.startsWith("handleOps(") === true;
    for (const inner of call.inner) {
      const isAccount = inner.caller === call.to && inner.selector !== null;
      const isValue = inner.caller === call.to && inner.selector === null && inner.signature === null;
      if (isBundle || isOperated) operated.add(isBundle ? inner.to : inner.caller);
      else if ((isAccount || isValue) && !routers.has(call.to) && call.to !== MULTICALL3)
        accounts.add(call.to);
      visit(inner, isOperated || isBundle);
    }
  };
  visit(root, false);
  return { accounts: [...accounts], operated };
}

function flatten(call: DecodedCall): DecodedCall[] {
  return [call, ...call.inner.flatMap(flatten)];
}
