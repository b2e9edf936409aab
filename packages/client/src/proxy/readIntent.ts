import { CHAIN_ID, type Hex } from "@assay/protocol";
import { InvalidArgumentError } from "../invalidArgumentError.js";
import { readSigningQuestion, type SigningQuestion } from "../signingQuestion.js";
import type { JudgedMethod } from "./methods.js";
import { readRawTransaction } from "./readRawTransaction.js";
import { readAddress, readBytes, readChain, readFields, readQuantity, toQuantity } from "./readValues.js";

export interface IntentFields {
  readonly kind: "transaction" | "signature" | "calls" | "operation";
  readonly sender: Hex;
  /** The first contract or account that is called; null for a message and for a contract that is created. */
  readonly to: Hex | null;
  readonly valueWei: bigint;
  /** The most that gas can cost, where the request says so. */
  readonly feeWei?: bigint | undefined;
  /** First four bytes of the calldata, for the journal. */
  readonly selector?: string | undefined;
  /** Of a signed transaction. */
  readonly transactionHash?: Hex | undefined;
  readonly nonce?: bigint | undefined;
  /** No guard judges the creation of a contract. */
  readonly createsContract: boolean;
  /** Made twice, it has the effect of once: exactly this, sent again, needs no second verdict. */
  readonly isRepeatable: boolean;
  /** What no guard runs; it counts as a review. */
  readonly unseen: readonly string[];
}

interface ReadIntent extends IntentFields {
  readonly questions: readonly SigningQuestion[];
  readonly params: unknown[];
}

type Reader = (params: unknown[], origin: string | undefined) => ReadIntent | Promise<ReadIntent>;

const nothing = { valueWei: 0n, createsContract: false, unseen: [] } as const;

/** Throws InvalidArgumentError, with a sentence, at what cannot be read in one way only. */
export async function readIntent(
  method: JudgedMethod,
  params: unknown[],
  origin: string | undefined,
): Promise<ReadIntent> {
  const intent = await readers[method](params, origin);
  // Refuses what no guard takes, before anybody pays.
  for (const question of intent.questions) readSigningQuestion(question);
  return intent;
}

function expectCount(params: unknown[], least: number, most = least): void {
  if (params.length >= least && params.length <= most) return;
  const count = least === most ? `${least}` : `${least} to ${most}`;
  throw new InvalidArgumentError(`it takes ${count} parameters, not ${params.length}.`);
}

