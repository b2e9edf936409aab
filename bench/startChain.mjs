import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { encodeFunctionData, parseAbi } from "viem";
import { stablecoin } from "./benchAccounts.mjs";
import { startProcess } from "./startProcess.mjs";

const startTimeoutMs = 60_000;
const balanceAbi = parseAbi(["function balanceOf(address account) view returns (uint256)"]);

/** Starts the chain's process, funds the subjects' settlers and all payers, and installs proxies to be guarded. */
export async function startChain({ subjects, proxies }) {
  const child = startProcess({
    args: [fileURLToPath(new URL("chainProcess.mjs", import.meta.url))],
    withIpc: true,
    stopSignal: "SIGTERM",
  });
  const waiting = new Map();
  let lastId = 0;
  const port = await new Promise((ready, fail) => {
    const timer = setTimeout(
      () => fail(new Error("The chain did not start in a minute.")),
      startTimeoutMs,
    ).unref();
    child.process.on("message", (message) => {
      if (message.port) {
        clearTimeout(timer);
        ready(message.port);
      } else {
        const { done, fail: failCommand } = waiting.get(message.id);
        waiting.delete(message.id);
        if (message.error) failCommand(new Error(`chain: ${message.error}`));
        else done(message.result);
      }
    });
    child.process.once("exit", () => {
      const error = new Error(`The chain's process ended. ${child.readOutput()}`);
      fail(error);
      for (const command of waiting.values()) command.fail(error);
    });
  });

  function send(command, args = {}) {
    lastId += 1;
    const id = lastId;
    return new Promise((done, fail) => {
      waiting.set(id, { done, fail });
      child.process.send({ id, command, ...args });
    });
  }

  const request = (method, params = []) => send("request", { method, params });
  const chain = {
    pid: child.pid,
    getRpcUrl: (subject) => `http://127.0.0.1:${port}/${subject}`,
    setDelay: (ms) => send("setDelay", { ms }),
    /** With false, transactions wait for the block that comes every two seconds. */
    setMiningOnArrival: (enabled) => request("evm_setAutomine", [enabled]),
    /** Returns just after the next block. */
    async waitForBlock() {
      const first = await request("eth_blockNumber");
      while ((await request("eth_blockNumber")) === first) await sleep(5);
    },
    count: (subject) => send("count", { subject }),
    startRecording: (subject) => send("startRecording", { subject }),
    /** The requests that ended since startRecording, including those that began before it. */
    stopRecording: () => send("stopRecording"),
    async readBalance(account) {
      const data = encodeFunctionData({ abi: balanceAbi, args: [account] });
      return BigInt(await request("eth_call", [{ to: stablecoin, data }, "latest"]));
    },
    stop: child.stop,
  };
  await send("prepare", { subjects, proxies });
  return chain;
}
