import type { AssayTool } from "@assay/client";
import {
  type Action,
  type IAgentRuntime,
  type Memory,
  ModelType,
  type Plugin,
  parseJSONObjectFromText,
  type State,
} from "@elizaos/core";

/**
 * A plugin with an action for each tool. An action takes the parameters of a multi-step plan; without any, it asks the agent's
 * small model for them. Its result has the short text, and the whole answer in `data`.
 *
 * @example
 * const plugin = assayPlugin([...listTools(assay), createSendTool(wallet, { assay, signer })]);
 * export const agent = { character, plugins: [plugin] };
 */
export const assayPlugin = (tools: readonly AssayTool[]): Plugin => ({
  name: "assay",
  description: "Verdicts on what an agent is about to sign on Base, and a send that obeys them.",
  actions: tools.map(toAction),
});

function toAction({ name, description, inputSchema, run }: AssayTool): Action {
  const actionName = name.toUpperCase();
  return {
    name: actionName,
    description: `${description} Parameters: ${JSON.stringify(inputSchema.properties)}`,
    validate: async () => true,
    async handler(runtime, message, state, _options, callback) {
      try {
        const input =
          readPlanned(actionName, state) ?? (await askModel(runtime, message, actionName, inputSchema));
        const { text, answer, refused = false } = await run(input);
        await callback?.({ text, actions: [actionName] });
        return { success: !refused, text, data: { actionName, answer } };
      } catch (error) {
        const text = `${actionName} failed: ${error instanceof Error ? error.message : String(error)}`;
        await callback?.({ text, actions: [actionName] });
        return { success: false, text, error: text, data: { actionName } };
      }
    },
  };
}

/** Where ElizaOS keeps the parameters that its plan has for an action; names with an underscore are its own. */
function readPlanned(actionName: string, state: State | undefined): object | undefined {
  const planned = state?.data?.[actionName.toLowerCase().replaceAll("_", "")];
  if (typeof planned !== "object" || planned === null) return undefined;
  return Object.fromEntries(Object.entries(planned).filter(([name]) => !name.startsWith("_")));
}

async function askModel(
  runtime: IAgentRuntime,
  message: Memory,
  actionName: string,
  schema: object,
): Promise<object> {
  const prompt = [
    `Write the parameters of the action ${actionName} as one JSON object that follows this schema, and nothing else.`,
    JSON.stringify(schema),
    "They are for this message:",
    JSON.stringify(message.content.text ?? ""),
  ].join("\n");
  return parseJSONObjectFromText(await runtime.useModel(ModelType.TEXT_SMALL, { prompt })) ?? {};
}
