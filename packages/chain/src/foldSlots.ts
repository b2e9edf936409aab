import type { Hex } from "@assay/protocol";
import { type Fold, type Folder, groupPlaces, type Overriding } from "./fold.js";
import type { RpcAnswer, RpcRequest } from "./rpcAnswer.js";

/** Each slot costs less than 3,000 gas; so many cost no more than any call may use. */
const MAX_FOLDED_SLOTS = 512;
const GAS = "0x2dc6c0";

/** Returns the word of each slot that its input names; as the code of an account it reads that account's slots. */
export const READ_SLOTS_CODE = "0x5f5b3681101560145780355481526020016001565b365ff3";

/** Slots of one account at one block, as one call of the account with other code. */
export function foldSlots(overriding: Overriding): Folder {
  return (requests) => {
    if (overriding.isRefused()) return [];
    const groups = groupPlaces(requests, ({ method, params }) =>
      method === "eth_getStorageAt" ? JSON.stringify([params[0], params[2]]) : undefined,
    );
    return groups.flatMap(({ places: all }): Fold[] => {
      const places = all.slice(0, MAX_FOLDED_SLOTS);
      if (places.length === 1) return [];
      const [address, , at] = (requests[places[0] as number] as RpcRequest).params;
      const slots = places.map((place) => String(requests[place]?.params[1]).slice(2).padStart(64, "0"));
      const call = { to: address, data: `0x${slots.join("")}`, gas: GAS };
      return [
        {
          places,
          request: {
            method: "eth_call",
            params: [call, at, { [address as Hex]: { code: READ_SLOTS_CODE } }],
          },
          open: (answer) => overriding.open(answer, places.length, openSlots),
        },
      ];
    });
  };
}

function openSlots(result: unknown, count: number): RpcAnswer[] | undefined {
  if (typeof result !== "string" || !/^0x[0-9a-f]*$/i.test(result) || result.length !== 2 + 64 * count)
    return undefined;
  return Array.from({ length: count }, (_, i) => ({
    kind: "result",
    result: `0x${result.slice(2 + 64 * i, 2 + 64 * (i + 1))}`,
  }));
}
