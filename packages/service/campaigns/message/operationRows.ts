import type { Hex } from "@assay/protocol";
import { concatHex, encodeAbiParameters, parseAbiParameters } from "viem";
import { encode } from "../accuracy/accuracyWorld.js";
import { approve, transfer, usd } from "../accuracy/caseTools.js";
import { USDC } from "../accuracy/setUp.js";
import type { MessageWorld } from "./messageWorld.js";
import { collect, type TableRow } from "./rowTools.js";

/** Of 0.9, whose code is not published: it only has to exist. */
export const ENTRY_POINT: Hex = "0x433709009b8330fda32311df1c2afa402ed8d009";

const gas = {
  callGasLimit: "200000",
  verificationGasLimit: "150000",
  preVerificationGas: "50000",
  maxFeePerGas: "1000000",
  maxPriorityFeePerGas: "1000000",
};
const CALL = "(address t, uint256 v, bytes d)";
const call = "struct Call { address t; uint256 v; bytes d; }";
const list = parseAbiParameters(["Call[] calls", call]);
const batch = parseAbiParameters(["Batch batch", "struct Batch { Call[] calls; bool r; }", call]);
const batches = parseAbiParameters("bytes[] batches");

/** The forms in which published accounts take calls. */
function listForms(calls: { t: Hex; v: bigint; d: Hex }[]): Readonly<Record<string, Hex>> {
  const [first] = calls as [{ t: Hex; v: bigint; d: Hex }];
  const encoded = encodeAbiParameters(list, [calls]);
  const mode = (head: string): Hex => `0x${head.padEnd(64, "0")}`;
  const execute = (head: string, data: Hex) => encode("execute(bytes32 m, bytes e)", [mode(head), data]);
  return {
    execute: encode("execute(address t, uint256 v, bytes d)", [first.t, first.v, first.d]),
    executeBatch: encode(`executeBatch(${CALL}[] c)`, [calls]),
    "MetaMask's execute": encode(`execute(${CALL} c)`, [first]),
    "Calibur's execute": encode(`execute((${CALL}[] c, bool r) b)`, [{ c: calls, r: true }]),
    "Ambire's execute": encode(`execute(${CALL}[] c, bytes s)`, [calls, "0x"]),
    "Ambire's executeBySender": encode(`executeBySender(${CALL}[] c)`, [calls]),
    "Kernel 2's execute": encode("execute(address t, uint256 v, bytes d, uint8 o)", [
      first.t,
      first.v,
      first.d,
      0,
    ]),
    "the execute of Safe's module": encode("executeUserOp(address t, uint256 v, bytes d, uint8 o)", [
      first.t,
      first.v,
      first.d,
      0,
    ]),
    "executeUserOp and a list": concatHex(["0x8dd7712f", encoded]),
    "executeUserOp and a batch": concatHex(["0x8dd7712f", encodeAbiParameters(batch, [{ calls, r: true }])]),
    "executeUserOp and a call": concatHex(["0x8dd7712f", encode(`executeBatch(${CALL}[] c)`, [calls])]),
    "a batch of ERC-7579": execute("01", encoded),
    "a batch of ERC-7821": execute("01000000000078210001", encoded),
    "batches of ERC-7821": execute("01000000000078210002", encodeAbiParameters(batches, [[encoded]])),
  };
}

/** An account without code runs nothing today, and may run everything that was signed tomorrow (EIP-7702). */
export function listOperationRows({ alice, bob, thief }: MessageWorld): TableRow[] {
  const operation = (callData: Hex) => ({
    userOperation: { entryPoint: ENTRY_POINT, sender: alice, nonce: "0", callData, ...gas },
  });
  const paying = (to: Hex, amount: number) => [{ t: USDC, v: 0n, d: transfer(to, usd(amount)) }];
  return collect(alice, (add) => {
    for (const [form, data] of Object.entries(listForms(paying(thief, 900_000))))
      add("block", "MOST_BY_SIGNATURE", `an operation without code: all by ${form}`, operation(data));
    for (const [form, data] of Object.entries(listForms(paying(bob, 5))))
      add(
        "review",
        "ACCOUNT_WITHOUT_CODE",
        `an operation without code: a little by ${form}`,
        operation(data),
      );
    const secret = (inner: Hex) => encode("runMyOwn(uint256 x, bytes y)", [7n, inner]);
    const hides = ["block", "ACCOUNT_CALL_HIDES_TRANSFER"] as const;
    add(...hides, "an operation without code in no known form", operation(secret(transfer(thief, usd(1)))));
    add(...hides, "an approval in no known form", operation(secret(approve(thief, usd(1)))));
    const unknown = ["review", "ACCOUNT_CALL_UNKNOWN"] as const;
    add(...unknown, "an operation of unknown bytes", operation(`0x${"ab".repeat(200)}`));
    add(...unknown, "an operation of three bytes", operation("0xababab"));
    // The wallet of these calls may give the account code in the same transaction.
    for (const [form, data] of Object.entries(listForms(paying(thief, 900_000))))
      if (!form.startsWith("executeUserOp"))
        add("block", "MOST_BY_SIGNATURE", `a call to oneself: all by ${form}`, {
          calls: [{ to: alice, data }],
        });
    const little = listForms(paying(bob, 5))["MetaMask's execute"];
    add("allow", "PAYS_KNOWN_RECIPIENT", "a call to oneself: a little", {
      calls: [{ to: alice, data: little }],
    });
    add("review", "ACCOUNT_CALL_UNKNOWN", "an unknown call to oneself in a batch", {
      calls: [
        { to: USDC, data: transfer(bob, usd(1)) },
        { to: alice, data: "0xabababab" },
      ],
    });
    add("review", "CALLDATA_TO_NO_CODE", "data for another's account without code", {
      calls: [
        { to: USDC, data: transfer(bob, usd(1)) },
        { to: bob, data: "0xabababab" },
      ],
    });
    add("allow", "PAYS_KNOWN_RECIPIENT", "a batch without such a call", {
      calls: [
        { to: USDC, data: transfer(bob, usd(1)) },
        { to: USDC, data: transfer(bob, usd(2)) },
      ],
    });
  });
}
