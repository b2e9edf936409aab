import { createRequire } from "node:module";
import type { Hex } from "@assay/protocol";
import { beforeAll, expect, test } from "vitest";
import { asPost, buyAnswer } from "../payer.js";
import { useTestService } from "../useTestService.js";

const service = useTestService();
const ENDLESS: Hex = "0x00000000000000000000000000000000c0de5171";
const { deployedBytecode } = createRequire(import.meta.url)("@assay/contracts/out/Endless.json") as {
  readonly deployedBytecode: Hex;
};
beforeAll(() => service.chainOf.request("hardhat_setCode", [ENDLESS, deployedBytecode]));

const questions = {
  "message.intent.guard": (from: string) => ({ signer: from, calls: [{ to: ENDLESS, data: "0x12345678" }] }),
  "transaction.intent.guard": (from: string) => ({ from, to: ENDLESS, data: "0x12345678", value: "0" }),
};

// Both guards ask through the same code. `npm run campaign:disagreement` asks the other one too: such code keeps a node busy.
const asked = Object.entries(questions).slice(0, process.env.ASSAY_EVERY_READING ? 2 : 1);

test.each(asked)(
  "%s answers about code that never ends, and what was not seen is no allow",
  async (id, ask) => {
    const init = asPost(ask(service.account("alice").address.toLowerCase()));
    // The local node is busy with such code for some seconds after nobody waits for it; callers are asked to come again.
    await expect
      .poll(() => buyAnswer(service.invokeUrl(id), service.account("bob"), init).catch(String), {
        timeout: 100_000,
        interval: 3_000,
      })
      .toMatchObject({
        verdict: id === "message.intent.guard" ? "review" : expect.stringMatching(/review|block/),
        result: {
          reasonCodes: expect.arrayContaining([expect.stringMatching(/^(CALL_UNREAD|TX_REVERTS)$/)]),
        },
      });
  },
  120_000,
);
