import { countFitting, openPack, packCalls, readPlainCall, readPlainCode } from "./callPack.js";
import { type Fold, type Folder, groupPlaces, type Overriding } from "./fold.js";

/** Fewer calls are made as they are: each is then what anybody else would ask. */
export const MIN_PACKED_CALLS = 5;

/** Calls of one block that name no sender, and the codes that are read beside them, as one. */
export function foldCalls(overriding: Overriding): Folder {
  return (requests) => {
    if (overriding.isRefused()) return [];
    const calls = requests.map(readPlainCall);
    if (calls.filter((call) => call !== undefined).length < MIN_PACKED_CALLS) return [];
    const codes = requests.map(readPlainCode);
    const groups = groupPlaces(requests, (request, i) =>
      calls[i] || codes[i] ? JSON.stringify(request.params[1]) : undefined,
    );
    return groups.flatMap(({ places: all }): Fold[] => {
      if (all.filter((place) => calls[place]).length < MIN_PACKED_CALLS) return [];
      // No call can use up the gas of what comes before it.
      const ordered = [...all.filter((place) => codes[place]), ...all.filter((place) => calls[place])];
      const packable = ordered.flatMap((place) => codes[place] ?? calls[place] ?? []);
      const count = countFitting(packable);
      const at = requests[all[0] as number]?.params[1];
      return [
        {
          places: ordered.slice(0, count),
          request: packCalls(packable.slice(0, count), at),
          open: (answer) => overriding.open(answer, count, openPack),
        },
      ];
    });
  };
}
