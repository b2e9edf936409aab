import { createCampaignWorld } from "../campaignWorld.js";
import { createSeam } from "./createSeam.js";
import type { OpenDisturbed } from "./disturbance.js";
import { startRelay } from "./startRelay.js";

const NAME = "node.assay.test";

/** The name of the only node stops resolving, and its connections break. */
export const openLostName: OpenDisturbed = async ({ withoutProtection }) => {
  const seam = await createSeam();
  const world = await createCampaignWorld({ withoutAnswers: withoutProtection });
  const node = Number(new URL(world.devnet.rpcUrl).port);
  const relay = await startRelay(node);
  await seam.set({ names: [NAME] });
  const service = await world.start({ ...seam.env, RPC_URL: `http://${NAME}:${relay.port}` });
  return {
    world,
    url: service.url,
    troubles: [
      {
        name: "the node's name is lost",
        async begin() {
          await seam.set({ names: [NAME], isNameless: true });
          relay.cut();
          relay.pointTo(node);
        },
        end: () => seam.set({ names: [NAME] }),
      },
    ],
    conclude: async () => ({ violations: service.isDead() ? [`the service died: ${service.errors()}`] : [] }),
    async close() {
      await world.close();
      await relay.close();
      await seam.close();
    },
  };
};
