import { capabilities } from "@assay/capabilities";
import { EXAMPLE_WALLET } from "@assay/protocol";
import { nameOperation } from "../openapi/nameOperation.js";
import { readQuery, walletQuerySchema } from "../readInput.js";
import { defineRoute } from "../route.js";
import { type QuoteContext, quoteAnswers, quoteCapability, quoteProblems } from "./quotes.js";

/** A quote route of its own for each capability whose calls name a wallet; the path names the capability. */
export const ownQuotes = capabilities
  .filter(({ asksForWallet }) => asksForWallet)
  .map(({ id, input, example }) =>
    defineRoute({
      operation: {
        id: nameOperation("get", id, "quote"),
        method: "get",
        path: `/api/v1/capabilities/${id}/quote`,
        tag: "discovery",
        summary: `A price for one wallet and one call of ${id}`,
        description: `The same quote as GET /api/v1/quotes with \`capability=${id}\`.`,
        query: { ...input.shape, ...walletQuerySchema.shape },
        examples: { ...example, wallet: EXAMPLE_WALLET },
        noStore: true,
        answers: quoteAnswers,
        problems: quoteProblems,
      },
      createHandler: (context: QuoteContext) => async (c) =>
        c.json(await quoteCapability(context, c, id, readQuery(c))),
    }),
  );
