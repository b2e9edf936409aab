import { useLocalChain } from "../service/assay.js";

/** On this machine alone: a service says where the node is, and what it says stands in a command for a shell. */
const OWN = /^http:\/\/127\.0\.0\.1:\d{1,5}$/;

/** The node that a command asks, as a shell takes it: the local chain's own, else the visitor's. */
export function useNode(): string {
  const rpcUrl = useLocalChain().data?.rpcUrl;
  return rpcUrl !== undefined && OWN.test(rpcUrl) ? rpcUrl : '"$NODE"';
}
