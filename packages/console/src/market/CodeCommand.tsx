import { CodeBlock } from "../ui/Copy.js";
import { useNode } from "./useNode.js";

/** The command that reads a contract's code at a block, or at the newest one. */
export function CodeCommand({ address, block }: { readonly address: string; readonly block: string }) {
  const node = useNode();
  const hex = /^\d{1,15}$/.test(block) ? `0x${Number(block).toString(16)}` : "latest";
  const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getCode", params: [address, hex] });
  return (
    <CodeBlock
      label="Read the code with your node"
      code={`curl -s ${node} -H 'content-type: application/json' -d '${call}'`}
    />
  );
}
