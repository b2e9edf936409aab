import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";

/** The peer of the connection. Absent only where there is no socket, as in a direct call of the app. */
export function clientAddress(c: Context): string {
  return c.env?.incoming ? (getConnInfo(c).remote.address ?? "unknown") : "unknown";
}
