import type { AssayTool } from "@assay/client";
import { type FunctionTool, tool } from "@openai/agents-core";

/**
 * Tools for an `Agent`. The model sees the short text, which names the receipt of the whole answer.
 *
 * @example
 * const tools = assayTools([...listTools(assay), createSendTool(wallet, { assay, signer })]);
 * await run(new Agent({ name, tools }), "Swap a little ether.");
 */
export const assayTools = (tools: readonly AssayTool[]): FunctionTool[] =>
  tools.map(({ name, description, inputSchema, run }) =>
    tool({
      name,
      description,
      // Strict mode would make optional fields required.
      strict: false,
      parameters: inputSchema as never,
      execute: async (input: unknown, _context, details) =>
        (await run(input, { signal: details?.signal })).text,
    }),
  );
