import type { FieldError, Hex } from "@assay/protocol";
import { keccak256 } from "@assay/protocol";
import { encodeAbiParameters, numberToHex, parseAbiParameters } from "viem";
import { baseAddresses, lowercaseAddress } from "../shared/chain-facts/baseAddresses.js";
import { isValidHookAddress } from "./hookPermissions.js";
import type { HookGuardInput } from "./input.js";

type PoolKey = Pick<HookGuardInput, "currency0" | "currency1" | "fee" | "tickSpacing" | "hooks">;

/** v4's pool manager on Base, and the router that sends most swaps to it. */
export const V4_POOL_MANAGER: Hex = lowercaseAddress(baseAddresses.uniswapV4Manager);
export const V4_UNIVERSAL_ROUTER: Hex = lowercaseAddress(baseAddresses.universalRouter2);

/** The value of `fee` in the key of a pool whose hook sets the fee (v4-core's LPFeeLibrary). */
const DYNAMIC_FEE = 0x800000;
export const isDynamicFee = ({ fee }: Pick<PoolKey, "fee">): boolean => fee === DYNAMIC_FEE;
export const isNoHook = ({ hooks }: Pick<PoolKey, "hooks">): boolean => BigInt(hooks) === 0n;

/** Rules of the key that `PoolManager.initialize` enforces and one field alone does not show. */
export function checkPoolKey(key: PoolKey): FieldError[] {
  const errors: FieldError[] = [];
  if (BigInt(key.currency0) >= BigInt(key.currency1)) {
    errors.push({ field: "currency1", rule: "must be above currency0: v4 sorts the currencies of a pool" });
  }
  if (!isValidHookAddress(key.hooks, isDynamicFee(key))) {
    const rule = isNoHook(key)
      ? "must not be the zero address where the fee is dynamic"
      : "must be an address whose lowest 14 bits v4 accepts for a hook";
    errors.push({ field: "hooks", rule });
  }
  return errors;
}

/** `pools` is at slot 6 of the manager; of a pool's state the first word is its price, the fourth its liquidity. */
const POOLS_SLOT = 6n;
const LIQUIDITY_OFFSET = 3n;

export interface PoolIdentity {
  /** keccak256 of the encoded key. */
  readonly poolId: Hex;
  readonly slots: { readonly slot0: Hex; readonly liquidity: Hex };
}

export function identifyPool({ currency0, currency1, fee, tickSpacing, hooks }: PoolKey): PoolIdentity {
  const types = parseAbiParameters("address, address, uint24, int24, address");
  const poolId = keccak256(encodeAbiParameters(types, [currency0, currency1, fee, tickSpacing, hooks]));
  const slot0 = keccak256(encodeAbiParameters(parseAbiParameters("bytes32, uint256"), [poolId, POOLS_SLOT]));
  const liquidity = numberToHex((BigInt(slot0) + LIQUIDITY_OFFSET) % 2n ** 256n, { size: 32 });
  return { poolId, slots: { slot0, liquidity } };
}

/** The manager keeps claims (ERC-6909) in the mapping at slot 4, by owner and then by currency. */
export function locateClaims(owner: Hex, currency: Hex): Hex {
  const types = parseAbiParameters("uint256, bytes32");
  const ofOwner = keccak256(encodeAbiParameters(parseAbiParameters("address, uint256"), [owner, 4n]));
  return keccak256(encodeAbiParameters(types, [BigInt(currency), ofOwner]));
}
