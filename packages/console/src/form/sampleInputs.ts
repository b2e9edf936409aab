import { type CapabilityId, exampleInputs, type LocalChain } from "@assay/protocol";
import type { InputValues } from "./checkInput.js";

/** Samples that exist on the local chain, where the addresses of Base's examples mostly hold nothing. */
const contractSamples: Partial<Record<CapabilityId, readonly string[]>> = {
  "contract.guard": ["upgradeableProxy", "plainToken", "pausableToken", "beaconProxy"],
  "contract.change": ["upgradeableProxy", "pausableToken"],
  "token.metadata": ["plainToken", "bytes32Token", "pausableToken"],
  "contract.interface": ["erc721", "erc1155", "plainToken"],
  "token.launch.guard": ["freshToken", "honeypotToken", "taxedToken"],
};

export interface Sample {
  readonly name: string;
  readonly values: InputValues;
}

const toValues = (input: object): InputValues =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value ?? "")]));

/** Inputs to try at one click. The first is what a form begins with. */
export function listSamples(id: CapabilityId, localChain: LocalChain | null): Sample[] {
  const example = toValues(exampleInputs[id]);
  if (!localChain) return [{ name: "Example on Base", values: example }];
  const names = contractSamples[id];
  if (names)
    return names.flatMap((name) => {
      const address = localChain.contracts[name];
      return address ? [{ name, values: { address } }] : [];
    });
  if (id === "web.compile") return localChain.pages.map((url) => ({ name: nameOf(url), values: { url } }));
  const alice = localChain.accounts[0];
  if (alice && "from" in example)
    return [
      { name: `As ${alice.name}`, values: { ...example, from: alice.address, data: sentBy(example, alice) } },
    ];
  return [{ name: "Example", values: example }];
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** The examples' calldata names their sender where it is also who receives. */
const sentBy = ({ from = "", data = "" }: InputValues, { address }: { readonly address: string }) =>
  data.replaceAll(from.slice(2), address.slice(2).toLowerCase());
