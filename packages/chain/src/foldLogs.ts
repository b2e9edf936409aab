import { z } from "zod";
import { type Fold, type Folder, groupPlaces } from "./fold.js";
import type { RpcRequest } from "./rpcAnswer.js";

interface Filter {
  /** A single one may be written without a list. */
  readonly address?: string | readonly string[];
}

const logsSchema = z.array(z.looseObject({ address: z.string() }));

/** Searches for the same events of different contracts, as one search of all these contracts. */
export function foldLogs(): Folder {
  return (requests) => {
    const groups = groupPlaces(requests, (request) => {
      if (request.method !== "eth_getLogs") return undefined;
      const { address, ...rest } = request.params[0] as Filter;
      return address === undefined ? undefined : JSON.stringify(rest);
    });
    return groups.flatMap(({ places }): Fold[] => {
      if (places.length === 1) return [];
      const wanted = places.map((place) => listAddresses(requests[place]));
      const filter = requests[places[0] ?? 0]?.params[0] as Filter;
      const address = [...new Set(wanted.flat())];
      return [
        {
          places,
          request: { method: "eth_getLogs", params: [{ ...filter, address }] },
          open(answer) {
            if (answer.kind === "no_response") return wanted.map(() => answer);
            const found = answer.kind === "result" ? logsSchema.safeParse(answer.result).data : undefined;
            // Together they may be too many for the node.
            if (found === undefined) return wanted.map(() => undefined);
            return wanted.map((own) => ({
              kind: "result",
              result: found.filter((log) => own.includes(log.address.toLowerCase())),
            }));
          },
        },
      ];
    });
  };
}

const listAddresses = (request: RpcRequest | undefined): readonly string[] =>
  [(request?.params[0] as Filter | undefined)?.address ?? []].flat().map((address) => address.toLowerCase());
