import { capabilities, type ListedCapability } from "@assay/client";

/** The first capability of the catalog that is about a contract: the one a newcomer tries. */
export function getContractCapability(): ListedCapability {
  const capability = capabilities.find(({ group }) => group === "contract");
  if (!capability) throw new RangeError("no capability is about a contract");
  return capability;
}
