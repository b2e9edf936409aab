import { useQuery } from "@tanstack/react-query";
import { readAddressSight } from "../service/pageData.js";
import type { AskedPaste } from "./askPasted.js";
import { fitToSight } from "./fitToSight.js";

export interface Sighted {
  readonly asked: AskedPaste | undefined;
  /** Whether the chain is being asked what stands at the address. */
  readonly isLooking: boolean;
  /** An account without code, about which no contract's question can be asked. */
  readonly account: string | undefined;
}

/** What was pasted, once the service has read what stands at its address; without an answer it is left as it is. */
export function useSight(asked: AskedPaste | undefined): Sighted {
  const address = asked?.problem === undefined ? asked?.address : undefined;
  const { data, isPending } = useQuery({
    queryKey: ["sight", address],
    enabled: address !== undefined,
    queryFn: () => readAddressSight(address as string),
    retry: false,
    staleTime: 60_000,
  });
  const sight = address === undefined ? undefined : data;
  return {
    asked: asked && sight ? fitToSight(asked, sight) : asked,
    isLooking: address !== undefined && isPending,
    account: sight?.kind === "account" ? sight.address : undefined,
  };
}
