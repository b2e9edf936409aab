import { bytesSchema, type Hex } from "@assay/protocol";
import { useState } from "react";
import { keccak256, size } from "viem";
import { count } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";

export interface CodeReading {
  /** keccak256 of the code; null for none. */
  readonly bytecodeHash: Hex | null;
  readonly bytecodeBytes: number;
}

/** Takes code as a node returned it, and hashes it here: this page asks no node of its own. */
export function CodeInput({
  what,
  onReading,
}: {
  /** The contract and the block of the code. */
  readonly what: string;
  onReading(reading: CodeReading | string): void;
}) {
  const [text, setText] = useState("");
  const reading = text.trim() === "" ? "" : readCode(text);
  const change = (next: string) => {
    setText(next);
    onReading(next.trim() === "" ? "Paste the code, or 0x if there is none." : readCode(next));
  };
  return (
    <div className="stack">
      <label>
        <span>
          What eth_getCode returned for <span className="mono">{what}</span>
        </span>
        <textarea
          className="mono"
          rows={4}
          value={text}
          placeholder='0x6080… or the whole response, {"jsonrpc": …}'
          spellCheck={false}
          onChange={(event) => change(event.target.value)}
        />
      </label>
      <p className="soft" role="status">
        {reading === "" ? "Hashed in this browser." : <Reading reading={reading} />}
      </p>
    </div>
  );
}

function Reading({ reading }: { readonly reading: CodeReading | string }) {
  if (typeof reading === "string") return <span className="bad">{reading}</span>;
  if (!reading.bytecodeHash) return "No code: a plain account, or an empty address.";
  return (
    <>
      {count(reading.bytecodeBytes, "byte")}, keccak256{" "}
      <Hash value={reading.bytecodeHash} label="code hash" />
    </>
  );
}

/** Code in hex, bare or as the result of a JSON-RPC response; otherwise the problem with it. */
export function readCode(text: string): CodeReading | string {
  const given = text.trim();
  const code = given.startsWith("{") ? findResult(given) : given.replace(/^"(.*)"$/, "$1");
  const parsed = bytesSchema.safeParse(code);
  if (!parsed.success)
    return "The code must be 0x followed by whole hex bytes, or a node's response with it.";
  return parsed.data === "0x"
    ? { bytecodeHash: null, bytecodeBytes: 0 }
    : { bytecodeHash: keccak256(parsed.data), bytecodeBytes: size(parsed.data) };
}

function findResult(json: string): unknown {
  try {
    return (JSON.parse(json) as { result?: unknown }).result;
  } catch {
    return undefined;
  }
}
