import { type Client, createClient, type PayerAccount } from "@assay/client";
import type { Hex } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";

/** The service that served this page; it is asked for everything, and nobody else is. */
export const assay: Client = createClient({ baseUrl: window.location.origin });

/** A client that signs and pays with this account, in the token that the service asks for. */
export const createPayingClient = (account: PayerAccount, stablecoin: Hex): Client =>
  createClient({ baseUrl: window.location.origin, account, assets: [stablecoin] });

const HEAD_EVERY_MS = 2_000;

/** Readiness and the chain's head, asked again and again. */
export const useHealth = () =>
  useQuery({ queryKey: ["health"], queryFn: () => assay.health(), refetchInterval: HEAD_EVERY_MS });

export const useCatalog = () =>
  useQuery({ queryKey: ["catalog"], queryFn: () => assay.catalog(), staleTime: 60_000 });

/** The keys to check answers with. */
export const useDescription = () =>
  useQuery({
    queryKey: ["description"],
    queryFn: () => assay.describe(),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Null on a real chain. */
export const useLocalChain = () =>
  useQuery({
    queryKey: ["local chain"],
    queryFn: async () => (await assay.findLocalChain()) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
