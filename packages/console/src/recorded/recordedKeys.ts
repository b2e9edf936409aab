import type { CapabilityResult, Hex } from "@assay/protocol";

interface Log {
  readonly publicKey: string;
}

const [signer] = Object.values(
  import.meta.glob<Hex>("../../../client/src/testing/saved/assay.json", {
    eager: true,
    import: "signingAddress",
  }),
);
const [log] = Object.values(
  import.meta.glob<Log>("../../../client/src/testing/saved/assay.json", { eager: true, import: "log" }),
);
if (!signer || !log) throw new Error("the keys of the recorded answers are missing");

/** The keys of the service that sold the recorded answers on a local chain. They vouch for these, and for nothing that is bought. */
export const recordedKeys: { readonly signer: Hex; readonly logKey: string } = {
  signer,
  logKey: log.publicKey,
};

/** Whether an answer states that service as its signer; the check shows whether it is true. */
export const isFromRecording = ({
  evidenceReference,
}: Pick<CapabilityResult, "evidenceReference">): boolean =>
  evidenceReference.signer.toLowerCase() === recordedKeys.signer.toLowerCase();
