// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {MANAGER, OutputHook} from "./HookSamples.sol";

// Hooks without storage that tell swaps from one another without an ordinary comparison.

/// Takes nearly everything where a wallet has estimated the gas, and nothing where a simulation gives plenty.
contract GasCountingHook is OutputHook {
    function shareBps(address, SwapParams calldata) internal view override returns (uint256) {
        return gasleft() > 3_000_000 ? 0 : 9900;
    }
}

/// Takes nearly everything of larger amounts, which a quotient tells from smaller ones.
contract QuotientHook is OutputHook {
    function shareBps(address, SwapParams calldata params) internal pure override returns (uint256 share) {
        uint256 given = uint256(-params.amountSpecified);
        assembly ("memory-safe") {
            if div(given, 50000000000000000) { share := 9900 }
        }
    }
}

/// The same by a difference.
contract DifferenceHook is OutputHook {
    function shareBps(address, SwapParams calldata params) internal pure override returns (uint256 share) {
        int256 given = -params.amountSpecified;
        assembly ("memory-safe") {
            if sgt(sub(given, 50000000000000000), 0) { share := 9900 }
        }
    }
}

/// The same by the bits that a mask leaves.
contract HighBitsHook is OutputHook {
    function shareBps(address, SwapParams calldata params) internal pure override returns (uint256 share) {
        uint256 given = uint256(-params.amountSpecified);
        assembly ("memory-safe") {
            if and(given, shl(56, 0xffffffffffffffffffffffffffffffffff)) { share := 9900 }
        }
    }
}

/// Takes nearly everything of one amount exactly.
contract ExactAmountHook is OutputHook {
    function shareBps(address, SwapParams calldata params) internal pure override returns (uint256 share) {
        int256 given = -params.amountSpecified;
        share = 9900;
        assembly ("memory-safe") {
            if sub(given, 1000000000000000000) { share := 0 }
        }
    }
}

/// Takes nearly everything of callers with an odd address, in the form in which compilers check arguments.
contract MaskedSenderHook is OutputHook {
    function shareBps(address sender, SwapParams calldata) internal pure override returns (uint256 share) {
        share = 9900;
        assembly ("memory-safe") {
            if eq(and(sender, 0xfffffffffffffffffffffffffffffffffffffffe), sender) { share := 0 }
        }
    }
}

/// Takes a hundredth, or nearly everything where the manager, or the currency that it pays out, refuses that.
contract RefusedHook is OutputHook {
    function shareBps(address, SwapParams calldata) internal pure override returns (uint256) {
        return 100;
    }

    function afterSwap(address sender, PoolKey calldata key, SwapParams calldata params, BalanceDelta delta, bytes calldata)
        external
        override
        returns (bytes4, int128)
    {
        uint256 output = uint256(int256(params.zeroForOne ? delta.amount1() : delta.amount0()));
        uint256 taken = (output * shareBps(sender, params)) / 10_000;
        Currency currency = params.zeroForOne ? key.currency1 : key.currency0;
        IPoolManager manager = MANAGER;
        bytes4 selector = IPoolManager.take.selector;
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, selector)
            mstore(add(data, 4), currency)
            mstore(add(data, 36), address())
            mstore(add(data, 68), taken)
            if iszero(call(gas(), manager, 0, data, 100, 0, 0)) { taken := div(mul(output, 99), 100) }
        }
        return (IHooks.afterSwap.selector, int128(int256(taken)));
    }
}
