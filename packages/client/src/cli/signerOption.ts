import { Option } from "commander";
import { parseAddress } from "./parseArguments.js";

/** Kept from a visit that is trusted: a service that may name its own key can vouch for itself. */
export const signerOption = (): Option =>
  new Option(
    "--signer <address>",
    "address the service must have signed with (signingAddress of /.well-known/assay.json)",
  ).argParser(parseAddress);
