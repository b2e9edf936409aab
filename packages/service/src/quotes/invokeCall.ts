import { asksForWallet, type CapabilityInput, type CapabilitySpec } from "@assay/protocol";

export interface InvokeCall {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly body: Record<string, unknown> | null;
}

/** How to call a capability with this input over HTTP. */
export function invokeCall(
  publicUrl: string,
  spec: CapabilitySpec,
  input: CapabilityInput,
  /** Who will pay, where that is known. */
  wallet?: string,
  query: Readonly<Record<string, string>> = {},
): InvokeCall {
  const url = new URL(`${publicUrl}/api/v1/capabilities/${spec.id}/invoke`);
  if (spec.method === "GET") {
    for (const [name, value] of Object.entries(input))
      if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
  }
  if (wallet !== undefined && asksForWallet(spec.id)) url.searchParams.set("wallet", wallet);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return { method: spec.method, url: url.toString(), body: spec.method === "POST" ? { ...input } : null };
}
