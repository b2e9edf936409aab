import { addressSchema, type Hex } from "@assay/protocol";

export const isAddress = (text: string): text is Hex => addressSchema.safeParse(text).success;
