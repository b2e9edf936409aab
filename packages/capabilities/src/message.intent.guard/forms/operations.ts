import type { Hex } from "@assay/protocol";
import { CHAIN_ID } from "@assay/protocol/primitives";
import type { UserOperation } from "../input.js";
import { type Meaning, mean, type SignedCall } from "../meaning.js";
import { encodeCall, runAsOwner, ZERO } from "./form.js";

/** A batch of calls that the signer's wallet makes at once (EIP-5792). */
export const readCalls = (calls: readonly SignedCall[], signer: Hex): Meaning =>
  mean({
    form: "calls",
    title: calls.length === 1 ? "a call" : `a batch of ${calls.length} calls (EIP-5792)`,
    owner: signer,
    run: runAsOwner(signer, calls),
  });

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
      judged: { from: sender, to: sender, data: callData, value: "0" },
      caller: entryPoint,
      steps: [...deploy, { to: sender, data: callData, value: "0" }],
      lendsToCaller: true,
      safe: null,
    },
    account: sender === signer ? null : sender,
    // A paymaster pays the fee; what it takes for that the run does not show.
    feeWei: paymaster === null ? (gas * BigInt(operation.maxFeePerGas)).toString() : null,
    notes: [
      { code: "OPERATION_OF_ENTRY_POINT" },
      ...(paymaster === null ? [] : [{ code: "PAYMASTER_PAYS" as const }]),
    ],
    parties: [entryPoint, ...(factory === null ? [] : [factory]), ...(paymaster === null ? [] : [paymaster])],
  });
}

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
