import type { AssayTool, ToolAnswer } from "@assay/client";
import { jsonSchema, type Tool, tool } from "ai";

/**
 * Tools for `generateText`, `streamText` and agents. The model sees the short text; the result of a tool call, which the program
 * sees, has the whole answer too.
 *
 * @example
 * const tools = assayTools([...listTools(assay), createSendTool(wallet, { assay, signer })]);
 * await generateText({ model, tools, prompt, stopWhen: stepCountIs(8) });
 */
export const assayTools = (tools: readonly AssayTool[]): Record<string, Tool<unknown, ToolAnswer>> =>
  Object.fromEntries(
    tools.map(({ name, description, inputSchema, run }) => [
      name,
      tool<unknown, ToolAnswer>({
        description,
        inputSchema: jsonSchema(inputSchema as never),
        execute: (input, { abortSignal }) => run(input, { signal: abortSignal }),
        toModelOutput: ({ output }) => ({ type: "text", value: output.text }),
      }),
    ]),
  );
