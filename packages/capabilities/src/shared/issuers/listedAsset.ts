import { lowercaseAddressSchema } from "@assay/protocol";
import { z } from "zod";

const hour = z.string().regex(/^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$/, "must be HH:MM, in UTC");

/** When the market of an asset is open, in UTC. Holidays are not listed. */
const marketHoursSchema = z
  .strictObject({
    /** 1 for Monday to 7 for Sunday. */
    days: z
      .array(z.int().min(1, "must be from 1 to 7").max(7, "must be from 1 to 7"))
      .min(1, "must not be empty")
      .max(7, "must hold each day once"),
    opens: hour,
    closes: hour,
  })
  .refine(({ opens, closes }) => opens < closes, { error: "must be before closes", path: ["opens"] });

const feedSchema = z.strictObject({
  /** Chainlink's AggregatorV3Interface. */
  kind: z.literal("chainlink", "must be chainlink"),
  address: lowercaseAddressSchema,
  maxAgeSeconds: z.int().min(1, "must be from 1 to 31536000").max(31_536_000, "must be from 1 to 31536000"),
});

/** One asset on the operator's list of issuers. */
export const listedAssetSchema = z.strictObject({
  symbol: z.string().trim().min(1, "must not be empty").max(32, "must be at most 32 characters"),
  issuer: z.string().trim().min(1, "must not be empty").max(64, "must be at most 64 characters"),
  addresses: z
    .array(lowercaseAddressSchema)
    .min(1, "must not be empty")
    .max(8, "must be at most 8 addresses"),
  /**
   * The holders of the token's default administrator role, according to the issuer. The token is asked whether they
   * hold it.
   */
  admins: z.array(lowercaseAddressSchema).max(4, "must be at most 4 addresses").default([]),
  feed: feedSchema.nullable().default(null),
  marketHours: marketHoursSchema.nullable().default(null),
});

/** The entry that names an address, if it does. */
export function findListed(list: readonly ListedAsset[], address: string): ListedAsset | null {
  return list.find(({ addresses }) => (addresses as readonly string[]).includes(address)) ?? null;
}

export type ListedAsset = z.output<typeof listedAssetSchema>;
export type MarketHours = z.output<typeof marketHoursSchema>;

/** The sample assets of the local chain, as an operator's file would list them. */
export function listLocalIssuers(contracts: {
  readonly permissionedToken: string;
  readonly assetFeed: string;
}): ListedAsset[] {
  return [
    listedAssetSchema.parse({
      symbol: "STF",
      issuer: "Sample Treasury (local chain)",
      addresses: [contracts.permissionedToken],
      feed: { kind: "chainlink", address: contracts.assetFeed, maxAgeSeconds: 3_600 },
    }),
  ];
}
