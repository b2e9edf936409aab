import { createServer } from "node:net";
import { createCampaignWorld, type ServiceProcess } from "../campaignWorld.js";
import { readResidentMb } from "../readResidentMb.js";
import type { OpenDisturbed } from "./disturbance.js";

/** MB of JavaScript objects. An idle service needs most of it. */
const HEAP_MB = 60;
const CALLERS = 60;
const BODY = JSON.stringify({
  from: `0x${"a1".repeat(20)}`,
  to: `0x${"b0".repeat(20)}`,
  data: `0x${"00".repeat(131_000)}`,
});

/**
 * The process may use little memory while strangers send the longest bodies there are. Where it ends for that, it is started again
 * at the same address, as systemd and Kubernetes do.
 */
export const openMemoryLimit: OpenDisturbed = async ({ withoutProtection }) => {
  const world = await createCampaignWorld({ withoutAnswers: withoutProtection });
  const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`, PORT: String(await findFreePort()) };
  let service: ServiceProcess = await world.start(env);
  const { url } = service;
  let isOver = false;
  let isUnderAttack = false;
  const counts = { deaths: 0, bodies: 0, mostResidentMb: 0 };

  async function keepRunning(): Promise<void> {
    while (!isOver) {
      await service.ended();
      if (isOver) return;
      counts.deaths += 1;
      const started = await world.start(env).catch(() => undefined);
      if (started) service = started;
    }
  }

  async function attack(): Promise<void> {
    while (isUnderAttack) {
      await fetch(`${url}/api/v1/capabilities/transaction.intent.guard/invoke`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: BODY,
      }).then(
        (response) => response.arrayBuffer(),
        () => new Promise((resume) => setTimeout(resume, 200)),
      );
      counts.bodies += 1;
      counts.mostResidentMb = Math.max(counts.mostResidentMb, await readResidentMb(service).catch(() => 0));
    }
  }

  void keepRunning();
  return {
    world,
    url,
    troubles: [
      {
        name: "long bodies on little memory",
        async begin() {
          isUnderAttack = true;
          for (let caller = 0; caller < CALLERS; caller += 1) void attack();
        },
        async end() {
          isUnderAttack = false;
        },
      },
    ],
    conclude: async () => ({ violations: [], figures: { heapMb: HEAP_MB, ...counts } }),
    async close() {
      isOver = true;
      await world.close();
    },
  };
};

function findFreePort(): Promise<number> {
  return new Promise((found, fail) => {
    const server = createServer().once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => found(port));
    });
  });
}
