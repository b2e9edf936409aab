import { countFitting, openPack, packCalls, readPlainCall } from "./callPack.js";
import { type Fold, type Folder, groupPlaces, type Overriding } from "./fold.js";

/** Fewer calls are made as they are: each is then what anybody else would ask. */
export const MIN_PACKED_CALLS = 5;

/** Calls of one block that name no sender, as one. */
export function foldCalls(overriding: Overriding): Folder {
  return (requests) => {
    if (overriding.isRefused()) return [];
    const calls = requests.map(readPlainCall);
    if (calls.filter((call) => call !== undefined).length < MIN_PACKED_CALLS) return [];
    const groups = groupPlaces(requests, (request, i) =>
      calls[i] ? JSON.stringify(request.params[1]) : undefined,
    );
    return groups.flatMap(({ places }): Fold[] => {
      const packable = places.flatMap((place) => calls[place] ?? []);
      const count = countFitting(packable);
      if (count < MIN_PACKED_CALLS) return [];
      const at = requests[places[0] as number]?.params[1];
      return [
        {
          places: places.slice(0, count),
          request: packCalls(packable.slice(0, count), at),
          open: (answer) => overriding.open(answer, count, openPack),
        },
      ];
    });
  };
}
