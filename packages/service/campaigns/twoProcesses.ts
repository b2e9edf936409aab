import { type CampaignWorld, createCampaignWorld, type ServiceProcess } from "./campaignWorld.js";

/** One world with two processes of the service in it, which race for the same rows. */
export interface TwoProcesses {
  readonly world: CampaignWorld;
  readonly processes: readonly [ServiceProcess, ServiceProcess];
}

export interface TwoProcessesOptions {
  readonly postgresUrl?: string;
  /** Processes that several campaigns share, because a start costs more than a campaign's short form. */
  readonly shared?: TwoProcesses;
}

export async function startTwoProcesses(postgresUrl?: string): Promise<TwoProcesses> {
  const world = await createCampaignWorld({ postgresUrl });
  try {
    return { world, processes: await Promise.all([world.start(), world.start()]) };
  } catch (error) {
    await world.close();
    throw error;
  }
}

/** Does the work at the shared processes, or else at two of its own, which end with it. */
export async function atTwoProcesses<T>(
  options: TwoProcessesOptions,
  work: (two: TwoProcesses) => Promise<T>,
): Promise<T> {
  if (options.shared) return work(options.shared);
  const two = await startTwoProcesses(options.postgresUrl);
  try {
    return await work(two);
  } finally {
    await two.world.close();
  }
}
