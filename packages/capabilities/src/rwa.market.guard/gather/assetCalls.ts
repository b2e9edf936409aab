import type { CallRead } from "@assay/chain";
import type { Hex } from "@assay/protocol";
import { encodeFunctionData, parseAbi } from "viem";

const abi = parseAbi([
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function totalSupply() view returns (uint256)",
  "function balanceOf(address) view returns (uint256)",
  "function cap() view returns (uint256)",
  "function owner() view returns (address)",
  "function transfer(address,uint256) returns (bool)",
  "function mint(address,uint256)",
  "function pause()",
  "function setAddressFrozen(address,bool)",
  "function forcedTransfer(address,address,uint256) returns (bool)",
  // OpenZeppelin's AccessControl, with its default admin rules and with its enumeration.
  "function defaultAdmin() view returns (address)",
  "function getRoleMember(bytes32,uint256) view returns (address)",
  "function hasRole(bytes32,address) view returns (bool)",
  // ERC-3643: the token, its registry, its compliance contract, its proxy's authority.
  "function identityRegistry() view returns (address)",
  "function compliance() view returns (address)",
  "function isAgent(address) view returns (bool)",
  "function isVerified(address) view returns (bool)",
  "function getTokenBound() view returns (address)",
  "function getTokenImplementation() view returns (address)",
  // ERC-1404.
  "function detectTransferRestriction(address,address,uint256) view returns (uint8)",
  "function messageForTransferRestriction(uint8) view returns (string)",
  // B20: its factory, the token, its policies.
  "function isB20(address) view returns (bool)",
  "function isB20Initialized(address) view returns (bool)",
  "function isPaused(uint8) view returns (bool)",
  "function supplyCap() view returns (uint256)",
  "function policyId(bytes32) view returns (uint64)",
  "function isAuthorized(uint64,address) view returns (bool)",
  // Chainlink's AggregatorV3Interface.
  "function latestRoundData() view returns (uint80,int256,uint256,uint256,uint80)",
  "function decimals() view returns (uint8)",
]);

type FunctionName = (typeof abi)[number]["name"];

export const encodeAsset = (functionName: FunctionName, args: readonly unknown[] = []): Hex =>
  encodeFunctionData({ abi, functionName, args } as never);

/**
 * More than a view behind two proxies needs. There are many calls, so a hostile token must not be able to burn much
 * gas.
 */
const VIEW_GAS = 300_000;

export const callAsset = (to: Hex, functionName: FunctionName, args: readonly unknown[] = []): CallRead => ({
  kind: "call",
  to,
  data: encodeAsset(functionName, args),
  gas: VIEW_GAS,
});
