import type { Hex } from "@assay/protocol";
import { parseEther } from "viem";
import type { AssetRow } from "./assetRow.js";

const MILLION = parseEther("1000000");
const REVERTING: Hex = "0x5f5ffd";
/** An hour of every day, and not the one in which the test runs. */
const closedNow = () => {
  const now = new Date();
  const hour = now.getUTCHours();
  // Two hours away, on the same day.
  const from = hour < 12 ? hour + 2 : hour - 4;
  const name = (at: number) => `${String(at).padStart(2, "0")}:00`;
  return { days: [1, 2, 3, 4, 5, 6, 7], opens: name(from), closes: name(from + 1) };
};

/** Feeds, hours, pools and the accounts that can replace the code. */
export const marketRows: readonly AssetRow[] = [
  {
    name: "a feed that has not spoken for too long",
    arrange: async ({ devnet, setRound }) => {
      await setRound(devnet.contracts.assetFeed, { updatedAgo: 3_700n, startedAgo: 3_700n });
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "review",
    codes: ["FEED_STALE"],
    without: ["FEED_FRESH"],
  },
  {
    name: "a feed that says zero",
    arrange: async ({ devnet, setRound }) => {
      await setRound(devnet.contracts.assetFeed, { answer: 0n });
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "block",
    codes: ["FEED_PRICE_INVALID"],
  },
  {
    name: "a feed that says less than nothing",
    arrange: async ({ devnet, setRound }) => {
      await setRound(devnet.contracts.assetFeed, { answer: -5n });
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "block",
    codes: ["FEED_PRICE_INVALID"],
  },
  {
    name: "a feed whose round has no end",
    arrange: async ({ devnet, setRound }) => {
      await setRound(devnet.contracts.assetFeed, { updatedAgo: null });
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "review",
    codes: ["FEED_ROUND_INCOMPLETE"],
  },
  {
    name: "a feed that carries an older round's answer",
    arrange: async ({ devnet, setRound }) => {
      await setRound(devnet.contracts.assetFeed, { id: 9n, answeredIn: 8n });
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "review",
    codes: ["FEED_ROUND_INCOMPLETE"],
  },
  {
    name: "a feed from the future",
    arrange: async ({ devnet, setRound }) => {
      await setRound(devnet.contracts.assetFeed, { updatedAgo: -7_200n });
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "review",
    codes: ["FEED_UNREADABLE"],
  },
  {
    name: "a feed that reverts",
    arrange: async ({ devnet, setCode }) => {
      await setCode(devnet.contracts.assetFeed, REVERTING);
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "review",
    codes: ["FEED_UNREADABLE"],
  },
  {
    name: "a feed that is not there",
    arrange: async ({ devnet, setCode }) => {
      await setCode(devnet.contracts.assetFeed, "0x");
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "review",
    codes: ["FEED_UNREADABLE"],
  },
  {
    name: "no feed listed",
    arrange: async ({ devnet, list }) => ({
      address: devnet.contracts.permissionedToken,
      issuers: list(devnet.contracts.permissionedToken),
    }),
    verdict: "allow",
    codes: ["NO_FEED_LISTED"],
    without: ["SEQUENCER_UP"],
  },
  {
    name: "the sequencer down",
    arrange: async ({ devnet, setRound }) => {
      await setRound(devnet.contracts.sequencerFeed, { answer: 1n });
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "block",
    codes: ["SEQUENCER_DOWN"],
  },
  {
    name: "the sequencer up for half an hour",
    arrange: async ({ devnet, setRound }) => {
      await setRound(devnet.contracts.sequencerFeed, { answer: 0n, startedAgo: 1_800n });
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "review",
    codes: ["SEQUENCER_JUST_UP"],
  },
  {
    name: "the sequencer up for two hours",
    arrange: async ({ devnet, setRound }) => {
      await setRound(devnet.contracts.sequencerFeed, { answer: 0n, startedAgo: 7_200n });
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "allow",
    codes: ["SEQUENCER_UP"],
  },
  {
    name: "a sequencer feed that is not there",
    arrange: async ({ devnet, setCode }) => {
      await setCode(devnet.contracts.sequencerFeed, "0x");
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "review",
    codes: ["SEQUENCER_UNREADABLE"],
  },
  {
    name: "the asset's market closed",
    arrange: async ({ devnet, list, feed }) => ({
      address: devnet.contracts.permissionedToken,
      issuers: list(devnet.contracts.permissionedToken, { feed, marketHours: closedNow() }),
    }),
    verdict: "review",
    codes: ["MARKET_CLOSED", "FEED_FRESH"],
  },
  {
    name: "the asset's market open",
    arrange: async ({ devnet, list, feed }) => ({
      address: devnet.contracts.permissionedToken,
      issuers: list(devnet.contracts.permissionedToken, {
        feed,
        marketHours: { days: [1, 2, 3, 4, 5, 6, 7], opens: "00:00", closes: "24:00" },
      }),
    }),
    verdict: "allow",
    codes: ["MARKET_OPEN"],
  },
  {
    name: "a pool with liquidity",
    arrange: async ({ deploy, addPair, list }) => {
      const address = await deploy("NamedToken", ["Fund", "STF", 10n * MILLION]);
      await addPair(address);
      return { address, issuers: list(address) };
    },
    verdict: "allow",
    codes: ["LIQUIDITY_SEEN", "TRANSFER_OPEN"],
    without: ["TRANSFER_SHORT"],
  },
  {
    name: "a pool with dust",
    arrange: async ({ deploy, addPair, list }) => {
      const address = await deploy("NamedToken", ["Fund", "STF", 10n * MILLION]);
      await addPair(address, MILLION, undefined, 10n ** 15n);
      return { address, issuers: list(address) };
    },
    verdict: "review",
    codes: ["POOL_TOO_SHALLOW"],
  },
  {
    name: "a pool whose token keeps a part",
    arrange: async ({ devnet, list }) => ({
      address: devnet.contracts.taxedToken,
      issuers: list(devnet.contracts.taxedToken, { symbol: "TAX" }),
    }),
    verdict: "review",
    codes: ["LIQUIDITY_SEEN", "TRANSFER_SHORT"],
  },
  {
    name: "a T-REX proxy whose authority is one key's",
    arrange: async ({ deployProxied, list }) => {
      const { token } = await deployProxied();
      return { address: token, symbol: "STF", issuers: list(token) };
    },
    verdict: "review",
    codes: ["PROXY_ERC3643", "UPGRADE_IN_ONE_HAND", "ERC3643_TOKEN", "POWER_SEIZE"],
    without: ["NO_PROXY_SLOT"],
  },
  {
    name: "a T-REX proxy whose authority is a contract's",
    arrange: async (issuer) => {
      const { token, authority, authorityAbi } = await issuer.deployProxied();
      await issuer.call(authority, authorityAbi, "transferOwnership", [issuer.devnet.contracts.wallet1271]);
      return { address: token, issuers: issuer.list(token) };
    },
    verdict: "allow",
    codes: ["PROXY_ERC3643", "UPGRADE_HELD_BY_CONTRACT", "ERC3643_TOKEN", "TRANSFER_RESTRICTED"],
  },
  {
    name: "a T-REX proxy whose authority is gone",
    arrange: async (issuer) => {
      const { token, authority } = await issuer.deployProxied();
      await issuer.setCode(authority, "0x");
      return { address: token, issuers: issuer.list(token) };
    },
    verdict: "review",
    codes: ["IMPLEMENTATION_UNREAD", "ISSUER_POWERS_UNREAD"],
  },
  {
    name: "a transparent proxy whose admin is one key's",
    arrange: async (issuer) => {
      const address = await issuer.deployTransparent(issuer.devnet.deployer.address);
      return { address, issuers: issuer.list(address) };
    },
    verdict: "review",
    codes: ["PROXY_EIP1967", "UPGRADE_IN_ONE_HAND", "POWER_SEIZE"],
  },
  {
    name: "a transparent proxy whose admin is a contract's",
    arrange: async (issuer) => {
      const address = await issuer.deployTransparent(issuer.devnet.contracts.wallet1271);
      return { address, issuers: issuer.list(address) };
    },
    verdict: "allow",
    codes: ["PROXY_EIP1967", "ADMIN_IS_CONTRACT", "UPGRADE_HELD_BY_CONTRACT"],
  },
  {
    name: "a beacon proxy whose beacon is one key's",
    arrange: async ({ devnet, list }) => ({
      address: devnet.contracts.beaconProxy,
      issuers: list(devnet.contracts.beaconProxy),
    }),
    verdict: "review",
    codes: ["PROXY_BEACON", "UPGRADE_IN_ONE_HAND"],
  },
  {
    name: "code that replaces itself at one key's word",
    arrange: async ({ devnet, list }) => ({
      address: devnet.contracts.uupsProxy,
      issuers: list(devnet.contracts.uupsProxy),
    }),
    verdict: "review",
    codes: ["PROXY_UUPS", "UPGRADE_IN_ONE_HAND"],
  },
  {
    name: "a token that runs any code its maker names",
    arrange: async ({ deploy, list }) => {
      const address = await deploy("PuppetToken", ["STF"]);
      return { address, issuers: list(address) };
    },
    verdict: "review",
    codes: ["NO_PROXY_SLOT", "NO_ISSUER_POWER", "CODE_RUNS_OTHER_CODE"],
  },
  {
    name: "a clone of such a token",
    arrange: async ({ deploy, setCode, list }) => {
      const target = await deploy("PuppetToken", ["STF"]);
      const address = `0x${"9b".repeat(20)}`;
      await setCode(address, `0x363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`);
      return { address, issuers: list(address) };
    },
    verdict: "review",
    codes: ["MINIMAL_PROXY", "CODE_RUNS_OTHER_CODE"],
  },
  {
    name: "a proxy that this check does not know",
    arrange: async ({ devnet, setCode, list }) => {
      const target = devnet.contracts.permissionedToken.slice(2).toLowerCase();
      const address = `0x${"9a".repeat(20)}`;
      await setCode(address, `0x365f5f375f5f365f73${target}5af43d5f5f3e6029573d5ffd5b3d5ff3`);
      return { address, issuers: list(address) };
    },
    verdict: "review",
    codes: ["ISSUER_POWERS_UNREAD", "CODE_RUNS_OTHER_CODE"],
    without: ["NO_ISSUER_POWER"],
  },
];
