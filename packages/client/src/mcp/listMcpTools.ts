import { type CapabilityId, capabilities, type ListedCapability } from "@assay/capabilities";
import { jsonSchemaOf, usdFromMicro } from "@assay/protocol";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";

/** Tool names hold no dots, which some hosts refuse. The service names them in the same way. */
export const toolNameOf = (id: string): string => id.replaceAll(".", "_");

export const findToolCapability = (name: string): ListedCapability | undefined =>
  capabilities.find(({ id }) => toolNameOf(id) === name);

export const CHECK_TOOL = "check";

interface Limits {
  readonly maxPriceUsd: number;
  readonly maxPerDayUsd: number;
}

/** One tool for anything, and one for each capability. */
export function listMcpTools(limits: Limits): Tool[] {
  return [describeCheck(limits), ...capabilities.map((capability) => describeTool(capability))];
}

const annotations = (isReadOnly: boolean) => ({
  readOnlyHint: isReadOnly,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
});

function describeTool(capability: ListedCapability): Tool {
  const { id, summary, title, prices } = capability;
  return {
    name: toolNameOf(id),
    title,
    description: `${summary} Costs about ${usdFromMicro(prices.missMicroUsd)} USD, within the user's limits.`,
    inputSchema: jsonSchemaOf(capability.input) as Tool["inputSchema"],
    outputSchema: answerSchema([id]),
    annotations: annotations(capability.leaves !== "observation"),
  };
}

function describeCheck({ maxPriceUsd, maxPerDayUsd }: Limits): Tool {
  const address = { type: "string", pattern: "^0x[0-9a-fA-F]{40}$" };
  const ids = capabilities.map(({ id }) => id);
  return {
    name: CHECK_TOOL,
    title: "Check anything before you sign, send or trust it",
    description: `Takes what a person or a site gave you, as it is: an address, the hash of a transaction, a transaction as JSON, a request to a wallet (eth_sendTransaction, eth_signTypedData_v4, personal_sign, wallet_sendCalls, eth_sendUserOperation), a signed transaction, calldata, an EIP-712 document, a text to sign, the URL of a page or the symbol of a known token. It finds the right check on Base, pays for it (at most ${maxPriceUsd} USD a call and ${maxPerDayUsd} USD a day), verifies the answer and returns a verdict: go on at "allow" alone, ask the user at "review", stop at "block".`,
    inputSchema: {
      type: "object",
      properties: {
        what: { type: "string", description: "what is to be checked, unchanged" },
        from: { ...address, description: "account that would send or sign it, where it does not say" },
        to: { ...address, description: "contract that calldata is for" },
        value: { type: "string", description: "wei that go with calldata, decimal or 0x hex" },
        entryPoint: { ...address, description: "ERC-4337 entry point of a user operation" },
        origin: { type: "string", description: "origin of the site that asks for a signature" },
        capability: { type: "string", enum: ids, description: "the check to make, where another fits too" },
      },
      required: ["what"],
      additionalProperties: false,
    },
    outputSchema: answerSchema(ids),
    annotations: annotations(false),
  };
}

/** The decision contract, as far as a reader of `structuredContent` depends on it. */
function answerSchema(ids: readonly CapabilityId[]): NonNullable<Tool["outputSchema"]> {
  const block = { type: "integer", minimum: 0 };
  const texts = { type: "array", items: { type: "string" } };
  return {
    type: "object",
    properties: {
      capabilityId: { type: "string", enum: [...ids] },
      verdict: { type: "string", enum: ["allow", "review", "block"] },
      result: {
        type: "object",
        properties: {
          summary: { type: "string" },
          reasonCodes: texts,
          limitations: texts,
          evidence: { type: "object" },
          computedAtBlock: block,
          validUntilBlock: block,
        },
        required: ["summary", "reasonCodes", "limitations", "evidence", "computedAtBlock", "validUntilBlock"],
      },
      receiptUrl: { type: "string" },
    },
    required: ["capabilityId", "verdict", "result", "receiptUrl"],
  };
}
