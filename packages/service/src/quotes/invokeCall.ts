import type { CapabilityInput, ListedCapability } from "@assay/capabilities";

export interface InvokeCall {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly body: Record<string, unknown> | null;
}

/** How to call a capability with this input over HTTP. */
export function invokeCall(
  publicUrl: string,
  capability: ListedCapability,
  input: CapabilityInput,
  /** Who will pay, where that is known. */
  wallet?: string,
  query: Readonly<Record<string, string>> = {},
): InvokeCall {
  const url = new URL(`${publicUrl}/api/v1/capabilities/${capability.id}/invoke`);
  if (capability.method === "GET") {
    for (const [name, value] of Object.entries(input))
      if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
  }
  if (wallet !== undefined && capability.asksForWallet) url.searchParams.set("wallet", wallet);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return {
    method: capability.method,
    url: url.toString(),
    body: capability.method === "POST" ? { ...input } : null,
  };
}
