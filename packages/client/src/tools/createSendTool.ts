import { findCapability, type ListedCapability } from "@assay/capabilities";
import { type Hex, jsonSchemaOf } from "@assay/protocol";
import { type GuardPolicy, guardedSend } from "../guardedSend.js";
import { GuardRefusedError } from "../guardRefusedError.js";
import type { Wallet } from "../wallet.js";
import { describeForModel } from "./describeForModel.js";
import type { AssayTool, ToolAnswer, ToolInputSchema } from "./listTools.js";
import { parseToolInput } from "./parseToolInput.js";

/** Without a hash nothing was signed, and the text says why. */
export interface SendToolAnswer extends ToolAnswer {
  readonly hash?: Hex | undefined;
}

export interface SendTool extends AssayTool {
  run(...given: Parameters<AssayTool["run"]>): Promise<SendToolAnswer>;
}

/**
 * The one way for a model to send: `guardedSend` as a tool. A refusal is an answer that the model can read, not an error. Give
 * the model no other tool that signs with this wallet.
 *
 * @example
 * const send = createSendTool(walletClient, { assay, signer });
 */
export function createSendTool(wallet: Wallet, policy: GuardPolicy): SendTool {
  const from = wallet.account?.address;
  if (!from) throw new TypeError("A tool that sends needs a wallet with an account.");
  const asked = findCapability("transaction.intent.guard") as ListedCapability;
  const { required, ...schema } = jsonSchemaOf(asked.input) as ToolInputSchema;
  const { from: _, ...properties } = schema.properties;
  return {
    name: "send_transaction",
    description: `Sends a transaction of ${from} on Base. It is judged first, and signed only if that allows it; each judgement is paid. The result says whether it was sent, and why not.`,
    inputSchema: { ...schema, properties, required: ["to"] },
    async run(input, options) {
      const given = { ...(input as object) } as { to: Hex; data?: Hex; value?: string };
      const { value } = parseToolInput(asked, { ...given, from }) as { readonly value: string };
      // As it was written: the capital letters of an address are its checksum.
      const { to, data } = given;
      try {
        const sent = await guardedSend(wallet, { to, data, value: BigInt(value) }, policy, options);
        const { answer } = sent.guard;
        return { text: `SENT ${sent.hash}\n${await describeForModel(answer)}`, answer, hash: sent.hash };
      } catch (error) {
        if (!(error instanceof GuardRefusedError)) throw error;
        const { answer, refusal } = error;
        // Nobody vouches for the words of an answer that does not verify, or that is to another question.
        const isOthers = refusal === "not_verified" || refusal === "other_transaction";
        const why = isOthers
          ? "The guard's answer does not verify or is about something else, so it is not shown. Do not send this another way."
          : await describeForModel(answer);
        return { text: `NOT SENT (${refusal})\n${why}`, answer, refused: true };
      }
    },
  };
}
