import type { ChainRead } from "@assay/chain";
import type { Hex } from "@assay/protocol";
import { loadSample } from "../../testing/loadSample.js";
import type { AssetRow } from "./assetRow.js";

const ANYWHERE = `0x${"7e".repeat(20)}`;
/** Listed, so that nothing but the code itself speaks against it. */
const listedCode =
  (code: Hex): AssetRow["arrange"] =>
  async ({ setCode, list }) => {
    await setCode(ANYWHERE, code);
    return { address: ANYWHERE, symbol: "STF", issuers: list(ANYWHERE) };
  };

const localToken: AssetRow["arrange"] = async ({ devnet }) => ({
  address: devnet.contracts.permissionedToken,
});
const asks =
  (...selectors: string[]) =>
  (read: ChainRead) =>
    read.kind === "call" && selectors.includes(read.data.slice(0, 10));

/** Native tokens, code that lies or burns, and nodes that do not answer. */
export const hostileRows: readonly AssetRow[] = [
  {
    name: "a native token on a chain that cannot run it",
    arrange: listedCode("0xef"),
    verdict: "review",
    codes: ["NATIVE_TOKEN_CODE", "B20_UNREAD"],
    without: ["B20_TOKEN", "NOT_PERMISSIONED"],
  },
  {
    name: "a native token, listed with its administrator",
    arrange: async ({ devnet, deployB20, list }) => {
      const address = await deployB20();
      const admins = [devnet.deployer.address.toLowerCase() as Hex];
      return { address, symbol: "STF", issuers: list(address, { admins }) };
    },
    verdict: "allow",
    codes: ["B20_TOKEN", "NOT_PAUSED", "POWER_SEIZE", "ISSUER_POWERS_HELD", "SUPPLY_CAPPED", "TRANSFER_OPEN"],
  },
  {
    name: "a native token whose administrator nobody names",
    arrange: async ({ deployB20, list }) => {
      const address = await deployB20();
      return { address, issuers: list(address) };
    },
    verdict: "review",
    codes: ["ISSUER_POWER_HOLDER_UNKNOWN"],
  },
  {
    name: "a native token, transfers paused",
    arrange: async ({ deployB20, call, list }) => {
      const address = await deployB20();
      await call(address, loadSample("SampleB20Token").abi, "setPaused", [1]);
      return { address, issuers: list(address) };
    },
    verdict: "block",
    codes: ["CONTRACT_PAUSED"],
  },
  {
    name: "a native token, only mints paused",
    arrange: async ({ devnet, deployB20, call, list }) => {
      const address = await deployB20();
      await call(address, loadSample("SampleB20Token").abi, "setPaused", [2]);
      const admins = [devnet.deployer.address.toLowerCase() as Hex];
      return { address, issuers: list(address, { admins }) };
    },
    verdict: "allow",
    codes: ["NOT_PAUSED"],
  },
  {
    name: "a native token whose policy shuts strangers out",
    arrange: async ({ devnet, deployB20, call, list }) => {
      const address = await deployB20();
      await call(address, loadSample("SampleB20Token").abi, "setReceiverPolicy", [5n]);
      const admins = [devnet.deployer.address.toLowerCase() as Hex];
      return { address, issuers: list(address, { admins }) };
    },
    verdict: "allow",
    codes: ["B20_TOKEN", "TRANSFER_RESTRICTED"],
  },
  {
    name: "a native token that is not set up",
    arrange: async ({ deployB20, list }) => {
      const address = await deployB20(false);
      return { address, issuers: list(address) };
    },
    verdict: "review",
    codes: ["B20_UNINITIALIZED"],
  },
  {
    name: "a listed address without code",
    arrange: async ({ list }) => ({ address: ANYWHERE, issuers: list(ANYWHERE) }),
    verdict: "review",
    codes: ["NO_CODE", "ISSUER_KNOWN"],
    without: ["CODE_PRESENT"],
  },
  {
    name: "a listed account with borrowed code",
    arrange: listedCode(`0xef0100${"11".repeat(20)}`),
    verdict: "review",
    codes: ["DELEGATED_ACCOUNT"],
  },
  {
    name: "code that answers everything with 100,000 zeros",
    arrange: listedCode("0x620186a05ff3"),
    verdict: "review",
    codes: ["LABEL_MALFORMED", "NOT_A_FUNGIBLE_TOKEN"],
  },
  {
    name: "code that answers everything with ones",
    arrange: listedCode(`0x7f${"ff".repeat(32)}5f5260205ff3`),
    verdict: "review",
    codes: ["OWNER_UNREADABLE", "PAUSE_UNREADABLE"],
  },
  {
    name: "code that answers everything with yes",
    arrange: listedCode(`0x7f${"1".padStart(64, "0")}5f5260205ff3`),
    verdict: "block",
    codes: ["CONTRACT_PAUSED"],
  },
  {
    name: "code that burns all gas",
    arrange: listedCode("0xfe"),
    verdict: "review",
    codes: ["LABEL_MISSING", "TRANSFER_REFUSED"],
  },
  {
    name: "code that accepts everything and answers nothing",
    arrange: listedCode("0x00"),
    verdict: "review",
    codes: ["LABEL_MISSING", "NOT_A_FUNGIBLE_TOKEN"],
    without: ["POWERS_OPEN_TO_ANYONE"],
  },
  {
    name: "code that refuses everything with a long reason",
    arrange: listedCode("0x6161a85ffd"),
    verdict: "review",
    codes: ["LABEL_MISSING"],
  },
  {
    name: "no call answered",
    arrange: localToken,
    silent: ({ kind }) => kind === "call",
    verdict: "review",
    codes: [
      "METADATA_UNREAD",
      "PERMISSION_PROBE_UNREAD",
      "PAUSE_UNREAD",
      "OWNER_UNREAD",
      "FEED_UNREAD",
      "SEQUENCER_UNREAD",
      "POOL_UNREAD",
      "SIMULATION_UNAVAILABLE",
    ],
    without: ["NOT_PERMISSIONED"],
  },
  {
    name: "the feed not answered",
    arrange: localToken,
    silent: asks("0xfeaf968c"),
    verdict: "review",
    codes: ["FEED_UNREAD", "SEQUENCER_UNREAD"],
    without: ["METADATA_UNREAD"],
  },
  {
    name: "identityRegistry() not answered",
    arrange: localToken,
    silent: asks("0x134e18f4"),
    verdict: "review",
    codes: ["PERMISSION_PROBE_UNREAD"],
  },
  {
    name: "the registry not answered",
    arrange: localToken,
    silent: asks("0xb9209e33"),
    verdict: "review",
    codes: ["PERMISSION_CONTRACT_UNREAD"],
  },
  {
    name: "code not answered",
    arrange: localToken,
    silent: ({ kind }) => kind === "code",
    verdict: "review",
    codes: ["CODE_UNREAD", "ISSUER_POWERS_UNREAD"],
  },
  {
    name: "slots and proofs not answered",
    arrange: localToken,
    silent: ({ kind }) => kind === "storage" || kind === "proof",
    verdict: "review",
    codes: ["SLOT_UNREAD"],
  },
];
