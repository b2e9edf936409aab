import type { Hex } from "@assay/protocol";
import { hashTypedData, parseSignature, toHex } from "viem";
import { encode } from "../accuracy/accuracyWorld.js";
import { approve, usd } from "../accuracy/caseTools.js";
import { ENTRY_POINTS, USDC, WETH } from "../accuracy/setUp.js";
import * as accounts from "./accountDocuments.js";
import * as make from "./documents.js";
import type { Document, MessageCase } from "./messageCase.js";
import { toJson } from "./messageCase.js";
import type { MessageWorld } from "./messageWorld.js";
import { FAIR_ROOT, openInNewPool } from "./positionRows.js";

/** A message with what becomes of it once it is signed. */
export interface Drain extends MessageCase {
  /** Uses the signature as a thief does. */
  use(): Promise<void>;
  /** What the thief has more of afterwards. */
  readonly loot: { readonly token: Hex; readonly thief: Hex };
}

const EXEC =
  "execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)";

/** Messages that are signed with alice's own key and then used on the local chain. */
export function listDrains(messages: MessageWorld): Drain[] {
  const { world, setup, alice, aliceKey, oldThief: thief, permitToken } = messages;
  const drains: Drain[] = [];
  const sign = (document: Document) => aliceKey.signTypedData(document as never);
  const add = (name: string, typedData: Document, token: Hex, use: () => Promise<void>) =>
    drains.push({
      name,
      group: "hostile",
      kind: "drain",
      input: { signer: alice, typedData: toJson(typedData) },
      loot: { token, thief },
      use,
    });
  const send = (to: Hex, data: Hex) => world.send({ from: thief, to, data });
  const takeBy = (token: Hex, amount: bigint) =>
    send(token, encode("transferFrom(address f, address t, uint256 a)", [alice, thief, amount]));

  for (const [index, type] of ["TransferWithAuthorization", "ReceiveWithAuthorization"].entries()) {
    const document = make.payment(alice, thief, usd(900_000), 900 + index, { type });
    const name =
      type === "TransferWithAuthorization" ? "transferWithAuthorization" : "receiveWithAuthorization";
    add(`most of the dollars by ${name}`, document, USDC, async () => {
      const { from, to, value, validAfter, validBefore, nonce } = document.message;
      await send(
        USDC,
        encode(
          `${name}(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)`,
          [from, to, value, validAfter, validBefore, nonce, await sign(document)],
        ),
      );
    });
  }
  const { verifyingContract: token } = permitToken;
  for (const [index, amount] of [make.UNLIMITED, 700n * 10n ** 18n].entries()) {
    const document = make.permit(permitToken, alice, thief, amount, 4_000_000_000n, 0n);
    add(`a permit of ${index === 0 ? "everything" : "most"} for a thief`, document, token, async () => {
      const { r, s, yParity } = parseSignature(await sign(document));
      await send(
        token,
        encode("permit(address o, address s, uint256 v, uint256 d, uint8 y, bytes32 r, bytes32 q)", [
          alice,
          thief,
          amount,
          4_000_000_000n,
          27 + yParity,
          r,
          s,
        ]),
      );
      await takeBy(token, 10n * 10n ** 18n);
    });
  }
  for (const [version, safe] of Object.entries(setup.safes)) {
    const document = accounts.safeTransaction(safe, USDC, approve(thief, make.UNLIMITED));
    const { to, value, data, operation } = document.message;
    const run = (signature: Hex) =>
      send(safe, encode(EXEC, [to, value, data, operation, 0n, 0n, 0n, make.ZERO, make.ZERO, signature]));
    const take = () =>
      send(USDC, encode("transferFrom(address f, address t, uint256 a)", [safe, thief, usd(100)]));
    // One Safe is emptied by a hash that is signed as a message, the others by the transaction itself.
    if (version === "1.3.0")
      drains.push({
        name: "a Safe's transaction as a blind hash",
        group: "hostile",
        kind: "drain",
        input: { signer: alice, personalMessage: hashTypedData(document as never) },
        loot: { token: USDC, thief },
        use: async () => {
          const signature = await aliceKey.signMessage({
            message: { raw: hashTypedData(document as never) },
          });
          // A Safe takes a signed message where v is four higher.
          await run(
            `${signature.slice(0, -2)}${toHex(Number(`0x${signature.slice(-2)}`) + 4).slice(2)}` as Hex,
          );
          await take();
        },
      });
    else
      add(`the transaction of a Safe ${version}`, document, USDC, async () => {
        await run(await sign(document));
        await take();
      });
  }
  for (const version of ["0.6", "0.7", "0.8"] as const) {
    const account = setup.accounts[version];
    if (account === undefined) continue;
    drains.push(drainOperation(version, account, { world, alice, aliceKey, thief }));
  }
  const router = world.devnet.contracts.swapRouter02 as Hex;
  drains.push({
    name: "a position in a pool of a price of its own",
    group: "hostile",
    kind: "drain",
    input: { signer: alice, calls: [openInNewPool(messages, FAIR_ROOT / 10_000n)] },
    loot: { token: WETH, thief },
    use: async () => {
      await world.send({ from: alice, ...openInNewPool(messages, FAIR_ROOT / 10_000n) });
      await send(USDC, approve(router, usd(30)));
      await send(
        router,
        encode(
          "exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)",
          [
            {
              tokenIn: USDC,
              tokenOut: WETH,
              fee: 10_000,
              recipient: thief,
              amountIn: usd(30),
              amountOutMinimum: 0n,
              sqrtPriceLimitX96: 0n,
            },
          ],
        ),
      );
    },
  });
  return drains;
}

