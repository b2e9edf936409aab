import { z } from "zod";
import { getSignedHead, type LogContext } from "../../log/signedHeads.js";
import { logProblems } from "../openapi/logProblems.js";
import { defineRoute } from "../route.js";

export const logCheckpoint = defineRoute({
  operation: {
    id: "getLogCheckpoint",
    method: "get",
    path: "/api/v1/log/checkpoint",
    tag: "receipts",
    summary: "The signed head of the transparency log",
    description: "Verify it with the log key in /.well-known/assay.json.",
    noStore: true,
    answers: {
      200: {
        description: "A C2SP signed note that covers everything appended so far.",
        schema: z.string(),
        mediaType: "text/plain",
      },
    },
    problems: logProblems,
  },
  budget: "read",
  createHandler: (context: LogContext) => async (c) => {
    const { note } = await getSignedHead(context);
    return c.body(note, 200, { "content-type": "text/plain; charset=utf-8" });
  },
});
