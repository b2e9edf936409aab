import type { Chain } from "@assay/chain";
import type { Devnet } from "@assay/devnet";
import type { Logger } from "pino";
import { addressOfKey } from "../base/secp256k1.js";
import { createLocalSigner, type DigestSigner } from "../base/signers/digestSigner.js";
import type { Facilitator } from "../payments/facilitator.js";
import { createRemoteFacilitator } from "../payments/remoteFacilitator.js";
import { createInProcessFacilitator } from "../payments/settlement/inProcessFacilitator.js";
import {
  openAnySettlerLease,
  openSettlerLeases,
  SettlerInUseError,
  type SettlerLeases,
} from "../payments/settlement/settlerLeases.js";
import type { Config } from "./config.js";
import { ConfigError } from "./configError.js";
import { openKeys, verifyDistinct } from "./openKeys.js";

interface Parts {
  readonly chain: Chain;
  readonly logger: Logger;
  /** Of the database whose processes share settling keys. */
  readonly connectionString: string;
  readonly devnet: Devnet | undefined;
}

export interface OpenedSettlement {
  readonly facilitator: Facilitator;
  /** Says to a successor that this process is stopping. */
  announceEnd(): Promise<void>;
}

type Undo = (() => Promise<unknown>)[];

/**
 * The facilitator, with the right to each of its keys. One that is away is no reason not to start: health says so, and payments are
 * refused until it answers.
 */
export async function openSettlement(config: Config, parts: Parts, undo: Undo): Promise<OpenedSettlement> {
  const opened = config.facilitatorUrl
    ? { facilitator: createRemoteFacilitator(config.facilitatorUrl), announceEnd: async () => undefined }
    : await openInProcess(config, parts, undo);
  const { facilitator } = opened;
  undo.push(() => facilitator.close());
  facilitator.verifyReady().catch((error: Error) => {
    parts.logger.warn(
      { facilitator: facilitator.description, reason: error.message },
      "payments cannot be taken yet",
    );
  });
  return opened;
}

async function openInProcess(
  config: Config,
  { chain, logger, connectionString, devnet }: Parts,
  undo: Undo,
): Promise<OpenedSettlement> {
  const signers = config.settlers
    ? await openKeys("SETTLER_SIGNER", config.settlers, config, logger)
    : devnet
      ? [createLocalSigner(devnet.settler.privateKey)]
      : [];
  undo.push(async () => {
    for (const signer of signers) signer.close();
  });
  const { breadcrumbPrivateKey: breadcrumbs } = config;
  verifyDistinct(signers, breadcrumbs && addressOfKey(breadcrumbs));
  const taken = await takeKeys(config, signers, connectionString, logger).catch((error: unknown) => {
    throw error instanceof SettlerInUseError ? new ConfigError(error.message) : error;
  });
  const { leases } = taken;
  undo.push(() => leases.close());
  const facilitator = createInProcessFacilitator({
    chain,
    logger,
    ...taken,
    maxTipWei: config.maxTipWei,
    settlesBelowCost: config.settlesBelowCost,
  });
  return { facilitator, announceEnd: () => leases.announceEnd() };
}

interface TakenKeys {
  readonly signers: readonly DigestSigner[];
  readonly leases: SettlerLeases;
  readonly places: readonly number[];
}

/** The right to all keys, or where processes share a list of them, to one that is free. */
async function takeKeys(
  { settlerLease, settlerPlaces }: Config,
  signers: readonly DigestSigner[],
  connectionString: string,
  logger: Logger,
): Promise<TakenKeys> {
  const addresses = signers.map(({ address }) => address);
  const places = settlerPlaces ?? signers.map((_, i) => i + 1);
  if (settlerLease !== "any") {
    const waits = settlerLease === "wait";
    return {
      signers,
      places,
      leases: await openSettlerLeases(connectionString, addresses, { waits, logger }),
    };
  }
  const { index, leases } = await openAnySettlerLease(connectionString, addresses, logger);
  return { signers: signers.slice(index, index + 1), places: places.slice(index, index + 1), leases };
}
