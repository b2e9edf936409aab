import type { Hex } from "@assay/protocol";
import { maxUint256 } from "viem";
import { WETH } from "../chain-facts/knownContracts.js";
import type { Act, ApprovalAct, ControlAct, TransferAct } from "./act.js";
import type { DecodedCall } from "./decodeCalls.js";
import { listRouterActs } from "./listRouterActs.js";
import { type PermitDetails, permit2Approval } from "./permit2Approval.js";

type Args = Readonly<Record<string, unknown>>;
type Describe = (call: DecodedCall, args: Args) => readonly Act[];

/** A transaction may hold a hundred calls, and a batch many items. Further acts are not listed. */
const MAX_ACTS = 200;

export interface ListedActs {
  readonly acts: readonly Act[];
  /** Calls with data whose function is not known. */
  readonly unknownCalls: readonly DecodedCall[];
  readonly isBounded: boolean;
}

/** What a transaction would do, as far as its calldata shows. */
export function listActs(root: DecodedCall, routers: ReadonlySet<Hex>): ListedActs {
  const acts: Act[] = [];
  const unknownCalls: DecodedCall[] = [];
  const visit = (call: DecodedCall): void => {
    if (call.isDelegatecall) acts.push({ kind: "delegatecall", account: call.caller, to: call.to });
    if (isPlainValue(call)) acts.push(nativeTransfer(call));
    if (isUnknown(call, routers)) unknownCalls.push(call);
    else if (call.signature !== null && call.args !== null)
      acts.push(...(isMisread(call, routers) ? describeMeaning(call) : describeCall(call, call.args)));
    for (const inner of call.inner) visit(inner);
  };
  visit(root);
  return { acts: acts.slice(0, MAX_ACTS), unknownCalls, isBounded: acts.length > MAX_ACTS };
}

const isPlainValue = ({ selector, signature, undecodedBytes, value }: DecodedCall) =>
  selector === null && signature === null && undecodedBytes === 0 && value !== "0";

/** Every vault has a deposit(); only for WETH is its meaning certain. */
const wrappedNames: ReadonlySet<string> = new Set(["deposit()", "withdraw(uint256)"]);
/** Helpers beside a swap have a certain meaning only when a router is called. */
const helperNames: ReadonlySet<string> = new Set([
  "unwrapWETH9(uint256,address)",
  "unwrapWETH9(uint256)",
  "sweepToken(address,uint256,address)",
  "refundETH()",
  "wrapETH(uint256)",
]);

function isUnknown(call: DecodedCall, routers: ReadonlySet<Hex>): boolean {
  const { signature, undecodedBytes, meaning } = call;
  if (signature === null) return undecodedBytes > 0;
  return meaning === null && isMisread(call, routers);
}

/** Whether the name of a function is known, but means what its describer says only at another contract. */
const isMisread = ({ signature, to }: DecodedCall, routers: ReadonlySet<Hex>): boolean =>
  signature !== null &&
  ((wrappedNames.has(signature) && to !== WETH) || (helperNames.has(signature) && !routers.has(to)));

function nativeTransfer({ caller, to, value }: DecodedCall): TransferAct {
  return { kind: "transfer", form: "native", token: null, from: caller, to, amount: value, id: null };
}

function describeCall(call: DecodedCall, args: Args): readonly Act[] {
  const describe = describers[call.signature ?? ""];
  if (describe) return describe(call, args);
  const acts = listRouterActs(call, args);
  return acts.length > 0 || call.inner.length > 0 ? acts : describeMeaning(call);
}

const addressIn = (value: unknown): Hex | undefined =>
  typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value) ? (value as Hex) : undefined;

/** The acts of a function that is known only by what its protocol says about it. */
function describeMeaning(call: DecodedCall): readonly Act[] {
  const { meaning } = call;
  if (meaning === null) return [];
  const { effect, roles } = meaning;
  const [spender, recipient, token] = [roles.spender, roles.recipient, roles.token].map(addressIn);
  const amount = typeof roles.amount === "string" ? roles.amount : null;
  if ((effect === "approve" || effect === "permit") && spender !== undefined)
    return [
      approval(call, {
        form: "other",
        token: token ?? call.to,
        owner: addressIn(roles.owner) ?? call.caller,
        spender,
        amount,
        isRevocation: amount === "0",
      }),
    ];
  if (effect === "transfer" && recipient !== undefined && amount !== null)
    return [
      transfer({
        form: "erc20",
        token: token ?? call.to,
        from: addressIn(roles.owner) ?? call.caller,
        to: recipient,
        amount,
      }),
    ];
  if (effect !== "control") return [];
  const successor = spender ?? recipient ?? addressIn(roles.owner) ?? null;
  return [
    { kind: "control", signature: call.signature ?? "", target: call.to, successor, change: "replace" },
  ];
}

