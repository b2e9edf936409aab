import { decodeAbiParameters, type Hex, size, slice } from "viem";

/** A call to decode. */
export interface CallOrder {
  readonly to: Hex;
  readonly value: bigint;
  readonly data: Hex;
  readonly caller: Hex;
  readonly isDelegatecall?: boolean;
}

type Args = readonly unknown[];
type Unwrap = (order: CallOrder, args: Args) => readonly CallOrder[];

/** Calls of a contract to itself. They keep the caller and, in most wrappers, share the value. */
const toSelf =
  (position: number): Unwrap =>
  ({ to, value, caller }, args) =>
    (args[position] as readonly Hex[]).map((data) => ({ to, value, data, caller }));

/** Calls that the wrapping contract makes itself, so that it is their caller. */
const fromWrapper =
  (read: (args: Args) => readonly { target: Hex; value?: bigint; data: Hex }[]): Unwrap =>
  ({ to }, args) =>
    read(args).map(({ target, value = 0n, data }) => ({ to: target, value, data, caller: to }));

/** What each wrapper holds. A wrapper whose content is malformed throws; the caller counts its bytes as undecoded. */
const unwrappers: Readonly<Record<string, Unwrap>> = {
  "multicall(bytes[])": toSelf(0),
  "multicall(uint256,bytes[])": toSelf(1),
  "multicall(bytes32,bytes[])": toSelf(1),
  "aggregate3((address,bool,bytes)[])": fromWrapper(([calls]) =>
    (calls as readonly { target: Hex; callData: Hex }[]).map(({ target, callData }) => ({
      target,
      data: callData,
    })),
  ),
  "aggregate3Value((address,bool,uint256,bytes)[])": fromWrapper(([calls]) =>
    (calls as readonly { target: Hex; value: bigint; callData: Hex }[]).map(
      ({ target, value, callData }) => ({
        target,
        value,
        data: callData,
      }),
    ),
  ),
  "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)": byOperation,
  // By delegatecall, its calls are made by the Safe. By a call, it makes them itself.
  "multiSend(bytes)": ({ to, caller, isDelegatecall }, [transactions]) =>
    unpackMultiSend(transactions as Hex, isDelegatecall ? caller : to),
  "execute(address,uint256,bytes)": fromWrapper(([target, value, data]) => [
    { target: target as Hex, value: value as bigint, data: data as Hex },
  ]),
  "executeBatch((address,uint256,bytes)[])": fromWrapper(([calls]) => calls as readonly Execution[]),
  "executeBatch(address[],uint256[],bytes[])": fromWrapper(listColumns),
  "executeBatch_y6U(address[],uint256[],bytes[])": fromWrapper(listColumns),
  "execute_ncC(address,uint256,bytes)": fromWrapper(([target, value, data]) => [
    { target: target as Hex, value: value as bigint, data: data as Hex },
  ]),
  "execute((address,uint256,bytes))": fromWrapper(([call]) => [call as Execution]),
  "execute(((address,uint256,bytes)[],bool))": fromWrapper(
    ([batch]) => (batch as { calls: readonly Execution[] }).calls,
  ),
  "execute((address,uint256,bytes)[],bytes)": fromWrapper(([calls]) => calls as readonly Execution[]),
  "executeBySender((address,uint256,bytes)[])": fromWrapper(([calls]) => calls as readonly Execution[]),
  "execute(address,uint256,bytes,uint8)": byOperation,
  "executeUserOp(address,uint256,bytes,uint8)": byOperation,
  "executeUserOpWithErrorString(address,uint256,bytes,uint8)": byOperation,
  "executeBatch(address[],bytes[])": fromWrapper(([targets, datas]) =>
    (targets as readonly Hex[]).map((target, index) => ({
      target,
      data: (datas as readonly Hex[])[index] ?? "0x",
    })),
  ),
  "aggregate((address,bytes)[])": fromWrapper(([calls]) => listPlainCalls(calls)),
  "tryAggregate(bool,(address,bytes)[])": fromWrapper(([, calls]) => listPlainCalls(calls)),
  "execTransactionFromModule(address,uint256,bytes,uint8)": byOperation,
  "multicall((address,bytes,uint256,bool,bytes32)[])": fromWrapper(([bundle]) =>
    (bundle as readonly { to: Hex; value: bigint; data: Hex }[]).map(({ to, value, data }) => ({
      target: to,
      value,
      data,
    })),
  ),
  "execute(bytes32,bytes)": ({ to }, [mode, executions]) => unpackErc7579(to, mode as Hex, executions as Hex),
  "handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)": unwrapOperations,
  "handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)":
    unwrapOperations,
};

