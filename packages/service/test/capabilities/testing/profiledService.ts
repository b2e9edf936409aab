import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { devnetChain } from "@assay/chain/testing/devnetChain";
import { type ProfiledNode, startProfiledNode } from "@assay/chain/testing/profiledNode";
import type { ProviderProfile } from "@assay/chain/testing/providerProfile";
import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { pino } from "pino";
import { createTestDatabase } from "../../createTestDatabase.js";
import { startOnDevnet } from "../../startOnDevnet.js";
import type { TestService } from "../../startTestService.js";

/** A service whose only node is of a profile. */
export interface ProfiledService extends TestService {
  readonly node: ProfiledNode;
}

/** Starts the real service behind a node of that profile, as an operator would. */
export async function startBehindProfile(
  devnet: Devnet,
  profile: ProviderProfile,
  settlerKey: Hex,
): Promise<ProfiledService> {
  const node = await startProfiledNode(devnetChain(devnet), profile);
  const [db, dataDir] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), "assay-profiled-"))]);
  const clear = async () => {
    await node.close();
    await Promise.all([db.close(), rm(dataDir, { recursive: true, force: true })]);
  };
  const place = { devnet, dataDir, databaseUrl: db.connectionString };
  const env = { RPC_URL: node.url, RATE_LIMITS: "off", SETTLER_PRIVATE_KEY: settlerKey };
  try {
    const service = await startOnDevnet(place, env, pino({ level: "silent" }));
    // As at a start from the command line.
    await service.context.chain.probeNodes();
    const stop = async () => {
      await service.stop();
      await clear();
    };
    return { ...service, chainOf: devnet, db, node, stop };
  } catch (error) {
    await clear();
    throw error;
  }
}
