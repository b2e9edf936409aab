import { createSecretKey, type KeyObject } from "node:crypto";
import { baseLaunchVenues, baseSwapRouters, type SwapRouter } from "@assay/capabilities";
import type { Chain } from "@assay/chain";
import type { Devnet } from "@assay/devnet";
import { BASE_USDC, BATCH_SETTLEMENT, type Hex } from "@assay/protocol";
import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem";
import type { Settings } from "../base/settings.js";
import type { EvidenceSigner } from "../evidence/signer.js";
import type { Config } from "./config.js";
import { ConfigError } from "./configError.js";
import { originOf } from "./originOf.js";
import type { ServiceSecrets } from "./serviceSecrets.js";

/** A payer that asks for its deposit back gets it after a day. Vouchers are claimed long before. */
const WITHDRAW_DELAY_SECONDS = 86_400;

const tokenAbi = parseAbi([
  "function name() view returns (string)",
  "function version() view returns (string)",
  "function decimals() view returns (uint8)",
]);

/** The token's EIP-712 domain is read from the token: a wrong name would make every signature invalid. */
export async function readSettings(
  config: Config,
  devnet: Devnet | undefined,
  chain: Chain,
  { signer, secrets }: { readonly signer: EvidenceSigner; readonly secrets: ServiceSecrets },
  issuers: Settings["issuers"],
): Promise<Settings> {
  const address = (config.stablecoinAddress ?? devnet?.stablecoin.address ?? BASE_USDC) as Hex;
  const block = await chain.latestBlock();
  const names = ["name", "version", "decimals"] as const;
  const [channelCode, ...readings] = await chain.readAt(block, [
    { kind: "code", address: BATCH_SETTLEMENT },
    ...names.map(
      (functionName) =>
        ({ kind: "call", to: address, data: encodeFunctionData({ abi: tokenAbi, functionName }) }) as const,
    ),
  ]);
  const decode = (index: number) => {
    const reading = readings[index];
    const functionName = names[index];
    // A node that lags or is throttled says nothing about the token.
    if (reading?.status === "unanswered")
      throw new ConfigError(
        `RPC_URL cannot be used: no node answered ${functionName}() of STABLECOIN_ADDRESS ${address} (${reading.reason}).`,
      );
    if (reading?.status !== "value" || !functionName) {
      throw new ConfigError(`STABLECOIN_ADDRESS ${address} does not answer ${functionName}() on this chain.`);
    }
    return decodeFunctionResult({ abi: tokenAbi, functionName, data: reading.value as Hex });
  };
  if (Number(decode(2)) !== 6) throw new ConfigError(`STABLECOIN_ADDRESS ${address} must have 6 decimals.`);
  return {
    publicUrl: config.publicUrl ?? originOf(config.host, config.port),
    payTo: (config.payTo ?? devnet?.payTo) as Hex,
    stablecoin: { address, name: String(decode(0)), version: String(decode(1)) },
    channels:
      config.facilitatorUrl === undefined && channelCode?.status === "value"
        ? {
            receiverAuthorizer: signer.address,
            formerAuthorizers: signer.addresses.slice(1),
            withdrawDelaySeconds: WITHDRAW_DELAY_SECONDS,
          }
        : undefined,
    swapRouters: config.swapRouters ?? (devnet ? listLocalRouters(devnet) : baseSwapRouters),
    launchVenues: {
      ...baseLaunchVenues,
      stablecoin: address.toLowerCase() as Hex,
      ...(config.launchClassic && { classic: config.launchClassic }),
      ...(config.launchConcentrated && { concentrated: config.launchConcentrated }),
    },
    issuers,
    isSimulated: describeSimulated(config, devnet),
    agentRegistrations: config.agentRegistrations,
    claimsFeed: config.claimsFeed,
    writesBreadcrumbs: config.breadcrumbPrivateKey !== undefined,
    webTestHosts: config.webTestHosts ?? new Map(devnet && [devnet.pageHost]),
    bountyDelaySeconds: config.bountyDelaySeconds,
    retention: config.retention,
    ...readSecrets(secrets),
  };
}

/**
 * Challenges are made under the oldest secret and recognized under each: while processes are restarted one after another with a new
 * secret before the old one, those that have only the old one recognize them too. Answers are sealed under the newest.
 */
function readSecrets(
  secrets: ServiceSecrets,
): Pick<Settings, "ticketSecret" | "otherTicketSecrets" | "answerSecret" | "formerAnswerSecrets"> {
  const tickets = secrets.deriveAll("challenge tickets").map((secret) => createSecretKey(secret));
  const [answerSecret, ...formerAnswerSecrets] = secrets.deriveAll("private answers");
  return {
    ticketSecret: tickets.at(-1) as KeyObject,
    otherTicketSecrets: tickets.slice(0, -1),
    answerSecret: answerSecret as Buffer,
    formerAnswerSecrets,
  };
}

/** On the embedded chain everybody plays; elsewhere only the operator's own wallets do. */
function describeSimulated({ operatorWallets }: Config, devnet: Devnet | undefined): Settings["isSimulated"] {
  const wallets = new Set<string>(operatorWallets);
  return devnet ? () => true : (wallet) => wallets.has(wallet);
}

/** Of the routers of Base, those the embedded chain has. */
function listLocalRouters({ contracts }: Devnet): SwapRouter[] {
  const local = [contracts.uniswapV2Router, contracts.swapRouter02].map((address) => address.toLowerCase());
  return baseSwapRouters.filter(({ address }) => local.includes(address));
}