interface Execution {
  readonly target: Hex;
  readonly value: bigint;
  readonly data: Hex;
}

/** A list of targets, one of values and one of calldata. */
function listColumns([targets, values, datas]: Args): Execution[] {
  return (targets as readonly Hex[]).map((target, index) => ({
    target,
    value: (values as readonly bigint[])[index] ?? 0n,
    data: (datas as readonly Hex[])[index] ?? "0x",
  }));
}

/** Safe's way to say it: operation 1 is a delegatecall. */
function byOperation({ to: account }: CallOrder, [to, value, data, operation]: Args): CallOrder[] {
  return [
    {
      to: to as Hex,
      value: value as bigint,
      data: data as Hex,
      caller: account,
      isDelegatecall: operation === 1,
    },
  ];
}

const listPlainCalls = (calls: unknown) =>
  (calls as readonly { target: Hex; callData: Hex }[]).map(({ target, callData }) => ({
    target,
    data: callData,
  }));

/** Of ERC-4337: each account is called by the entry point. */
function unwrapOperations({ to: entryPoint }: CallOrder, [ops]: Args): CallOrder[] {
  return (ops as readonly { sender: Hex; callData: Hex }[]).map(({ sender, callData }) => ({
    to: sender,
    value: 0n,
    data: callData,
    caller: entryPoint,
  }));
}

/** Whether the purpose of a function is to make calls that are given to it, even if it is given none. */
export const isWrapper = (signature: string | null): boolean => signature !== null && signature in unwrappers;

/** The calls inside a known function; undefined when it holds none. Throws when its content is malformed. */
export function unwrapCall(
  order: CallOrder,
  signature: string,
  args: Args,
): readonly CallOrder[] | undefined {
  return unwrappers[signature]?.(order, args);
}

/** Safe's packed list: operation (1 byte), to (20), value (32), length (32), data. */
function unpackMultiSend(packed: Hex, caller: Hex): CallOrder[] {
  const orders: CallOrder[] = [];
  for (let at = 0; at < size(packed); ) {
    const operation = Number(slice(packed, at, at + 1));
    if (at + 85 > size(packed) || operation > 1) throw new RangeError("multiSend holds no call here");
    const length = Number(BigInt(slice(packed, at + 53, at + 85)));
    const end = at + 85 + length;
    if (end > size(packed)) throw new RangeError("multiSend ends inside a call");
    orders.push({
      to: slice(packed, at + 1, at + 21),
      value: BigInt(slice(packed, at + 21, at + 53)),
      data: length === 0 ? "0x" : slice(packed, at + 85, end),
      caller,
      isDelegatecall: operation === 1,
    });
    at = end;
  }
  return orders;
}

const executionsParameter = [
  {
    type: "tuple[]",
    components: [
      { name: "target", type: "address" },
      { name: "value", type: "uint256" },
      { name: "callData", type: "bytes" },
    ],
  },
] as const;

/** ERC-7821: several batches, each with data of its own. */
const BATCH_OF_BATCHES = "0x78210002";

/** ERC-7579: the mode's first byte says one call (00), many (01) or a delegatecall (ff). */
function unpackErc7579(account: Hex, mode: Hex, executions: Hex): CallOrder[] {
  const kind = slice(mode, 0, 1);
  if (kind === "0x01" && slice(mode, 6, 10) === BATCH_OF_BATCHES) {
    const [batches] = decodeAbiParameters([{ type: "bytes[]" }], executions);
    const single: Hex = `0x01${"00".repeat(31)}`;
    return batches.flatMap((batch) => unpackErc7579(account, single, batch));
  }
  if (kind === "0x01") {
    const [calls] = decodeAbiParameters(executionsParameter, executions);
    return calls.map(({ target, value, callData }) => ({
      to: target,
      value,
      data: callData,
      caller: account,
    }));
  }
  const isDelegatecall = kind === "0xff";
  if (!isDelegatecall && kind !== "0x00") throw new RangeError("an unknown execution mode");
  const dataAt = isDelegatecall ? 20 : 52;
  return [
    {
      to: slice(executions, 0, 20),
      value: isDelegatecall ? 0n : BigInt(slice(executions, 20, 52)),
      data: size(executions) > dataAt ? slice(executions, dataAt) : "0x",
      caller: account,
      isDelegatecall,
    },
  ];
}
