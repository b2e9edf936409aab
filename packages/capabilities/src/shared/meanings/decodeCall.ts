import { type AbiParameter, type Hex, size, slice } from "viem";
import type { KnownParty } from "../parties/knownParty.js";
import { decodeFirst } from "./decodeArguments.js";
import { findMeanings } from "./findMeanings.js";
import type { Meaning, RoleName } from "./meaning.js";
import { type CallContext, readPath } from "./readPath.js";
import { type Attribution, splitAttribution } from "./splitAttribution.js";
import { type TokenLookup, writeSentence } from "./writeSentence.js";

/** A call whose function is known. */
export interface DecodedCall {
  readonly meaning: Meaning;
  readonly inputs: readonly AbiParameter[];
  readonly args: readonly unknown[];
  /** Values of the roles that this function has. */
  readonly roles: Readonly<Partial<Record<RoleName, unknown>>>;
  readonly sentence: string;
  /** Whether encoding the arguments gives the same bytes: nothing is hidden between or behind them. */
  readonly complete: boolean;
  /** Names behind the arguments (ERC-8021), which contracts do not read. */
  readonly suffix?: Attribution;
}

/**
 * What a call says that it does. A party decides between protocols that share a selector. Nothing is proven about the
 * contract: any contract can give any meaning to a function. Never throws; undefined when the function is not known or
 * the data does not hold its arguments.
 */
export function decodeCall(
  data: Hex,
  party?: KnownParty,
  tokens?: TokenLookup,
  context: CallContext = {},
): DecodedCall | undefined {
  if (size(data) < 4) return undefined;
  const meanings = rankMeanings(findMeanings(slice(data, 0, 4)), context.standard ?? party?.protocol);
  const plain = decodeFirst(meanings, withoutSelector(data));
  const { calldata, attribution } = plain?.complete
    ? { calldata: data, attribution: null }
    : splitAttribution(data);
  const split =
    attribution === null || size(calldata) < 4 ? undefined : decodeFirst(meanings, withoutSelector(calldata));
  const found = split?.complete ? split : plain;
  if (found === undefined) return undefined;
  const { meaning, inputs, args, complete } = found;
  const place = { ...context, to: context.to ?? party?.address };
  const read = (path: string) => readPath(path, inputs, args, place);
  return {
    meaning,
    inputs,
    args,
    roles: Object.fromEntries(Object.entries(meaning.roles).map(([role, path]) => [role, read(path)])),
    sentence: writeSentence(meaning.sentence, {
      read,
      party,
      tokens,
      from: place.from,
      to: place.to,
      name: place.name,
    }),
    complete,
    ...(found === split && attribution !== null ? { suffix: attribution } : {}),
  };
}

/** Meanings of the party's own protocol come first. */
function rankMeanings(meanings: readonly Meaning[], protocol: string | undefined): readonly Meaning[] {
  if (protocol === undefined || meanings.length < 2) return meanings;
  const isOwn = (meaning: Meaning) => protocol.startsWith(meaning.protocol);
  return [...meanings.filter(isOwn), ...meanings.filter((meaning) => !isOwn(meaning))];
}

const withoutSelector = (data: Hex): Hex => (size(data) === 4 ? "0x" : slice(data, 4));
