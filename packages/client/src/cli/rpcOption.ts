import { Option } from "commander";
import { parseNodeUrl } from "./parseArguments.js";

/** A node of the caller's own: what is read from it does not depend on the service. */
export const rpcOption = (): Option =>
  new Option("--rpc <url>", "JSON-RPC address of a node you trust").env("ASSAY_RPC").argParser(parseNodeUrl);
