import { type CapabilityId, capabilities } from "@assay/capabilities";
import { listLocalSamples } from "@assay/capabilities/samples";
import type { Hex } from "@assay/protocol";
import { publishLine } from "../../src/obligations/testing/publishLine.js";
import type { TestService } from "../startTestService.js";

/** What the recorder asks a capability on the local chain; a function where the input follows from earlier answers. */
export type LocalInputs = Partial<
  Record<CapabilityId, Record<string, unknown> | ((answers: Answers) => Record<string, unknown>)>
>;
/** The artifact ids of the answers so far, by capability. */
export type Answers = ReadonlyMap<string, string>;

/** One input for each capability, in the order in which they are asked: the first that the local chain offers to try. */
export async function listLocalInputs(
  service: Pick<TestService, "chainOf" | "context">,
): Promise<LocalInputs> {
  const { contracts } = service.chainOf;
  const samples = listLocalSamples(service.chainOf);
  const { number: toBlock } = await service.context.chain.latestBlock();
  const obligationId = await publishLine(service, contracts.upgradeableProxy as Hex, {
    fromBlock: toBlock - 2,
    toBlock,
  });
  const published: LocalInputs = {
    "evidence.artifact": (answers) => ({ artifactId: answers.get("contract.interface") }),
    "obligation.verdict": { obligationId },
  };
  return Object.fromEntries(
    capabilities.map(({ id }) => [id, published[id] ?? samples[id]?.[0]?.input]),
  ) as LocalInputs;
}