const text = (args: Args, name: string) => String(args[name]);
const address = (args: Args, name: string) => args[name] as Hex;

function approval(
  call: DecodedCall,
  parts: Partial<ApprovalAct> & Pick<ApprovalAct, "form" | "spender">,
): Act {
  const { amount = null } = parts;
  return {
    kind: "approval",
    keeper: call.to,
    token: call.to,
    owner: call.caller,
    amount,
    expiresAt: null,
    isRevocation: amount === "0",
    ...parts,
  };
}

function transfer(parts: Omit<TransferAct, "kind" | "id"> & { readonly id?: string }): Act {
  return { kind: "transfer", id: null, ...parts };
}

const control =
  (name: string | null, change: ControlAct["change"] = "replace", targetName?: string): Describe =>
  ({ to, signature }, args): ControlAct[] => {
    const successor = name === null ? null : address(args, name);
    const isCleared = successor === ZERO;
    return [
      {
        kind: "control",
        signature: signature ?? "",
        target: targetName === undefined ? to : address(args, targetName),
        successor: isCleared ? null : successor,
        change: isCleared && change === "add" ? "reduce" : change,
      },
    ];
  };

const moved =
  (form: "erc721" | "erc1155"): Describe =>
  ({ to: token }, args) => [
    transfer({
      form,
      token,
      from: address(args, "from"),
      to: address(args, "to"),
      amount: form === "erc721" ? "1" : text(args, "amount"),
      id: text(args, form === "erc721" ? "tokenId" : "id"),
    }),
  ];

const authorized: Describe = ({ to: token }, args) => [
  transfer({
    form: "eip3009",
    token,
    from: address(args, "from"),
    to: address(args, "to"),
    amount: text(args, "value"),
  }),
];

const ZERO: Hex = "0x0000000000000000000000000000000000000000";
const AUTHORIZATION_BYTES = "(address,address,uint256,uint256,uint256,bytes32,bytes)";
const AUTHORIZATION = "(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)";

