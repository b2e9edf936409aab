import { type Client, createClient, type PayerAccount } from "@assay/client";
import type { Health, Hex } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

/** The service that served this page. Every request of the console goes to it. */
export const assay: Client = createClient({ baseUrl: window.location.origin });

/** A client that pays with this account, in this token, and only what the service's known key has offered. */
export const createPayingClient = (account: PayerAccount, stablecoin: Hex, signer: Hex): Client =>
  createClient({ baseUrl: window.location.origin, account, assets: [stablecoin], signer });

export const HEAD_EVERY_MS = 2_000;
/** Processes of one service may be this far apart, and the one that answers now behind the one that sold. */
const LARGEST_LAG_MS = 10_000;
/** Of Base; assumed where the service does not know its chain's. */
const USUAL_BLOCK_MS = 200;
/** Keys change when a service is replaced under an open page. */
const KEYS_EVERY_MS = 10_000;

/** A service that takes longer counts as not answering. */
const HEALTH_WITHIN_MS = 4_000;

export interface HealthState {
  readonly data: Health | undefined;
  /** Of `data`, in ms by this browser's clock; 0 without. */
  readonly dataUpdatedAt: number;
  /** Why the health is unknown now; null while it is known, or during the first request. */
  readonly error: Error | null;
}

/** Readiness and the chain's head, polled. */
export function useHealth(): HealthState {
  const { data, dataUpdatedAt, errorUpdatedAt, error } = useQuery({
    queryKey: ["health"],
    queryFn: ({ signal }) =>
      assay.health({ signal: AbortSignal.any([signal, AbortSignal.timeout(HEALTH_WITHIN_MS)]) }),
    // Nobody waits for a second timeout.
    retry: (failures, { name }) => failures < 1 && name !== "TimeoutError",
    refetchInterval: HEAD_EVERY_MS,
  });
  // A request that is still running does not end the error before it.
  const isUnknown = errorUpdatedAt > dataUpdatedAt;
  return { data, dataUpdatedAt, error: isUnknown ? (error ?? stillUnknown) : null };
}

/** How many blocks a head may be behind another one of the same chain, by the block time that the service measures. */
export const largestLagBlocks = ({ blockTimeMs }: Pick<Health, "blockTimeMs">): number =>
  Math.ceil(LARGEST_LAG_MS / Math.max(1, blockTimeMs ?? USUAL_BLOCK_MS));

const stillUnknown = new Error("The service did not answer when it was asked last.");

/** The head when a form was first shown: the block of a reading must not move while somebody types. */
export function useFirstHead(): number | undefined {
  const { data } = useHealth();
  const [head, setHead] = useState<number>();
  if (head === undefined && data?.headBlock) setHead(data.headBlock);
  return head;
}

export const useCatalog = () =>
  useQuery({ queryKey: ["catalog"], queryFn: () => assay.catalog(), staleTime: 60_000 });

/** The keys to check answers with. */
export const useDescription = () =>
  useQuery({
    queryKey: ["description"],
    queryFn: () => assay.describe(),
    refetchInterval: KEYS_EVERY_MS,
  });

/** The receipt of a paid call, which no longer changes once it is settled. */
export const useReceipt = (invocationId: string) =>
  useQuery({
    queryKey: ["receipt", invocationId],
    queryFn: () => assay.receipt(invocationId),
    // Its place in the log may be signed a moment later; nothing else in it changes.
    staleTime: ({ state }) => (state.data?.log ? Number.POSITIVE_INFINITY : 5_000),
  });

/** Null on a real chain. */
export const useLocalChain = () =>
  useQuery({
    queryKey: ["local chain"],
    queryFn: async () => (await assay.findLocalChain()) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
