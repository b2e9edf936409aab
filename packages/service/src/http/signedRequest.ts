import { type AgentActionName, actionHeaders, type Hex } from "@assay/protocol";
import type { Context } from "hono";
import type { z } from "zod";
import { type SignedAction, verifyAction } from "../actions/signedAction.js";
import type { BaseContext } from "../base/context.js";
import type { RateLimited } from "../store/rateLimits.js";
import { clientAddress } from "./clientAddress.js";
import { parseFields, readJsonBody } from "./readInput.js";

/** What a signed route takes. */
export interface SignedRoute<S extends z.ZodType<{ readonly wallet: Hex }>> {
  readonly schema: S;
  readonly action: AgentActionName;
  /** What the signature must name, as the caller spelt it. */
  readonly resourceOf: (body: z.output<S>) => string;
  /** Counted for the wallet, once it is known to be the wallet that asks. */
  readonly budget: Extract<RateLimited, "publish" | "pledge" | "outcome" | "challenge" | "decision">;
}

export interface SignedRequest<B> {
  readonly body: B;
  /** To be spent by `spendNonce` in the transaction of what the request causes. */
  readonly signed: SignedAction;
}

/** The body of a signed route, once its wallet is shown to have asked for it: 400, then 401, then 429 for the wallet. */
export async function readSignedRequest<S extends z.ZodType<{ readonly wallet: Hex }>>(
  context: BaseContext,
  c: Context,
  { schema, action, resourceOf, budget }: SignedRoute<S>,
): Promise<SignedRequest<z.output<S>>> {
  const address = clientAddress(c);
  await context.limits.consume("signedAction", address);
  const body = parseFields(schema, (await readJsonBody(c)) ?? {});
  const headers = {
    wallet: c.req.header(actionHeaders.wallet),
    signature: c.req.header(actionHeaders.signature),
    timestamp: c.req.header(actionHeaders.timestamp),
    nonce: c.req.header(actionHeaders.nonce),
  };
  const expected = { action, resource: resourceOf(body), wallet: body.wallet, clientAddress: address };
  const signed = await verifyAction(context, headers, expected);
  await context.limits.consume(budget, signed.wallet);
  return { body, signed };
}
