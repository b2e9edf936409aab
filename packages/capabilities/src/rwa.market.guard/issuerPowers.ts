import type { Hex } from "@assay/protocol";
import { toFunctionSelector } from "viem";
import { findOwnerPower, type PowerKind } from "../shared/control/ownerPowers.js";

const issuerPowerKinds = [
  "freeze",
  "seize",
  "mint",
  "pause",
  "limit",
  "admit",
  "fee",
  "rename",
  "upgrade",
] as const;
export type IssuerPowerKind = (typeof issuerPowerKinds)[number];

interface IssuerPower {
  readonly kind: IssuerPowerKind;
  readonly signature: string;
}

/**
 * Functions with the powers of an issuer, by the names in the standards of permissioned tokens and in other tokens of
 * issuers.
 */
const SIGNATURES: Readonly<Partial<Record<IssuerPowerKind, readonly string[]>>> = {
  freeze: [
    // ERC-3643.
    "setAddressFrozen(address,bool)",
    "freezePartialTokens(address,uint256)",
    "batchSetAddressFrozen(address[],bool[])",
    "batchFreezePartialTokens(address[],uint256[])",
    // ERC-7943.
    "setFrozenTokens(address,uint256)",
    "freezeAccount(address)",
    "setFrozen(address,bool)",
    "denylist(address)",
    "addToDenylist(address)",
    "addToSanctionsList(address[])",
    "updatePolicy(bytes32,uint64)",
  ],
  seize: [
    "forcedTransfer(address,address,uint256)",
    "batchForcedTransfer(address[],address[],uint256[])",
    "recoveryAddress(address,address,address)",
    "burn(address,uint256)",
    "batchBurn(address[],uint256[])",
    // ERC-1644.
    "controllerTransfer(address,address,uint256,bytes,bytes)",
    "controllerRedeem(address,uint256,bytes,bytes)",
    "forceTransfer(address,address,uint256)",
    "adminTransfer(address,address,uint256)",
    "adminBurn(address,uint256)",
    "clawback(address,address,uint256)",
    "wipeFrozenAddress(address)",
    "wipeBlacklistedAddress(address)",
    "destroyBlackFunds(address)",
    "burnBlocked(address,uint256)",
    "burnBlockedWithMemo(address,uint256,bytes32)",
    "transferFromBlockedWithMemo(address,address,uint256,bytes32)",
  ],
  mint: [
    "batchMint(address[],uint256[])",
    "issue(address,uint256)",
    "issueTokens(address,uint256)",
    "issue(address,uint256,bytes)",
    "mintWithMemo(address,uint256,bytes32)",
    "configureMinter(address,uint256)",
  ],
  pause: ["pause(uint8[])", "setTransferable(bool)"],
  limit: [
    "setCap(uint256)",
    "setSupplyCap(uint256)",
    "updateSupplyCap(uint256)",
    "setMaxSupply(uint256)",
    "setSupplyLimit(uint256)",
    "setMaxBalance(uint256)",
  ],
  admit: [
    "setIdentityRegistry(address)",
    "setCompliance(address)",
    "addAgent(address)",
    "setRules(address)",
    "setTransferRules(address)",
    "setRestrictions(address)",
    "setKYCRegistry(address)",
    "setKYCRequirementGroup(uint256)",
    "addToAllowlist(address)",
    "setAllowlist(address)",
    "admit(address)",
    "grantRole(bytes32,address)",
  ],
  rename: ["setName(string)", "setSymbol(string)", "updateName(string)", "updateSymbol(string)"],
  upgrade: ["setImplementationAuthority(address)"],
};

const bySelector = new Map(
  Object.entries(SIGNATURES).flatMap(([kind, signatures]) =>
    signatures.map((signature): [Hex, IssuerPower] => [
      toFunctionSelector(signature),
      { kind: kind as IssuerPowerKind, signature },
    ]),
  ),
);

/** The powers of a launched token's owner, as powers of an issuer. */
const KINDS: Readonly<Record<PowerKind, IssuerPowerKind>> = {
  mint: "mint",
  pause: "pause",
  blacklist: "freeze",
  fee: "fee",
  limit: "limit",
  trading: "pause",
  cooldown: "limit",
  whitelist: "admit",
  pair: "limit",
  seize: "seize",
  rescue: "seize",
  upgrade: "upgrade",
};

/** Recognised by name: by the names of the standards first, then by those of launched tokens. */
export function findIssuerPower(selector: Hex): IssuerPower | undefined {
  const own = bySelector.get(selector);
  if (own) return own;
  const power = findOwnerPower(selector);
  return power && { kind: KINDS[power.kind], signature: power.signature };
}

/** Functions that are called as a fresh account, to find out whether anyone may call them. */
export const strangerTrials = {
  mint: "mint(address,uint256)",
  pause: "pause()",
  freeze: "setAddressFrozen(address,bool)",
  seize: "forcedTransfer(address,address,uint256)",
} as const;
