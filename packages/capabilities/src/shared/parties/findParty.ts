import type { Hex } from "@assay/protocol";
import type { KnownParty } from "./knownParty.js";
import registry from "./registry.json" with { type: "json" };

// The compiler widens the words and addresses of a JSON file. A test parses every entry with the schema.
const parties = registry.parties as unknown as readonly KnownParty[];
const byAddress: ReadonlyMap<string, KnownParty> = new Map(parties.map((party) => [party.address, party]));

/** The day of the data. */
export const registryVersion: string = registry.version;

export function findParty(address: Hex): KnownParty | undefined {
  return byAddress.get(address.toLowerCase());
}

export function listParties(): readonly KnownParty[] {
  return parties;
}
