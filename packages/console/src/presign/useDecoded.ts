import type { DecodedCalldata } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import type { InputValues } from "../form/checkInput.js";
import type { Transaction } from "./decodeCalldata.js";
import { transactionGuards } from "./transactionGuards.js";

const ZERO_ADDRESS = `0x${"0".repeat(40)}`;

/** The call tree of what was typed so far; the sender may still be missing. */
export function useDecoded({ from, to, data, value }: InputValues) {
  return useQuery({
    queryKey: ["decoded", from, to, data, value],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async (): Promise<DecodedCalldata | null> => {
      const parsed = transactionGuards[0]?.input.safeParse({
        from: from || ZERO_ADDRESS,
        to: to || ZERO_ADDRESS,
        ...(data && { data }),
        ...(value && { value }),
      });
      if (!parsed?.success) return null;
      const transaction = parsed.data as unknown as Transaction;
      if (transaction.data === "0x") return null;
      // The table of known functions is loaded once there is calldata to decode.
      const { decodeCalldata } = await import("./decodeCalldata.js");
      return decodeCalldata(transaction);
    },
  });
}
