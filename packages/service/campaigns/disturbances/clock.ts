import { createCampaignWorld } from "../campaignWorld.js";
import { createSeam } from "./createSeam.js";
import type { OpenDisturbed, Trouble } from "./disturbance.js";

const HOUR_MS = 3_600_000;

/** The clock of the service's machine jumps an hour ahead and back, then an hour behind and back. */
export const openClockJumps: OpenDisturbed = async ({ withoutProtection }) => {
  const seam = await createSeam();
  const world = await createCampaignWorld({ withoutAnswers: withoutProtection });
  const service = await world.start(seam.env);
  const jump = (name: string, shiftMs: number): Trouble => ({
    name,
    begin: () => seam.set({ shiftMs }),
    end: () => seam.set({}),
  });
  return {
    world,
    url: service.url,
    troubles: [jump("an hour ahead", HOUR_MS), jump("an hour behind", -HOUR_MS)],
    conclude: async () => ({ violations: service.isDead() ? [`the service died: ${service.errors()}`] : [] }),
    async close() {
      await world.close();
      await seam.close();
    },
  };
};