type Actors = Pick<MessageWorld, "world" | "alice" | "aliceKey"> & { readonly thief: Hex };

const UNPACKED =
  "(address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)";
const PACKED =
  "(address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)";

/** An operation that lets a thief take everything, sent to the entry point by the thief. */
function drainOperation(
  version: "0.6" | "0.7" | "0.8",
  account: Hex,
  { world, alice, aliceKey, thief }: Actors,
): Drain {
  const entryPoint = ENTRY_POINTS[version];
  const callData = encode("execute(address t, uint256 v, bytes d)", [
    USDC,
    0n,
    approve(thief, make.UNLIMITED),
  ]);
  const gas = { callGasLimit: 300_000n, verificationGasLimit: 300_000n, preVerificationGas: 60_000n };
  const fees = { maxFeePerGas: 1_000_000_000n, maxPriorityFeePerGas: 1_000_000n };
  const pair = (first: bigint, second: bigint) => toHex((first << 128n) + second, { size: 32 });
  const form = version === "0.6" ? { initCode: "0x", paymasterAndData: "0x" } : {};
  const operation = { sender: account, nonce: 0n, callData };
  const toTuple = (signature: Hex) =>
    version === "0.6"
      ? { ...operation, initCode: "0x", ...gas, ...fees, paymasterAndData: "0x", signature }
      : {
          ...operation,
          initCode: "0x",
          accountGasLimits: pair(gas.verificationGasLimit, gas.callGasLimit),
          preVerificationGas: gas.preVerificationGas,
          gasFees: pair(fees.maxPriorityFeePerGas, fees.maxFeePerGas),
          paymasterAndData: "0x",
          signature,
        };
  const tuple = version === "0.6" ? UNPACKED : PACKED;
  return {
    name: `an operation of ${version}`,
    group: "hostile",
    kind: "drain",
    input: {
      signer: alice,
      userOperation: toJson({ ...operation, entryPoint, ...gas, ...fees, ...form }),
    },
    loot: { token: USDC, thief },
    use: async () => {
      const hash = await world.view(entryPoint, `getUserOpHash(${tuple} op) view returns (bytes32)`, [
        toTuple("0x"),
      ]);
      const signature =
        version === "0.8"
          ? await aliceKey.sign({ hash })
          : await aliceKey.signMessage({ message: { raw: hash } });
      await world.send({
        from: thief,
        to: entryPoint,
        data: encode(`handleOps(${tuple}[] ops, address payable beneficiary)`.replace(" payable", ""), [
          [toTuple(signature)],
          thief,
        ]),
      });
      await world.send({
        from: thief,
        to: USDC,
        data: encode("transferFrom(address f, address t, uint256 a)", [account, thief, usd(1_900)]),
      });
    },
  };
}
