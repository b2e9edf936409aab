import { z } from "zod";

export const input = z.strictObject({});

export type ChainSnapshotInput = z.output<typeof input>;