const describers: Readonly<Record<string, Describe>> = {
  "approve(address,uint256)": (call, args) => [
    approval(call, { form: "erc20", spender: address(args, "spender"), amount: text(args, "amount") }),
  ],
  "increaseAllowance(address,uint256)": (call, args) => [
    approval(call, { form: "increase", spender: address(args, "spender"), amount: text(args, "amount") }),
  ],
  "decreaseAllowance(address,uint256)": (call, args) => [
    approval(call, {
      form: "decrease",
      spender: address(args, "spender"),
      amount: text(args, "amount"),
      isRevocation: true,
    }),
  ],
  "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)": (call, args) => [
    approval(call, {
      form: "permit",
      owner: address(args, "owner"),
      spender: address(args, "spender"),
      amount: text(args, "value"),
      expiresAt: text(args, "deadline"),
    }),
  ],
  "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)": (call, args) => [
    approval(call, {
      form: "permit",
      owner: address(args, "holder"),
      spender: address(args, "spender"),
      amount: args.allowed === true ? maxUint256.toString() : "0",
      // Dai reads zero as "never".
      expiresAt: text(args, "expiry") === "0" ? maxUint256.toString() : text(args, "expiry"),
    }),
  ],
  "selfPermit(address,uint256,uint256,uint8,bytes32,bytes32)": (call, args) => [
    approval(call, {
      form: "permit",
      keeper: address(args, "token"),
      token: address(args, "token"),
      spender: call.to,
      amount: text(args, "value"),
      expiresAt: text(args, "deadline"),
    }),
  ],
  "setApprovalForAll(address,bool)": (call, args) => [
    approval(call, {
      form: "operator",
      spender: address(args, "operator"),
      isRevocation: args.approved !== true,
    }),
  ],
  "setAuthorization(address,bool)": (call, args) => [
    approval(call, {
      form: "authorization",
      spender: address(args, "authorized"),
      isRevocation: args.newIsAuthorized !== true,
    }),
  ],
  "approve(address,address,uint160,uint48)": (call, args) => [
    permit2Approval(call.to, call.caller, address(args, "spender"), args as unknown as PermitDetails),
  ],
  "permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)": ({ to }, args) => {
    const permit = args.permitSingle as { details: PermitDetails; spender: Hex };
    return [permit2Approval(to, address(args, "owner"), permit.spender, permit.details)];
  },
  "permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)": ({ to }, args) => {
    const permit = args.permitBatch as { details: readonly PermitDetails[]; spender: Hex };
    return permit.details.map((details) =>
      permit2Approval(to, address(args, "owner"), permit.spender, details),
    );
  },
  "transfer(address,uint256)": ({ to: token, caller }, args) => [
    transfer({ form: "erc20", token, from: caller, to: address(args, "to"), amount: text(args, "amount") }),
  ],
  "transferFrom(address,address,uint256)": ({ to: token }, args) => [
    transfer({
      form: "erc20",
      token,
      from: address(args, "from"),
      to: address(args, "to"),
      amount: text(args, "amount"),
    }),
  ],
  "transferFrom(address,address,uint160,address)": (_call, args) => [
    transfer({
      form: "permit2",
      token: address(args, "token"),
      from: address(args, "from"),
      to: address(args, "to"),
      amount: text(args, "amount"),
    }),
  ],
  "permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)": (
    _call,
    args,
  ) => {
    const { permitted } = args.permit as { permitted: { token: Hex } };
    const details = args.transferDetails as { to: Hex; requestedAmount: string };
    return [
      transfer({
        form: "permit2",
        token: permitted.token,
        from: address(args, "owner"),
        to: details.to,
        amount: details.requestedAmount,
      }),
    ];
  },
  [`transferWithAuthorization${AUTHORIZATION}`]: authorized,
  [`receiveWithAuthorization${AUTHORIZATION}`]: authorized,
  [`transferWithAuthorization${AUTHORIZATION_BYTES}`]: authorized,
  [`receiveWithAuthorization${AUTHORIZATION_BYTES}`]: authorized,
  "permit(address,address,uint256,uint256,bytes)": (call, args) => [
    approval(call, {
      form: "permit",
      owner: address(args, "owner"),
      spender: address(args, "spender"),
      amount: text(args, "value"),
      expiresAt: text(args, "deadline"),
    }),
  ],
  "approveDelegation(address,uint256)": (call, args) => [
    approval(call, { form: "credit", spender: address(args, "delegatee"), amount: text(args, "amount") }),
  ],
  "lockdown((address,address)[])": (call, args) =>
    (args.approvals as readonly { token: Hex; spender: Hex }[]).map(({ token, spender }) =>
      approval(call, { form: "permit2", token, spender, amount: "0" }),
    ),
  "safeTransferFrom(address,address,uint256)": moved("erc721"),
  "safeTransferFrom(address,address,uint256,bytes)": moved("erc721"),
  "safeTransferFrom(address,address,uint256,uint256,bytes)": moved("erc1155"),
  "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)": ({ to: token }, args) => {
    const [ids, amounts] = [args.ids, args.amounts] as [readonly string[], readonly string[]];
    const parties = { form: "erc1155", token, from: address(args, "from"), to: address(args, "to") } as const;
    return ids.map((id, index) => transfer({ ...parties, amount: amounts[index] ?? "0", id }));
  },
  "deposit()": ({ caller, value }) => [{ kind: "wrap", owner: caller, direction: "wrap", amount: value }],
  "withdraw(uint256)": ({ caller }, args) => [
    { kind: "wrap", owner: caller, direction: "unwrap", amount: text(args, "amount") },
  ],
  "transferOwnership(address)": control("newOwner"),
  "renounceOwnership()": control(null),
  "upgradeTo(address)": control("implementation"),
  "upgradeToAndCall(address,bytes)": control("implementation"),
  "changeAdmin(address)": control("newAdmin"),
  "diamondCut((address,uint8,bytes4[])[],address,bytes)": control("init"),
  "grantRole(bytes32,address)": control("account", "add"),
  "transferProxyOwnership(address)": control("newOwner"),
  "setOwner(address)": control("newOwner"),
  "changeOwner(address)": control("newOwner"),
  "setImplementation(address)": control("implementation"),
  "changeMasterCopy(address)": control("masterCopy"),
  "upgrade(address,address)": control("implementation", "replace", "proxy"),
  "upgradeAndCall(address,address,bytes)": control("implementation", "replace", "proxy"),
  "addOwnerWithThreshold(address,uint256)": control("owner", "add"),
  // With a threshold of one, each of those who stay commands the Safe alone.
  "removeOwner(address,address,uint256)": (call, args) =>
    control(null, BigInt(text(args, "threshold")) > 1n ? "reduce" : "replace")(call, args).map((act) => ({
      ...(act as ControlAct),
      removed: address(args, "owner"),
    })),
  "swapOwner(address,address,address)": control("newOwner"),
  // Fewer signatures make a Safe weaker.
  "changeThreshold(uint256)": (call, args) =>
    control(null, BigInt(text(args, "threshold")) > 1n ? "reduce" : "replace")(call, args),
  "enableModule(address)": control("module", "add"),
  "disableModule(address,address)": control(null, "reduce"),
  "setGuard(address)": control("guard", "add"),
  "setModuleGuard(address)": control("moduleGuard", "add"),
  "setFallbackHandler(address)": control("handler", "add"),
  "addOwnerAddress(address)": control("owner", "add"),
  "installModule(uint256,address,bytes)": control("module", "add"),
  "uninstallModule(uint256,address,bytes)": control(null, "reduce"),
};
