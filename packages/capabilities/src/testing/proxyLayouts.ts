import { lowercase } from "@assay/chain/testing/lowercase";
import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { parseAbi } from "viem";
import { createLauncher } from "./createLauncher.js";
import { loadSample } from "./loadSample.js";

/** A contract that runs other code, and what makes it run another. */
export interface DeployedLayout {
  readonly address: Hex;
  /** Null where several pieces of code run. */
  readonly implementation: Hex | null;
  replace(): Promise<unknown>;
}

interface Place {
  readonly devnet: Devnet;
  readonly setCode: (address: string, code: string) => Promise<unknown>;
  readonly setSlot: (address: string, slot: Hex, value: string) => Promise<unknown>;
}

type Deploy = (place: Place, launcher: ReturnType<typeof createLauncher>) => Promise<DeployedLayout>;

const HANDMADE: Hex = "0x00000000000000000000000000000000c0de0777";
const upgrades = parseAbi([
  "function upgradeTo(address target)",
  "function upgradeToAndCall(address target, bytes data)",
  "function upgradeAndCall(address proxy, address target, bytes data)",
]);

/** A proxy of our own, with one function that replaces what it runs. */
const own =
  (name: string, functionName: string): Deploy =>
  async ({ devnet }, { deploy, call }) => {
    const { boxV1, boxV2 } = devnet.contracts;
    const address = await deploy(name, [boxV1]);
    const { abi } = loadSample(name);
    return {
      address,
      implementation: lowercase(boxV1),
      replace: () => call(address, abi, functionName, [boxV2]),
    };
  };

/** Code as published, whose slot is set by force: how it is replaced is the business of what it runs. */
const handmade =
  (code: Hex, slot: Hex): Deploy =>
  async ({ devnet, setCode, setSlot }) => {
    const { boxV1, boxV2 } = devnet.contracts;
    await setCode(HANDMADE, code);
    await setSlot(HANDMADE, slot, boxV1);
    return {
      address: HANDMADE,
      implementation: lowercase(boxV1),
      replace: () => setSlot(HANDMADE, slot, boxV2),
    };
  };
const slotOf = (value: string): Hex => `0x${value.slice(2).padStart(64, "0")}`;

/** Layouts whose code can be replaced, by the kind that contract.guard gives them. */
export const proxyLayouts: Readonly<Record<string, { readonly kind: string; readonly deploy: Deploy }>> = {
  "ERC-1967, transparent": {
    kind: "eip1967",
    deploy: async ({ devnet }, { call }) => {
      const { transparentProxy, proxyAdmin, boxV1, boxV2 } = devnet.contracts;
      return {
        address: lowercase(transparentProxy),
        implementation: lowercase(boxV1),
        replace: () => call(proxyAdmin, upgrades, "upgradeAndCall", [transparentProxy, boxV2, "0x"]),
      };
    },
  },
  "ERC-1967, UUPS": {
    kind: "eip1967",
    deploy: async ({ devnet }, { call }) => {
      const { uupsProxy, uupsBoxV1, uupsBoxV2 } = devnet.contracts;
      return {
        address: lowercase(uupsProxy),
        implementation: lowercase(uupsBoxV1),
        replace: () => call(uupsProxy, upgrades, "upgradeToAndCall", [uupsBoxV2, "0x"]),
      };
    },
  },
  "ERC-1967, beacon": {
    kind: "beacon",
    deploy: async ({ devnet }, { call }) => {
      const { beaconProxy, beacon, boxV1, boxV2 } = devnet.contracts;
      return {
        address: lowercase(beaconProxy),
        implementation: lowercase(boxV1),
        replace: () => call(beacon, upgrades, "upgradeTo", [boxV2]),
      };
    },
  },
  ZeppelinOS: {
    kind: "zeppelinos",
    deploy: async ({ devnet }, { call }) => {
      const { legacyProxy, boxV1, boxV2 } = devnet.contracts;
      return {
        address: lowercase(legacyProxy),
        implementation: lowercase(boxV1),
        replace: () => call(legacyProxy, upgrades, "upgradeTo", [boxV2]),
      };
    },
  },
  "EIP-897": { kind: "eip897", deploy: own("OwnedDelegateProxy", "upgradeTo") },
  "a slot that nobody names": { kind: "custom", deploy: own("HiddenSlotProxy", "replace") },
  "the slot of its own address": { kind: "custom", deploy: own("OwnAddressSlotProxy", "replace") },
  "Sequence's wallet": {
    kind: "custom",
    deploy: handmade("0x363d3d373d3d3d363d30545af43d82803e903d91601857fd5bf3", slotOf(HANDMADE)),
  },
  "the first slot, without masterCopy()": {
    kind: "custom",
    deploy: handmade("0x363d3d373d3d3d363d3d545af43d82803e903d91601857fd5bf3", slotOf("0x")),
  },
  "a registry asked for a name": {
    kind: "custom",
    deploy: async ({ devnet }, { deploy, call }) => {
      const { boxV1, boxV2 } = devnet.contracts;
      const registry = await deploy("NameRegistry");
      const { abi } = loadSample("NameRegistry");
      await call(registry, abi, "setAddress", ["Box", boxV1]);
      return {
        address: await deploy("ResolvedProxy", [registry, "Box"]),
        implementation: lowercase(boxV1),
        replace: () => call(registry, abi, "setAddress", ["Box", boxV2]),
      };
    },
  },
  "a clone of a proxy's code": {
    kind: "custom",
    deploy: async (place, launcher) => {
      const { boxV1, boxV2 } = place.devnet.contracts;
      const logic = await launcher.deploy("OwnAddressSlotProxy", [boxV1]);
      await place.setCode(HANDMADE, `0x363d3d373d3d3d363d73${logic.slice(2)}5af43d82803e903d91602b57fd5bf3`);
      await place.setSlot(HANDMADE, slotOf(HANDMADE), boxV1);
      return {
        address: HANDMADE,
        implementation: lowercase(boxV1),
        replace: () => place.setSlot(HANDMADE, slotOf(HANDMADE), boxV2),
      };
    },
  },
  "a router per function": {
    kind: "diamond",
    deploy: async ({ devnet }, { deploy, call }) => {
      const { boxV1, boxV2 } = devnet.contracts;
      const address = await deploy("FunctionRouter");
      const { abi } = loadSample("FunctionRouter");
      await call(address, abi, "route", ["0x3fa4f245", boxV1]);
      return {
        address,
        implementation: null,
        replace: () => call(address, abi, "route", ["0x3fa4f245", boxV2]),
      };
    },
  },
  "a diamond with storage of its own": {
    kind: "diamond",
    deploy: async ({ devnet }, { deploy, call }) => {
      const { boxV1, boxV2 } = devnet.contracts;
      const address = await deploy("LoupeRouter");
      const { abi } = loadSample("LoupeRouter");
      await call(address, abi, "add", [boxV1, ["0x3fa4f245"]]);
      await call(address, abi, "add", [boxV2, []]);
      return { address, implementation: null, replace: () => call(address, abi, "move", [1n, "0x3fa4f245"]) };
    },
  },
};

export function deployLayout(place: Place, name: string): Promise<DeployedLayout> {
  const layout = proxyLayouts[name];
  if (layout === undefined) throw new Error(`no layout ${name}`);
  return layout.deploy(place, createLauncher(place.devnet));
}
