import type { Hex } from "@assay/protocol";
import { CHAIN_ID } from "@assay/protocol/primitives";
import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters, toHex } from "viem";
import { knownFunctions } from "../../shared/calls/knownFunctions.js";
import { unwrapCall } from "../../shared/intents/unwrapCall.js";
import { type UserOperation, unpackOperation } from "../input.js";
import { type Meaning, mean, type SignedCall } from "../meaning.js";
import { address, encodeCall, type Forms, type ReadForm, runAsOwner, text, ZERO } from "./form.js";

/** A batch of calls that the signer's wallet makes at once (EIP-5792). */
export const readCalls = (calls: readonly SignedCall[], signer: Hex): Meaning =>
  mean({
    form: "calls",
    title: calls.length === 1 ? "a call" : `a batch of ${calls.length} calls (EIP-5792)`,
    owner: signer,
    run: runAsOwner(
      signer,
      calls.flatMap((one) => openOwnCall(one, signer)),
    ),
  });

/**
 * A call to the signer's own account makes the calls that it holds, by the code that the wallet gives the account (EIP-7702).
 * They are run as the signer's own where all of them can be read.
 */
function openOwnCall(one: SignedCall, signer: Hex, depth = 0): SignedCall[] {
  const known = one.to === signer ? knownFunctions.get(one.data.slice(0, 10) as Hex) : undefined;
  if (known === undefined || depth > MAX_OWN_DEPTH) return [one];
  try {
    const values = decodeAbiParameters(known.abi.inputs, `0x${one.data.slice(10)}`);
    const order = { to: signer, value: 0n, data: one.data, caller: signer };
    const inner = unwrapCall(order, known.signature, values) ?? [];
    if (inner.length === 0 || inner.some(({ caller, isDelegatecall }) => caller !== signer || isDelegatecall))
      return [one];
    return inner.flatMap(({ to, data, value }) =>
      openOwnCall({ to: to.toLowerCase() as Hex, data, value: value.toString() }, signer, depth + 1),
    );
  } catch {
    return [one];
  }
}
const MAX_OWN_DEPTH = 3;

/** `executeUserOp(PackedUserOperation,bytes32)`: the account is given the operation, and reads what follows by itself. */
const EXECUTE_USER_OP = "0x8dd7712f";
const call = "struct Call { address target; uint256 value; bytes data; }";
const callList = parseAbiParameters(["Call[] calls", call]);
const callBatch = parseAbiParameters([
  "Batch batch",
  "struct Batch { Call[] calls; bool revertOnFailure; }",
  call,
]);

/**
 * The calldata in a form that names its calls. Behind the selector stand a list of calls or a batch (Calibur), or calldata
 * for the account itself (Kernel 3). Data in another form stays as it is, and counts as not decoded.
 */
function nameCalls(callData: Hex): Hex {
  if (!callData.startsWith(EXECUTE_USER_OP)) return callData;
  const rest: Hex = `0x${callData.slice(10)}`;
  const list = decodeExactly(callList, rest);
  if (list) return encodeCall("executeBatch((address target, uint256 value, bytes data)[] calls)", list);
  const batch = decodeExactly(callBatch, rest);
  if (batch)
    return encodeCall(
      "execute(((address target, uint256 value, bytes data)[] calls, bool revertOnFailure) batch)",
      batch,
    );
  return rest.length > 10 && knownFunctions.has(rest.slice(0, 10) as Hex) ? rest : callData;
}

/** Undefined where the bytes are not exactly what an encoder writes for these types. */
function decodeExactly(types: typeof callList | typeof callBatch, data: Hex): readonly unknown[] | undefined {
  try {
    const values = decodeAbiParameters(types as typeof callList, data);
    return encodeAbiParameters(types as typeof callList, values) === data ? values : undefined;
  } catch {
    return undefined;
  }
}

/** The entry point calls the account, which does what the calldata says (ERC-4337). */
export function readUserOperation(operation: UserOperation, signer: Hex): Meaning {
  const { sender, entryPoint, callData, factory, factoryData, paymaster } = operation;
  const deploy: SignedCall[] = factory === null ? [] : [{ to: factory, data: factoryData, value: "0" }];
  const gas = [
    operation.callGasLimit,
    operation.verificationGasLimit,
    operation.preVerificationGas,
    operation.paymasterVerificationGasLimit,
    operation.paymasterPostOpGasLimit,
  ].reduce((sum, one) => sum + BigInt(one), 0n);
  const key = BigInt(operation.nonce) >> 64n;
  // Entry points 0.6 and 0.7 take the zero address for no paymaster: the account pays.
  const isSponsored = paymaster !== null && paymaster !== ZERO;
  return mean({
    form: "userOperation",
    title: "a user operation (ERC-4337)",
    owner: sender,
    nonce: {
      target: entryPoint,
      data: encodeCall("getNonce(address sender, uint192 key)", [sender, key]),
      kind: "next",
      expected: operation.nonce,
    },
    run: {
      judged: { from: sender, to: sender, data: nameCalls(callData), value: "0" },
      caller: entryPoint,
      steps: [...deploy, { to: sender, data: callData, value: "0" }],
      lendsToCaller: true,
      safe: null,
      isWrittenAsBatch: false,
    },
    account: sender === signer ? null : sender,
    operation: { entryPoint, factory },
    // What a paymaster takes from the account for the fee, in tokens and afterwards, the run does not show.
    feeWei: (gas * BigInt(operation.maxFeePerGas)).toString(),
    notes: [
      { code: "OPERATION_OF_ENTRY_POINT" },
      ...(isSponsored ? [{ code: "PAYMASTER_PAYS" as const }] : []),
    ],
    parties: [entryPoint, ...(factory === null ? [] : [factory]), ...(isSponsored ? [paymaster] : [])],
  });
}

