import type { Hex, Reading } from "@assay/protocol";
import {
  codeReading,
  PLAIN_CODE,
  refusal,
  TARGET,
  wordReading,
} from "../../shared/proxies/testing/sampleReadings.js";
import { scanOf } from "../../testing/scanOf.js";
import type { ContractInterfaceReadings, ImplementationReading } from "../readings.js";
import { type StandardInterface, standardInterfaces } from "../standardInterfaces.js";

export const selectorsOf = (...names: (keyof typeof standardInterfaces)[]): Hex[] =>
  names.flatMap((name) => {
    const { functions }: StandardInterface = standardInterfaces[name];
    return Object.values(functions);
  });

const zero = wordReading(0n);
const yes = wordReading(1n);
const no = wordReading(0n);
const unset = {
  eip1967Implementation: zero,
  eip1967Beacon: zero,
  eip1822Implementation: zero,
  zeppelinosImplementation: zero,
};

/** How each sort of contract answers the probes. */
export const probesOf = {
  nothing: answers({}),
  erc20: answers({ totalSupply: wordReading(1000n), balanceOf: no, decimals: wordReading(18n) }),
  erc721: answers({
    supportsErc165: yes,
    supportsInvalid: no,
    supportsErc721: yes,
    supportsErc721Metadata: yes,
    supportsErc1155: no,
    balanceOf: no,
  }),
  erc1155: answers({
    supportsErc165: yes,
    supportsInvalid: no,
    supportsErc721: no,
    supportsErc721Metadata: no,
    supportsErc1155: yes,
  }),
};

function answers(
  changes: Partial<Record<keyof ContractInterfaceReadings["probes"], Reading<Hex>>>,
): ContractInterfaceReadings["probes"] {
  return {
    supportsErc165: refusal,
    supportsInvalid: refusal,
    supportsErc721: refusal,
    supportsErc721Metadata: refusal,
    supportsErc1155: refusal,
    totalSupply: refusal,
    balanceOf: refusal,
    decimals: refusal,
    ...changes,
  };
}

/** A plain ERC-20 token without anything behind it. */
export function tokenReadings(
  changes: Partial<Omit<ContractInterfaceReadings, "slots" | "probes">> & {
    slots?: Partial<ContractInterfaceReadings["slots"]>;
    probes?: Partial<ContractInterfaceReadings["probes"]>;
  } = {},
): ContractInterfaceReadings {
  return {
    code: codeReading(PLAIN_CODE),
    scan: scanOf([...selectorsOf("erc20"), "0x313ce567"]),
    beaconImplementation: null,
    implementation: null,
    ...changes,
    slots: { ...unset, eip1967Admin: zero, ...changes.slots },
    probes: { ...probesOf.erc20, ...changes.probes },
  };
}

/** The code of a plain ERC-20 token, standing behind something. */
export function tokenBehind(
  changes: Partial<Omit<ImplementationReading, "slots">> & { slots?: Partial<typeof unset> | null } = {},
): ImplementationReading {
  const code = codeReading(PLAIN_CODE);
  const slots = changes.slots === null ? null : { ...unset, ...changes.slots };
  return { address: TARGET, code, scan: tokenReadings().scan, ...changes, slots };
}
