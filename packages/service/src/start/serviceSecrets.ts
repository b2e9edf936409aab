import type { Hex } from "@assay/protocol";
import { deriveSecret } from "./keys.js";

/** What the processes of a deployment know and nobody else: challenges, sealed answers and the log's key rest on it. */
export interface ServiceSecrets {
  /** Of the present master secret. */
  derive(purpose: string): Buffer;
  /** Of the present master secret, then of each former one. */
  deriveAll(purpose: string): readonly Buffer[];
}

/** One purpose per derived secret. The first master is the present one. */
export function createServiceSecrets(masters: readonly Hex[]): ServiceSecrets {
  const deriveAll = (purpose: string) => masters.map((master) => deriveSecret(master, purpose));
  return { derive: (purpose) => deriveAll(purpose)[0] as Buffer, deriveAll };
}
