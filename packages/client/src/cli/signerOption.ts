import { Option } from "commander";
import { parseAddress } from "./parseArguments.js";

/** To be stored at a first visit that is trusted: a service that may name its own key can vouch for itself. */
export const signerOption = (): Option =>
  new Option(
    "--signer <address>",
    "address the service must have signed with (signingAddress of /.well-known/assay.json)",
  ).argParser(parseAddress);
