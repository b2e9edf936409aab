import {
  EXAMPLE_WALLET,
  lowercaseAddressSchema,
  signInOfferSchema,
  signInRequestSchema,
  walletRecordSchema,
  walletSessionSchema,
} from "@assay/protocol";
import { z } from "zod";
import { offerSignIn, signIn, verifySession } from "../../actions/signIn.js";
import type { PaymentsContext } from "../../payments/paymentsContext.js";
import { getWalletRecord } from "../../payments/walletRecord.js";
import { clientAddress } from "../clientAddress.js";
import { parseFields, readJsonBody, readQuery } from "../readInput.js";
import { defineRoute } from "../route.js";

const SIGN_IN = "/api/v1/sign-in";

const walletSchema = z.object({ wallet: lowercaseAddressSchema });

/** Nothing is stored before somebody signs. */
const offer = defineRoute({
  operation: {
    id: "offerSignIn",
    method: "get",
    path: SIGN_IN,
    tag: "receipts",
    summary: "The message that a wallet's owner signs to read its record",
    description: "EIP-4361, for this domain and chain.",
    query: walletSchema.shape,
    examples: { wallet: EXAMPLE_WALLET },
    noStore: true,
    answers: { 200: { description: "Good for five minutes, once.", schema: signInOfferSchema } },
    problems: ["invalid_input", "sign_in_refused", "rate_limited"],
  },
  budget: "read",
  createHandler:
    ({ settings }: PaymentsContext) =>
    async (c) => {
      const { wallet } = parseFields(walletSchema, { wallet: readQuery(c).wallet });
      return c.json(offerSignIn(settings, wallet));
    },
});

const enter = defineRoute({
  operation: {
    id: "signIn",
    method: "post",
    path: SIGN_IN,
    tag: "receipts",
    summary: "A session for the wallet that signed the message",
    description: "EIP-191 by its key, or ERC-1271.",
    noStore: true,
    body: {
      schema: signInRequestSchema,
      example: { message: "… wants you to sign in with your Ethereum account: …", signature: "0x00" },
    },
    answers: { 200: { description: "A bearer token for half an hour.", schema: walletSessionSchema } },
    problems: [
      "invalid_input",
      "invalid_json",
      "body_too_large",
      "unsupported_media_type",
      "sign_in_refused",
      "rate_limited",
      "chain_unavailable",
      "database_unavailable",
    ],
  },
  createHandler: (context: PaymentsContext) => async (c) => {
    const address = clientAddress(c);
    await context.limits.consume("signedAction", address);
    const request = parseFields(signInRequestSchema, (await readJsonBody(c)) ?? {});
    return c.json(await signIn(context, request, address));
  },
});

const record = defineRoute({
  operation: {
    id: "getWallet",
    method: "get",
    path: "/api/v1/wallets/{wallet}",
    tag: "receipts",
    summary: "What a wallet bought in thirty days, for its owner",
    description: "Spent per day, verdicts, what was blocked, channels. Kept by no cache.",
    pathFields: walletSchema.shape,
    headers: { authorization: z.string().optional().describe("`Bearer` and the token of a session") },
    examples: { wallet: EXAMPLE_WALLET },
    noStore: true,
    answers: {
      200: { description: "All zero for a wallet that bought nothing.", schema: walletRecordSchema },
    },
    problems: ["invalid_input", "sign_in_refused", "rate_limited", "database_unavailable"],
  },
  budget: "read",
  createHandler: (context: PaymentsContext) => async (c) => {
    const { wallet } = parseFields(walletSchema, { wallet: c.req.param("wallet") });
    verifySession(context.settings, wallet, c.req.header("authorization"));
    await context.limits.consume("walletRecord", wallet);
    return c.json(await getWalletRecord(context, wallet));
  },
});

export const walletRoutes = [offer, enter, record];
