import { type ConnectedService, connectToService, type ServicePlace } from "./connectToService.js";
import type { RunningService } from "./startService.js";
import { type Stub, startStub } from "./startStub.js";

/** Stands for a service that starts when it is first asked for, by any process: a chain that nobody needs yet mines blocks, too. */
export async function startWhenAsked(start: () => Promise<RunningService>): Promise<Stub> {
  let started: Promise<RunningService> | undefined;
  const starter = await startStub((_request, response) => {
    started ??= start();
    started.then(
      ({ url, dataDir }) => response.end(JSON.stringify({ url, dataDir })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  return {
    url: starter.url,
    async stop() {
      await starter.stop();
      const service = await started?.catch(() => undefined);
      await service?.stop();
    },
  };
}

/** The service that this starter stands for. */
export async function askForService(starterUrl: string): Promise<ConnectedService> {
  const response = await fetch(starterUrl);
  if (!response.ok) throw new Error(await response.text());
  return connectToService((await response.json()) as ServicePlace);
}
