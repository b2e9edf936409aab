import type { DecodedCalldata } from "@assay/client";
import { getCapability } from "@assay/client";

import { useQuery } from "@tanstack/react-query";
import type { InputValues } from "../form/checkInput.js";

const NOBODY = `0x${"0".repeat(40)}`;

/** The call tree of what was typed so far; the sender may still be missing. */
export function useDecoded({ from, to, data, value }: InputValues) {
  return useQuery({
    queryKey: ["decoded", from, to, data, value],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async (): Promise<DecodedCalldata | null> => {
      const parsed = getCapability("transaction.intent.guard").input.safeParse({
        from: from || NOBODY,
        to: to || NOBODY,
        ...(data && { data }),
        ...(value && { value }),
      });
      if (!parsed.success || parsed.data.data === "0x") return null;
      // The table of known functions is loaded once there is something to look up.
      const { decodeCalldata } = await import("./decodeCalldata.js");
      return decodeCalldata(parsed.data);
    },
  });
}
