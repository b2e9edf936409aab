import { getCapability } from "@assay/capabilities/capabilities";

/** Placeholders that a reader replaces by values of the service. They have the right form, so a line can be copied as it is. */
export const exampleIds = {
  claim: getCapability("obligation.verdict").example.obligationId,
  artifact: getCapability("evidence.artifact").example.artifactId,
  invocation: "inv_3d725833277ea0e67c08fc96ed438c74",
  payment: "assay-payment-0f3a91c27be4.json",
  journal: "jr_5f0c2a91be47",
  node: "https://mainnet.base.org",
} as const;

/** The text of --help below the options: command lines to copy, then remarks. */
export function exampleText(commands: readonly string[], remarks = ""): string {
  const heading = commands.length === 1 ? "Example:" : "Examples:";
  const lines = commands.map((command) => `  assay ${command}`);
  return ["", heading, ...lines, ...(remarks && ["", remarks])].join("\n");
}
