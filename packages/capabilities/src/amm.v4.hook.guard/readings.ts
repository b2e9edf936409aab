import { bytesSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { codeFingerprintSchema } from "../shared/code/fingerprintBytecode.js";
import { subjectReadingsSchema } from "../shared/proxies/subjectReadings.js";
import { recordedAddressSchema } from "../shared/words/recordedAddress.js";
import { varyingOpcodes } from "./listVaryingOpcodes.js";

const address = recordedAddressSchema;
const word = readingSchema(hash32Schema);
/** In the smallest unit of the currency it counts. */
const amount = z.string().regex(/^[0-9]{1,78}$/, "must be a whole number");
const signedAmount = z.string().regex(/^-?[0-9]{1,78}$/, "must be an integer");
/** What a call reverted with, at most 256 bytes. */
const refusal = bytesSchema;

const legSchema = z.strictObject({
  success: z.boolean(),
  /** By the manager's account; below zero where the trader was given input or owed output. */
  amountIn: signedAmount,
  amountOut: signedAmount,
  /** By the trader's balances; of a swap that is not settled, the same as by account. */
  sent: amount,
  received: amount,
  /** What went to those who provide liquidity, in the input currency. */
  lpFee: amount,
  refusal,
});

const tripSchema = z.strictObject({
  /** Of what the liquidity at the price would amount to over the whole range. */
  shareBps: z.int().min(1),
  /** Null when the trip did not end. */
  outcome: z
    .strictObject({
      amount,
      /** Whether the manager could give the trader the currency to swap. */
      isFunded: z.boolean(),
      there: legSchema,
      /** Null when nothing came out that could have gone back. */
      back: legSchema.nullable(),
    })
    .nullable(),
});

export const tripRoles = ["router", "stranger", "hook"] as const;

/** Everything amm.v4.hook.guard is judged from, as plain JSON. */
export const hookGuardReadingsSchema = z.strictObject({
  poolManager: z.strictObject({
    code: readingSchema(codeFingerprintSchema),
    /** Words of the pool's state in the manager's storage. */
    slot0: word,
    liquidity: word,
  }),
  /** Null where the pool has no hook. */
  hook: z
    .strictObject({
      contract: subjectReadingsSchema,
      /** Instructions by which its code can behave differently at another time; absent without code. */
      opcodes: readingSchema(z.array(z.enum(varyingOpcodes))),
    })
    .nullable(),
  /** Swaps there and back in simulation. */
  trips: z
    .array(
      z.strictObject({
        /**
         * Which address calls the manager: that of a well-known router, one that nobody knows, or the hook's own, for
         * which a manager does not call the hook. Without a hook, the last is one more unknown address.
         */
        role: z.enum(tripRoles),
        sender: address,
        /** Two swaps that are each paid for, or two in one unlock that only the account shows. */
        isSettled: z.boolean(),
        /** Direction of the way there. */
        zeroForOne: z.boolean(),
        runs: readingSchema(z.array(tripSchema).max(2)),
      }),
    )
    .max(8),
  /** Liquidity added by a stranger and taken out at once; null where the hook has no part in that. */
  stay: readingSchema(
    z.strictObject({
      isAdded: z.boolean(),
      isRemoved: z.boolean(),
      /** Of the first and the second currency, by the manager's account: below zero is owed. */
      put: z.array(signedAmount).length(2),
      returned: z.array(signedAmount).length(2),
      refusal,
    }),
  ).nullable(),
});

export type HookGuardReadings = z.output<typeof hookGuardReadingsSchema>;
export type HookTrips = HookGuardReadings["trips"][number];
export type HookLeg = z.output<typeof legSchema>;
export type HookTrip = z.output<typeof tripSchema>;
export type HookStay = Extract<NonNullable<HookGuardReadings["stay"]>, { status: "value" }>["value"];
