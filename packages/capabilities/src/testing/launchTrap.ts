import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { encodeFunctionData, parseAbi, parseEther } from "viem";
import { createLauncher } from "./createLauncher.js";
import { loadSample } from "./loadSample.js";

/** A token that only its owner can sell, in a concentrated pool against wrapped ether, one for one. */
export async function launchTrap(devnet: Devnet): Promise<Hex> {
  const launcher = createLauncher(devnet);
  const token = await launcher.deploy("HoneypotToken", [parseEther("1000000")]);
  await launcher.addConcentrated(token);
  const { uniswapV3Factory: to, weth } = devnet.contracts;
  const abi = parseAbi(["function getPool(address, address, uint24) view returns (address)"]);
  const data = encodeFunctionData({ abi, args: [token, weth, 3000] });
  const word = await devnet.request<Hex>("eth_call", [{ to, data }, "latest"]);
  await launcher.call(token, loadSample("HoneypotToken").abi, "setPair", [`0x${word.slice(-40)}`]);
  return token;
}
