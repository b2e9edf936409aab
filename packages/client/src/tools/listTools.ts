import { type CapabilityId, capabilities, type ListedCapability } from "@assay/capabilities";
import { type CapabilityResult, type JsonSchema, jsonSchemaOf, NETWORK, usdFromMicro } from "@assay/protocol";
import type { RequestOptions } from "../connect.js";
import type { Client } from "../createClient.js";
import { describeForModel } from "./describeForModel.js";
import { parseToolInput } from "./parseToolInput.js";

/** What a framework needs to let a model call something. */
export interface AssayTool {
  /** Letters, digits and underscores: some models refuse dots. */
  readonly name: string;
  readonly description: string;
  /** Every field may be written as text: a document or a list as its JSON. */
  readonly inputSchema: ToolInputSchema;
  /** Throws TypeError, before anybody pays, at an input that breaks a rule of the schema. */
  run(input: unknown, options?: RequestOptions): Promise<ToolAnswer>;
}

export interface ToolInputSchema extends JsonSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, { readonly description?: string }>>;
  readonly required?: readonly string[];
}

export interface ToolAnswer {
  /** For the model: at most 700 tokens, with the verdict first. A stranger's words stand in quotation marks. */
  readonly text: string;
  /** The whole, for the program around the model. */
  readonly answer: CapabilityResult;
  /** True where the tool was to send something and did not. */
  readonly refused?: boolean | undefined;
}

export interface ToolsOptions {
  /** Only these; by default every capability. Each tool takes some of a model's context. */
  readonly only?: readonly CapabilityId[] | undefined;
}

/**
 * Every capability as a tool for a model. The client pays, within its limits, and verifies before the model sees anything.
 *
 * @example
 * const tools = listTools(createClient({ baseUrl, account, signer, maxTotalUsd: 5 }), { only: ["contract.guard"] });
 */
export function listTools(
  assay: Pick<Client, "call">,
  { only = capabilities.map(({ id }) => id) }: ToolsOptions = {},
): AssayTool[] {
  return only.map((id) => toTool(assay, findListed(id)));
}

function findListed(id: CapabilityId): ListedCapability {
  const found = capabilities.find((one) => one.id === id);
  if (!found) throw new TypeError(`There is no capability ${id}.`);
  return found;
}

function toTool(assay: Pick<Client, "call">, capability: ListedCapability): AssayTool {
  const { id, summary, prices } = capability;
  return {
    name: id.replaceAll(".", "_"),
    description: [
      summary,
      `Returns a verdict (allow, review or block)${capability.isAboutChain ? ` for ${NETWORK}` : ""} with reasons and the block until which it holds.`,
      `Each call is paid: up to ${usdFromMicro(prices.missMicroUsd)} USD by default.`,
    ].join(" "),
    inputSchema: jsonSchemaOf(capability.input) as ToolInputSchema,
    async run(input, { signal } = {}) {
      const { answer } = await assay.call(id, parseToolInput(capability, input) as never, { signal });
      return { text: await describeForModel(answer), answer };
    },
  };
}
