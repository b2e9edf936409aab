import { Option } from "commander";
import { parseNodeUrl } from "./parseArguments.js";

/** A node of the caller's own: nothing read from it is the service's word. */
export const rpcOption = (): Option =>
  new Option("--rpc <url>", "JSON-RPC address of a node you trust").env("ASSAY_RPC").argParser(parseNodeUrl);
