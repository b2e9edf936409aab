import type { AssayTool } from "@assay/client";
import { DynamicStructuredTool } from "@langchain/core/tools";

/**
 * Tools for `createAgent`, a `ToolNode` or `model.bindTools`. The model sees the short text; the `artifact` of a tool message is
 * the whole answer.
 *
 * @example
 * const tools = assayTools([...listTools(assay), createSendTool(wallet, { assay, signer })]);
 * const agent = createAgent({ model, tools });
 */
export const assayTools = (tools: readonly AssayTool[]): DynamicStructuredTool[] =>
  tools.map(
    ({ name, description, inputSchema, run }) =>
      new DynamicStructuredTool({
        name,
        description,
        schema: inputSchema as object,
        responseFormat: "content_and_artifact",
        func: async (input: unknown, _manager, config) => {
          const { text, answer } = await run(input, { signal: config?.signal });
          return [text, answer];
        },
      }),
  );
