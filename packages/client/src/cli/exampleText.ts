import { getCapability } from "@assay/capabilities";

/** What a reader replaces by what the service gave: right in form, so that a line can be copied as it stands. */
export const exampleIds = {
  claim: getCapability("obligation.verdict").example.obligationId,
  artifact: getCapability("evidence.artifact").example.artifactId,
  invocation: "inv_3d725833277ea0e67c08fc96ed438c74",
  payment: "assay-payment-0f3a91c27be4.json",
  node: "https://mainnet.base.org",
} as const;

/** What --help shows below the options: command lines to copy, then remarks. */
export function exampleText(commands: readonly string[], remarks = ""): string {
  const heading = commands.length === 1 ? "Example:" : "Examples:";
  const lines = commands.map((command) => `  assay ${command}`);
  return ["", heading, ...lines, ...(remarks && ["", remarks])].join("\n");
}
