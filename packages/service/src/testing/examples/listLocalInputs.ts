import type { CapabilityId, Hex } from "@assay/protocol";
import { sampleQuestions } from "../../capabilities/testing/sampleQuestions.js";
import { sendDollars } from "../../capabilities/testing/sendDollars.js";
import { publishLine } from "../../obligations/testing/publishLine.js";
import type { TestService } from "../startTestService.js";

/** What the recorder asks a capability on the local chain; a function where the input follows from earlier answers. */
export type LocalInputs = Partial<
  Record<CapabilityId, Record<string, unknown> | ((answers: Answers) => Record<string, unknown>)>
>;
/** The artifact ids of the answers so far, by capability. */
export type Answers = ReadonlyMap<string, string>;

/** One input for each capability, in the order in which they are asked. */
export async function listLocalInputs(
  service: Pick<TestService, "chainOf" | "context">,
): Promise<LocalInputs> {
  const { contracts, pages } = service.chainOf;
  const questionTo = sampleQuestions(service, await sendDollars(service));
  const inputOf = (id: Parameters<typeof questionTo>[0]) => questionTo(id).input as Record<string, unknown>;
  const { number: toBlock } = await service.context.chain.latestBlock();
  const obligationId = await publishLine(service, contracts.upgradeableProxy as Hex, {
    fromBlock: toBlock - 2,
    toBlock,
  });
  return {
    // A proxy with an admin: more to show than a plain token has.
    "contract.guard": { address: contracts.upgradeableProxy },
    "transaction.intent.guard": inputOf("transaction.intent.guard"),
    "amm.swap.guard": inputOf("amm.swap.guard"),
    "contract.change": { address: contracts.upgradeableProxy },
    "token.metadata": inputOf("token.metadata"),
    "contract.interface": inputOf("contract.interface"),
    "chain.snapshot": {},
    "token.launch.guard": inputOf("token.launch.guard"),
    "evidence.artifact": (answers) => ({ artifactId: answers.get("contract.interface") }),
    "web.compile": { url: pages.find((url) => url.endsWith("/article")) },
    "obligation.verdict": { obligationId },
    "amm.v4.hook.guard": inputOf("amm.v4.hook.guard"),
    "rwa.market.guard": inputOf("rwa.market.guard"),
    "lending.collateral.guard": inputOf("lending.collateral.guard"),
    "trade.execution.notarize": inputOf("trade.execution.notarize"),
    "prediction.evidence": inputOf("prediction.evidence"),
  };
}
