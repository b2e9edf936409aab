import { maxUint256, parseEther } from "viem";
import { PERMIT2 } from "../../shared/chain-facts/knownContracts.js";
import { TAKER } from "./intentCalls.js";
import { encode, type IntentWorld } from "./intentFixture.js";

/** Alice holds every sample token, has let the routers spend, and once trusted a drainer with her dollars. */
export async function prepareHoldings(world: IntentWorld): Promise<void> {
  const { devnet, alice, safe, drainer, watchers, patient, send } = world;
  const {
    stablecoin,
    weth,
    plainToken,
    taxedToken,
    pausableToken,
    uniswapV2Router,
    swapRouter02,
    wallet1271,
  } = devnet.contracts;
  const deployer = devnet.deployer.address;
  const approve = (to: string, spender: string) =>
    send({ to, data: encode("approve(address spender, uint256 amount)", [spender, maxUint256]) });
  for (const token of [plainToken, taxedToken, pausableToken])
    await send({
      from: deployer,
      to: token,
      data: encode("transfer(address to, uint256 amount)", [alice, parseEther("10000")]),
    });
  await send({ to: weth, data: encode("deposit()"), value: parseEther("50") });
  for (const token of [stablecoin, plainToken, weth]) {
    await approve(token, uniswapV2Router);
    await approve(token, swapRouter02);
    await approve(token, PERMIT2);
  }
  await approve(stablecoin, drainer);
  for (const [sign, watcher] of Object.entries(watchers))
    await approve(sign === "none" ? pausableToken : stablecoin, watcher);
  await send({
    to: weth,
    data: encode("transfer(address to, uint256 amount)", [patient.desk, parseEther("10")]),
  });
  // STOP.
  await devnet.request("hardhat_setCode", [TAKER, "0x00"]);
  for (const to of [safe, wallet1271]) {
    await send({ to, value: parseEther("1") });
    await send({
      to: stablecoin,
      data: encode("transfer(address to, uint256 amount)", [to, 5_000_000_000n]),
    });
  }
}
