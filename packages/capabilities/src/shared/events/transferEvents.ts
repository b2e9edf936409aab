import type { EventLog, Hex } from "@assay/protocol";
import {
  type AbiParameter,
  type DecodeAbiParametersReturnType,
  decodeAbiParameters,
  parseAbiParameters,
} from "viem";
import { WETH } from "../chain-facts/knownContracts.js";
import { topicOf } from "./topicOf.js";

/** A transfer that an event reports. A contract can emit the event without moving anything. */
interface TransferEvent {
  readonly kind: "erc20" | "erc721" | "erc1155" | "wrapping";
  /** Undefined for a deposit, which creates wrapped currency. */
  readonly from?: Hex | undefined;
  /** Undefined for a withdrawal, which destroys wrapped currency. */
  readonly to?: Hex | undefined;
  /** Of an item, in decimal. */
  readonly id: string | null;
  readonly amount: bigint;
}

const TRANSFER = topicOf("Transfer(address,address,uint256)");
const TRANSFER_SINGLE = topicOf("TransferSingle(address,address,address,uint256,uint256)");
const TRANSFER_BATCH = topicOf("TransferBatch(address,address,address,uint256[],uint256[])");
const DEPOSIT = topicOf("Deposit(address,uint256)");
const WITHDRAWAL = topicOf("Withdrawal(address,uint256)");

const item = parseAbiParameters("uint256, uint256");
const items = parseAbiParameters("uint256[], uint256[]");

/** The transfers that one log reports; none for any other event. */
export function listTransfers({ address, topics, data }: EventLog): TransferEvent[] {
  const [topic, first, second, third] = topics;
  switch (topic) {
    case TRANSFER: {
      const between = { from: holderIn(first), to: holderIn(second) };
      // An ERC-721 token has the item as a topic too.
      if (third !== undefined)
        return [{ kind: "erc721", ...between, id: BigInt(third).toString(), amount: 1n }];
      const amount = findWord(data);
      return amount === undefined ? [] : [{ kind: "erc20", ...between, id: null, amount }];
    }
    case TRANSFER_SINGLE: {
      const [id, amount] = decodeEvent(item, data) ?? [];
      if (id === undefined || amount === undefined) return [];
      return [{ kind: "erc1155", from: holderIn(second), to: holderIn(third), id: id.toString(), amount }];
    }
    case TRANSFER_BATCH: {
      const [ids = [], amounts = []] = decodeEvent(items, data) ?? [];
      const between = { from: holderIn(second), to: holderIn(third) };
      return ids.map((id, index) => ({
        kind: "erc1155",
        ...between,
        id: id.toString(),
        amount: amounts[index] ?? 0n,
      }));
    }
    case DEPOSIT:
    case WITHDRAWAL: {
      const amount = address === WETH ? findWord(data) : undefined;
      if (amount === undefined) return [];
      const holder = holderIn(first);
      return [
        { kind: "wrapping", ...(topic === DEPOSIT ? { to: holder } : { from: holder }), id: null, amount },
      ];
    }
    default:
      return [];
  }
}

/** The first word of the data. A receipt may have very many logs, so no ABI decoder runs for it. */
const findWord = (data: Hex): bigint | undefined =>
  data.length < 66 ? undefined : BigInt(data.slice(0, 66));

/** The address in an indexed argument, if it is one. */
export const holderIn = (topic: Hex | undefined): Hex | undefined =>
  topic && /^0x0{24}/.test(topic) ? `0x${topic.slice(26)}` : undefined;

/** Undefined where the data is not encoded as the event requires: then it is another event. */
export function decodeEvent<const P extends readonly AbiParameter[]>(
  parameters: P,
  data: Hex,
): DecodeAbiParametersReturnType<P> | undefined {
  try {
    return decodeAbiParameters(parameters, data);
  } catch {
    return undefined;
  }
}
