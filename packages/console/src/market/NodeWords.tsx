import { useLocalChain } from "../service/assay.js";

/** What `$NODE` in a command stands for. */
export function NodeWords() {
  const { data: localChain } = useLocalChain();
  return localChain
    ? "Here $NODE is rpcUrl in devnet.json of the service's data directory. "
    : "$NODE is the JSON-RPC address of a Base node you trust. ";
}