/** Too short for the address that it has to begin with. */
const isHeadless = (bytes: unknown): boolean => text(bytes) !== "0x" && text(bytes).length < 42;

/** As a Safe's module for ERC-4337 has the operation signed, of entry point 0.6 and of 0.7. */
const SAFE_OPERATION_06 =
  "SafeOp(address safe,uint256 nonce,bytes initCode,bytes callData,uint256 callGasLimit,uint256 verificationGasLimit,uint256 preVerificationGas,uint256 maxFeePerGas,uint256 maxPriorityFeePerGas,bytes paymasterAndData,uint48 validAfter,uint48 validUntil,address entryPoint)";
const SAFE_OPERATION_07 =
  "SafeOp(address safe,uint256 nonce,bytes initCode,bytes callData,uint128 verificationGasLimit,uint128 callGasLimit,uint256 preVerificationGas,uint128 maxPriorityFeePerGas,uint128 maxFeePerGas,bytes paymasterAndData,uint48 validAfter,uint48 validUntil,address entryPoint)";

const readSafeOperation: ReadForm = ({ verifier, message, signer, document }) => {
  if (verifier === null || isHeadless(message.initCode) || isHeadless(message.paymasterAndData))
    return undefined;
  const number = (name: string) => BigInt(text(message[name]));
  const pair = (first: string, second: string) =>
    toHex((number(first) << 128n) | (number(second) & MAX_HALF), { size: 32 });
  const isTooMuch = ["verificationGasLimit", "callGasLimit", "maxPriorityFeePerGas", "maxFeePerGas"].some(
    (name) => number(name) > MAX_HALF,
  );
  if (isTooMuch) return undefined;
  const unpacked = unpackOperation({
    entryPoint: address(message.entryPoint),
    sender: address(message.safe),
    nonce: text(message.nonce),
    initCode: address(message.initCode),
    callData: address(message.callData),
    accountGasLimits: pair("verificationGasLimit", "callGasLimit"),
    preVerificationGas: text(message.preVerificationGas),
    gasFees: pair("maxPriorityFeePerGas", "maxFeePerGas"),
    paymasterAndData: address(message.paymasterAndData),
  });
  // In 0.6 nothing but the paymaster's own data stands behind its address.
  const isPacked = document.types.SafeOp?.some(({ type }) => type === "uint128") === true;
  const operation = isPacked
    ? unpacked
    : { ...unpacked, paymasterVerificationGasLimit: "0", paymasterPostOpGasLimit: "0" };
  const [from, until] = [text(message.validAfter), text(message.validUntil)];
  return {
    ...readUserOperation(operation, signer),
    title: "a Safe's user operation (ERC-4337)",
    from,
    until: until === "0" ? null : until,
  };
};
const MAX_HALF = 2n ** 128n - 1n;

/** As the entry point 0.8 and later have it signed: the operation is an EIP-712 document of theirs. */
export const operationForms: Forms = {
  "PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)":
    ({ verifier, message, signer }) => {
      if (verifier === null || isHeadless(message.initCode) || isHeadless(message.paymasterAndData))
        return undefined;
      const word = (name: string) => address(message[name]);
      const operation = unpackOperation({
        entryPoint: verifier,
        sender: word("sender"),
        nonce: text(message.nonce),
        initCode: word("initCode"),
        callData: word("callData"),
        accountGasLimits: word("accountGasLimits"),
        preVerificationGas: text(message.preVerificationGas),
        gasFees: word("gasFees"),
        paymasterAndData: word("paymasterAndData"),
      });
      return readUserOperation(operation, signer);
    },
  [SAFE_OPERATION_06]: readSafeOperation,
  [SAFE_OPERATION_07]: readSafeOperation,
};

/** From then on the signer's account runs the code of the delegate (EIP-7702). */
export function readAuthorization(
  { chainId, address: delegate, nonce }: { chainId: string; address: Hex; nonce: string },
  signer: Hex,
): Meaning {
  const isRevocation = delegate === ZERO;
  return mean({
    form: "eip7702.authorization",
    title: "an authorization (EIP-7702)",
    owner: signer,
    delegate: isRevocation ? null : delegate,
    notes: [
      ...(isRevocation ? [{ code: "DELEGATION_ENDS" as const }] : []),
      ...(chainId === "0" && !isRevocation ? [{ code: "EVERY_CHAIN" as const }] : []),
      ...(chainId !== "0" && chainId !== String(CHAIN_ID) ? [{ code: "OTHER_CHAIN" as const }] : []),
    ],
    says: [
      isRevocation
        ? "The signer's account runs no code any more."
        : `The signer's account runs the code of ${delegate} from then on, with everything that it holds.`,
    ],
    parties: isRevocation ? [] : [delegate],
    nonce: { target: signer, data: "0x", kind: "next", expected: nonce },
  });
}
