import type { Hex } from "@assay/protocol";
import { parseEther } from "viem";
import { loadSample } from "../../testing/loadSample.js";
import type { AssetRow } from "./assetRow.js";

const MILLION = parseEther("1000000");
const answering = (word: string): Hex => `0x7f${word.padStart(64, "0")}5f5260205ff3`;

/** Who issued it, under which name, by which rules and with which powers. */
export const issuerRows: readonly AssetRow[] = [
  {
    name: "a listed ERC-3643 token",
    arrange: async ({ devnet }) => ({ address: devnet.contracts.permissionedToken, symbol: "STF" }),
    verdict: "allow",
    codes: [
      "ISSUER_KNOWN",
      "ERC3643_TOKEN",
      "NOT_PAUSED",
      "NO_PROXY_SLOT",
      "POWER_FREEZE",
      "POWER_SEIZE",
      "POWER_MINT",
      "POWER_PAUSE",
      "ISSUER_POWERS_HELD",
      "TRANSFER_RESTRICTED",
      "FEED_FRESH",
      "SEQUENCER_UP",
      "NO_LIQUIDITY_SEEN",
    ],
    without: ["POWERS_OPEN_TO_ANYONE", "NOT_PERMISSIONED"],
  },
  {
    name: "the same, asked about without a symbol",
    arrange: async ({ devnet }) => ({ address: devnet.contracts.permissionedToken }),
    verdict: "allow",
    codes: ["ISSUER_KNOWN"],
  },
  {
    name: "the same while some holder is frozen",
    arrange: async ({ devnet, onToken }) => {
      await onToken("setAddressFrozen", [devnet.accounts[0]?.address, true]);
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "allow",
    codes: ["ISSUER_KNOWN", "NOT_PAUSED"],
  },
  {
    name: "the same, paused",
    arrange: async ({ devnet, onToken }) => {
      await onToken("pause");
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "block",
    codes: ["CONTRACT_PAUSED"],
    without: ["TRANSFER_RESTRICTED"],
  },
  {
    name: "the same, its compliance contract gone",
    arrange: async ({ devnet, setCode }) => {
      await setCode(devnet.contracts.modularCompliance, "0x");
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "block",
    codes: ["PERMISSION_CONTRACT_MISSING"],
  },
  {
    name: "the same, its compliance contract bound to another token",
    arrange: async ({ devnet, onRules }) => {
      await onRules("unbindToken", [devnet.contracts.permissionedToken]);
      await onRules("bindToken", [devnet.contracts.plainToken]);
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "review",
    codes: ["COMPLIANCE_BOUND_ELSEWHERE"],
  },
  {
    name: "the same, its registry calling everybody verified",
    arrange: async ({ devnet, setCode }) => {
      await setCode(devnet.contracts.identityRegistry, answering("1"));
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "review",
    codes: ["REGISTRY_ADMITS_ANYONE"],
  },
  {
    name: "the same, not listed",
    arrange: async ({ devnet }) => ({ address: devnet.contracts.permissionedToken, issuers: [] }),
    verdict: "review",
    codes: ["ISSUER_UNKNOWN", "ERC3643_TOKEN"],
    without: ["ISSUER_KNOWN", "NO_FEED_LISTED"],
  },
  {
    name: "an ordinary token posing as a share, not listed",
    arrange: async ({ deploy }) => ({
      address: await deploy("NamedToken", ["Tesla Share", "TSLAX", MILLION]),
    }),
    verdict: "review",
    codes: ["ISSUER_UNKNOWN", "NOT_PERMISSIONED", "TRANSFER_OPEN", "NO_ISSUER_POWER"],
  },
  {
    name: "a listed symbol at another address",
    arrange: async ({ deploy }) => ({ address: await deploy("NamedToken", ["Fund", "STF", MILLION]) }),
    verdict: "block",
    codes: ["SYMBOL_IMITATES_ISSUER"],
  },
  {
    name: "a listed symbol in look-alike letters",
    arrange: async ({ deploy }) => ({
      // The second and third letters are Cyrillic and Greek.
      address: await deploy("NamedToken", ["Fund", "S\u0422\u03dc", MILLION]),
    }),
    verdict: "block",
    codes: ["SYMBOL_IMITATES_ISSUER"],
  },
  {
    name: "a listed symbol as a name",
    arrange: async ({ deploy }) => ({ address: await deploy("NamedToken", ["$stf", "OTHER", MILLION]) }),
    verdict: "block",
    codes: ["SYMBOL_IMITATES_ISSUER"],
  },
  {
    name: "a listed symbol asked for at the wrong address",
    arrange: async ({ devnet }) => ({ address: devnet.contracts.plainToken, symbol: "STF" }),
    verdict: "block",
    codes: ["ASKED_ASSET_ELSEWHERE", "ASKED_SYMBOL_DIFFERS"],
    without: ["SYMBOL_IMITATES_ISSUER"],
  },
  {
    name: "a listed token asked for as another listed one",
    arrange: async ({ devnet, list, localList }) => ({
      address: devnet.contracts.permissionedToken,
      symbol: "GOLD",
      issuers: [...localList, ...list(devnet.contracts.plainToken, { symbol: "GOLD" })],
    }),
    verdict: "block",
    codes: ["ISSUER_KNOWN", "ASKED_ASSET_ELSEWHERE"],
  },
  {
    name: "a listed token whose symbol another issuer uses too",
    arrange: async ({ devnet, list, localList }) => ({
      address: devnet.contracts.permissionedToken,
      symbol: "STF",
      issuers: [...localList, ...list(devnet.contracts.plainToken)],
    }),
    verdict: "allow",
    codes: ["ISSUER_KNOWN"],
  },
  {
    name: "a listed token asked for under another symbol",
    arrange: async ({ devnet }) => ({ address: devnet.contracts.permissionedToken, symbol: "stf" }),
    verdict: "review",
    codes: ["ISSUER_KNOWN", "ASKED_SYMBOL_DIFFERS"],
  },
  {
    name: "a listed token that has been renamed",
    arrange: async ({ devnet, onToken }) => {
      await onToken("setSymbol", ["NEW"]);
      return { address: devnet.contracts.permissionedToken };
    },
    verdict: "review",
    codes: ["ISSUER_KNOWN", "LISTED_SYMBOL_DIFFERS"],
  },
  {
    name: "a listed ERC-1404 token",
    arrange: async ({ deploy, list }) => {
      const address = await deploy("RestrictedToken", ["STF", true]);
      return { address, symbol: "STF", issuers: list(address) };
    },
    verdict: "allow",
    codes: ["ERC1404_TOKEN", "TRANSFER_RESTRICTED", "NO_FEED_LISTED", "POWER_ADMIT"],
    without: ["NOT_PERMISSIONED"],
  },
  {
    name: "an ERC-1404 token that does not do as it says",
    arrange: async ({ deploy, list }) => {
      const address = await deploy("RestrictedToken", ["STF", false]);
      return { address, issuers: list(address) };
    },
    verdict: "review",
    codes: ["ERC1404_TOKEN", "RESTRICTION_NOT_ENFORCED"],
  },
  {
    name: "a listed ordinary token",
    arrange: async ({ deploy, list }) => {
      const address = await deploy("NamedToken", ["Fund", "STF", MILLION]);
      return { address, issuers: list(address) };
    },
    verdict: "allow",
    codes: ["NOT_PERMISSIONED", "TRANSFER_OPEN", "NO_ISSUER_POWER", "PAUSE_ABSENT"],
  },
  {
    name: "roles whose holders nobody names",
    arrange: async ({ devnet, deploy, list }) => {
      const address = await deploy("RoleToken", ["STF", devnet.deployer.address]);
      return { address, issuers: list(address) };
    },
    verdict: "review",
    codes: ["POWER_FREEZE", "POWER_MINT", "ISSUER_POWER_HOLDER_UNKNOWN", "SUPPLY_CAPPED"],
  },
  {
    name: "roles whose administrator the list names",
    arrange: async ({ devnet, deploy, list }) => {
      const address = await deploy("RoleToken", ["STF", devnet.deployer.address]);
      const admins = [devnet.deployer.address.toLowerCase() as Hex];
      return { address, issuers: list(address, { admins }) };
    },
    verdict: "allow",
    codes: ["POWER_FREEZE", "ISSUER_POWERS_HELD"],
  },
  {
    name: "roles whose administrator is not whom the list names",
    arrange: async ({ devnet, deploy, list }) => {
      const address = await deploy("RoleToken", ["STF", devnet.deployer.address]);
      return { address, issuers: list(address, { admins: [`0x${"77".repeat(20)}`] }) };
    },
    verdict: "review",
    codes: ["ISSUER_POWER_HOLDER_UNKNOWN"],
  },
  {
    name: "more supply than its own cap",
    arrange: async ({ devnet, deploy, call, list }) => {
      const address = await deploy("RoleToken", ["STF", devnet.deployer.address]);
      await call(address, loadSample("RoleToken").abi, "setCap", [1n]);
      const admins = [devnet.deployer.address.toLowerCase() as Hex];
      return { address, issuers: list(address, { admins }) };
    },
    verdict: "review",
    codes: ["SUPPLY_ABOVE_CAP"],
  },
  {
    name: "powers that anybody may use, though listed",
    arrange: async ({ deploy, list }) => {
      const address = await deploy("UnguardedToken", ["STF"]);
      return { address, issuers: list(address) };
    },
    verdict: "block",
    codes: ["POWERS_OPEN_TO_ANYONE", "POWER_SEIZE"],
  },
];
