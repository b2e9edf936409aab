import { useNode } from "./useNode.js";

/** What `$NODE` in a command stands for, where the command does not name the node itself. */
export const NodeWords = () =>
  useNode().startsWith("http")
    ? "It asks the node of the local chain. "
    : "$NODE is the JSON-RPC address of a Base node you trust. ";
