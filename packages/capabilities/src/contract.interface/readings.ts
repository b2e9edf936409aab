import { bytesSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { codeFingerprintSchema } from "../shared/code/fingerprintBytecode.js";
import { selectorScanSchema } from "../shared/code/selectorScan.js";
import { recordedAddressSchema } from "../shared/words/recordedAddress.js";

const address = recordedAddressSchema;
const code = readingSchema(codeFingerprintSchema);
const word = readingSchema(hash32Schema);
/** What a call returned, cut by the reader so that no contract can fill the evidence. */
const answer = readingSchema(bytesSchema);

/** Null where there is no program to scan: no code, or a marker instead of code. */
const scan = readingSchema(selectorScanSchema).nullable();

/** Everything contract.interface is judged from, as plain JSON. */
export const contractInterfaceReadingsSchema = z.strictObject({
  code,
  scan,
  slots: z.strictObject({
    eip1967Implementation: word,
    eip1967Admin: word,
    eip1967Beacon: word,
    eip1822Implementation: word,
    zeppelinosImplementation: word,
  }),
  /** Asked of the address itself, so that a proxy answers with its implementation's code. */
  probes: z.strictObject({
    supportsErc165: answer,
    supportsInvalid: answer,
    supportsErc721: answer,
    supportsErc721Metadata: answer,
    supportsErc1155: answer,
    totalSupply: answer,
    balanceOf: answer,
    decimals: answer,
  }),
  /** What the beacon names; null when no beacon decides. */
  beaconImplementation: readingSchema(address).nullable(),
  /** The code that runs behind the address; null when there is none, or it is not known which. */
  implementation: z
    .strictObject({
      address,
      code,
      scan,
      /** Its own slots; null for a beacon's choice, whose code comes with the beacon's answer. */
      slots: z
        .strictObject({
          eip1967Implementation: word,
          eip1967Beacon: word,
          eip1822Implementation: word,
          zeppelinosImplementation: word,
        })
        .nullable(),
    })
    .nullable(),
});

export type ContractInterfaceReadings = z.output<typeof contractInterfaceReadingsSchema>;
export type ImplementationReading = NonNullable<ContractInterfaceReadings["implementation"]>;
