import { type Quote, quoteSchema } from "@assay/protocol";
import type { PrivateKeyAccount } from "viem/accounts";
import { expect } from "vitest";

/** Questions about prices of contract.guard, to a service that runs by the time they are asked. */
export function askQuotes(findUrl: () => string) {
  const get = (query: Record<string, string>) =>
    fetch(`${findUrl()}/api/v1/quotes?${new URLSearchParams(query)}`);
  return {
    get,
    async quoteFor(wallet: PrivateKeyAccount, contract: string): Promise<Quote> {
      const response = await get({
        capability: "contract.guard",
        address: contract,
        wallet: wallet.address,
      });
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("no-store");
      return quoteSchema.parse(await response.json());
    },
    guardUrl: (address: string) =>
      `${findUrl()}/api/v1/capabilities/contract.guard/invoke?address=${address}`,
  };
}