const transactionFields = [
  ...["from", "to", "data", "input", "value", "gas", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"],
  ...["nonce", "chainId", "type", "accessList"],
];

/** The most that one transaction may use (EIP-7825); where a price is named and no limit, the signer chooses up to this. */
const MAX_GAS = 1n << 24n;

/** A transaction that a wallet or a node will sign. */
const readTransaction: Reader = (params) => {
  expectCount(params, 1);
  const given = readFields(params[0], "the transaction", transactionFields);
  const { from, to, data, input, value, gas, type } = given;
  const sender = readAddress(from, "from");
  const target = to === undefined || to === null ? null : readAddress(to, "to");
  const calldata = readBytes(input ?? data ?? "0x", "data");
  if (data !== undefined && input !== undefined && readBytes(data, "data") !== calldata)
    throw new InvalidArgumentError("data and input differ, and nodes differ on which one counts.");
  readChain(given.chainId ?? toQuantity(BigInt(CHAIN_ID)));
  if (type !== undefined && !["0x0", "0x1", "0x2"].includes(String(type)))
    throw new InvalidArgumentError(
      `type ${String(type).slice(0, 20)} is not judged: only 0x0, 0x1 and 0x2 are.`,
    );
  const valueWei = readQuantity(value ?? "0x0", "value");
  const quantities = ["gas", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas", "nonce"].flatMap((name) =>
    given[name] === undefined || given[name] === null
      ? []
      : [[name, toQuantity(readQuantity(given[name], name))]],
  );
  // Which one counts depends on the signer; one that gets a tip alone adds the base fee to it.
  const prices = [given.gasPrice, given.maxFeePerGas, given.maxPriorityFeePerGas].flatMap((price) =>
    price === undefined || price === null ? [] : [readQuantity(price, "the gas price")],
  );
  const price = prices.length === 0 ? undefined : prices.reduce((one, other) => (one > other ? one : other));
  const limit = gas === undefined || gas === null ? MAX_GAS : readQuantity(gas, "gas");
  return {
    ...nothing,
    kind: "transaction",
    sender,
    to: target,
    valueWei,
    feeWei: price === undefined ? undefined : limit * price,
    selector: calldata.slice(0, 10),
    nonce: given.nonce === undefined || given.nonce === null ? undefined : readQuantity(given.nonce, "nonce"),
    createsContract: target === null,
    // A second one would be sent a second time.
    isRepeatable: false,
    questions:
      target === null ? [] : [{ transaction: { from: sender, to: target, data: calldata, value: valueWei } }],
    params: [
      {
        from: sender,
        ...(target !== null && { to: target }),
        ...(data !== undefined && { data: calldata }),
        ...(input !== undefined && { input: calldata }),
        value: toQuantity(valueWei),
        ...Object.fromEntries(quantities),
        ...(type !== undefined && { type }),
        ...(given.accessList !== undefined && { accessList: given.accessList }),
        // A wallet that was switched to another chain must not sign it for that one.
        chainId: toQuantity(BigInt(CHAIN_ID)),
      },
    ],
  };
};

async function readSigned(raw: unknown, params: (bytes: Hex) => unknown[]): Promise<ReadIntent> {
  const signed = await readRawTransaction(readBytes(raw, "the signed transaction"));
  const { from, to, data, valueWei, bytes, authorizations } = signed;
  return {
    ...nothing,
    kind: "transaction",
    sender: from,
    to,
    valueWei,
    feeWei: signed.feeWei,
    selector: data.slice(0, 10),
    transactionHash: signed.hash,
    nonce: signed.nonce,
    createsContract: to === null,
    isRepeatable: true,
    // The transaction is judged with the code that accounts have before it.
    unseen: authorizations.length > 0 ? ["AUTHORIZATION_NOT_RUN"] : [],
    questions: [
      ...(to === null ? [] : [{ transaction: { from, to, data, value: valueWei } }]),
      ...authorizations.map(({ signer, ...authorization }) => ({ message: { authorization }, signer })),
    ],
    params: params(bytes),
  };
}

/** A signed transaction, and what further parameters the method takes. */
const readRaw =
  (most: number): Reader =>
  (params) => {
    expectCount(params, 1, most);
    return readSigned(params[0], (bytes) => [bytes, ...params.slice(1)]);
  };

const readPrivate: Reader = (params) => {
  expectCount(params, 1);
  const given = readFields(params[0], "the request", ["tx", "maxBlockNumber", "preferences"]);
  return readSigned(given.tx, (bytes) => [{ ...given, tx: bytes }]);
};

const bundleFields = ["txs", "blockNumber", "minTimestamp", "maxTimestamp", "replacementUuid", "builders"];
const readBundle: Reader = (params) => {
  expectCount(params, 1);
  const given = readFields(params[0], "the bundle", bundleFields);
  if (!Array.isArray(given.txs) || given.txs.length !== 1)
    throw new InvalidArgumentError(
      "a bundle is judged only with one transaction: several depend on each other and cannot be judged one by one.",
    );
  return readSigned(given.txs[0], (bytes) => [{ ...given, txs: [bytes] }]);
};

const signature = (signer: Hex, question: SigningQuestion, params: unknown[]): ReadIntent => ({
  ...nothing,
  kind: "signature",
  sender: signer,
  to: null,
  isRepeatable: true,
  questions: [question],
  params,
});

const readPersonal: Reader = (params, origin) => {
  // The third is a password, which some nodes take.
  expectCount(params, 2, 3);
  const [given, account, ...rest] = params;
  if (typeof given !== "string")
    throw new InvalidArgumentError("the first parameter must be the message, as a text.");
  const signer = readAddress(account, "the second parameter");
  const isBytes = /^0x([0-9a-fA-F]{2})*$/.test(given);
  if (!isBytes && /^0x/i.test(given))
    throw new InvalidArgumentError(
      "the message begins with 0x but is not whole bytes, and wallets differ on what it says.",
    );
  const bytes = isBytes ? given.toLowerCase() : `0x${Buffer.from(given, "utf8").toString("hex")}`;
  const message = { personalMessage: bytes, ...(origin !== undefined && { origin }) };
  return signature(signer, { message, signer }, [bytes, signer, ...rest]);
};

const readTyped: Reader = (params, origin) => {
  expectCount(params, 2);
  const signer = readAddress(params[0], "the first parameter");
  const given = params[1];
  if (typeof given !== "string" && (typeof given !== "object" || given === null))
    throw new InvalidArgumentError("the second parameter must be a document (EIP-712), or its text.");
  const message = { typedData: given as never, ...(origin !== undefined && { origin }) };
  const { input } = readSigningQuestion({ message, signer }) as { input: { typedData?: object } };
  const judged = input.typedData;
  return signature(signer, { message, signer }, [
    signer,
    typeof given === "string" ? JSON.stringify(judged) : judged,
  ]);
};

const readCalls: Reader = (params, origin) => {
  expectCount(params, 1);
  const names = ["version", "id", "chainId", "from", "calls", "capabilities", "atomicRequired"];
  const given = readFields(params[0], "the batch", names);
  const sender = readAddress(given.from, "from");
  readChain(given.chainId);
  readFields(given.capabilities ?? {}, "capabilities", ["paymasterService", "atomic"]);
  if (!Array.isArray(given.calls)) throw new InvalidArgumentError("calls must be a list.");
  // They are judged as one. Carried out one by one, they give others time between a permission and its end.
  const isSeveral = given.calls.length > 1;
  if (isSeveral && given.version !== "2.0.0")
    throw new InvalidArgumentError(
      'several calls need the version "2.0.0" (EIP-5792): by others a wallet may carry out a part of them.',
    );
  const calls = given.calls.map((call) => {
    const { to, data, value } = readFields(call, "a call", ["to", "data", "value"]);
    return {
      to: readAddress(to, "to of a call"),
      data: readBytes(data ?? "0x", "data of a call"),
      value: toQuantity(readQuantity(value ?? "0x0", "value of a call")),
    };
  });
  return {
    ...nothing,
    kind: "calls",
    sender,
    to: calls[0]?.to ?? null,
    valueWei: calls.reduce((sum, { value }) => sum + BigInt(value), 0n),
    isRepeatable: false,
    questions: [{ message: { calls, ...(origin !== undefined && { origin }) }, signer: sender }],
    params: [{ ...given, from: sender, calls, ...(isSeveral && { atomicRequired: true }) }],
  };
};

/** What an operation pays for, in gas. */
const operationGas = [
  ...["callGasLimit", "verificationGasLimit", "preVerificationGas"],
  ...["paymasterVerificationGasLimit", "paymasterPostOpGasLimit"],
];
/** Guards take decimal text and numbers too, which bundlers may read otherwise. */
const operationQuantities = ["nonce", "maxFeePerGas", "maxPriorityFeePerGas", ...operationGas];

const readOperation: Reader = (params) => {
  expectCount(params, 2);
  const entryPoint = readAddress(params[1], "the entry point");
  if (typeof params[0] !== "object" || params[0] === null)
    throw new InvalidArgumentError("the first parameter must be a user operation.");
  const operation = params[0] as Record<string, unknown>;
  if ("entryPoint" in operation) throw new InvalidArgumentError("the entry point is the second parameter.");
  const sender = readAddress(operation.sender, "sender");
  const question: SigningQuestion = {
    message: { userOperation: { ...operation, entryPoint } as never },
    signer: sender,
  };
  // As it is judged: of every form, unpacked. Throws at a quantity that is none.
  const { input } = readSigningQuestion(question) as { input: { userOperation?: object } };
  const judged = { ...input.userOperation } as Readonly<Record<string, string | undefined>>;
  const quantities = operationQuantities.flatMap((name) =>
    operation[name] === undefined || operation[name] === null
      ? []
      : [[name, toQuantity(BigInt(operation[name] as string))]],
  );
  const written = Object.fromEntries(quantities);
  const sum = operationGas.reduce((all, name) => all + BigInt(judged[name] ?? "0"), 0n);
  return {
    ...nothing,
    kind: "operation",
    sender,
    to: sender,
    // With a paymaster too: it may ask the account for what it paid.
    feeWei: sum * BigInt(judged.maxFeePerGas ?? "0"),
    isRepeatable: true,
    questions: [question],
    params: [{ ...operation, ...written }, entryPoint],
  };
};

const readers: Readonly<Record<JudgedMethod, Reader>> = {
  eth_sendTransaction: readTransaction,
  eth_signTransaction: readTransaction,
  eth_sendRawTransaction: readRaw(1),
  eth_sendRawTransactionSync: readRaw(2),
  eth_sendRawTransactionConditional: readRaw(2),
  eth_sendPrivateRawTransaction: readRaw(2),
  eth_sendPrivateTransaction: readPrivate,
  eth_sendBundle: readBundle,
  personal_sign: readPersonal,
  eth_signTypedData_v4: readTyped,
  wallet_sendCalls: readCalls,
  eth_sendUserOperation: readOperation,
};
