// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {BeforeSwapDelta, toBeforeSwapDelta} from "@uniswap/v4-core/src/types/BeforeSwapDelta.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {ModifyLiquidityParams, SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";

// Hooks of v4 pools, honest and malicious. The address of a hook decides which of its functions the manager calls.
IPoolManager constant MANAGER = IPoolManager(0x498581fF718922c3f8e6A244956aF099B2652b2b);
address constant UNIVERSAL_ROUTER = 0x6fF5693b99212Da76ad316178A184AB56D299b43;

/// Has no effect on a swap.
contract PlainHook {
    function beforeSwap(address, PoolKey calldata, SwapParams calldata, bytes calldata)
        external
        pure
        returns (bytes4, BeforeSwapDelta, uint24)
    {
        return (IHooks.beforeSwap.selector, BeforeSwapDelta.wrap(0), 0);
    }

    function afterSwap(address, PoolKey calldata, SwapParams calldata, BalanceDelta, bytes calldata)
        external
        pure
        returns (bytes4, int128)
    {
        return (IHooks.afterSwap.selector, 0);
    }
}

/// Takes a share of the output; derived contracts decide from whom and when.
abstract contract OutputHook {
    function shareBps(address sender, SwapParams calldata params) internal virtual returns (uint256);

    function afterSwap(address sender, PoolKey calldata key, SwapParams calldata params, BalanceDelta delta, bytes calldata)
        external
        virtual
        returns (bytes4, int128)
    {
        int128 output = params.zeroForOne ? delta.amount1() : delta.amount0();
        uint256 taken = (uint256(int256(output)) * shareBps(sender, params)) / 10_000;
        if (taken > 0) MANAGER.take(params.zeroForOne ? key.currency1 : key.currency0, address(this), taken);
        return (IHooks.afterSwap.selector, int128(int256(taken)));
    }
}

/// Takes the same share of every swap, permanently.
contract FeeHook is OutputHook {
    uint256 private immutable feeBps;

    constructor(uint256 feeBps_) {
        feeBps = feeBps_;
    }

    function shareBps(address, SwapParams calldata) internal view override returns (uint256) {
        return feeBps;
    }
}

/// Takes a share that its owner sets.
contract OwnedFeeHook is OutputHook, Ownable {
    uint256 private feeBps;

    constructor(address owner) Ownable(owner) {}

    function setFee(uint256 feeBps_) external onlyOwner {
        feeBps = feeBps_;
    }

    function shareBps(address, SwapParams calldata) internal view override returns (uint256) {
        return feeBps;
    }
}

/// Takes a tenth, except of swaps through the well-known router.
contract RouterFriendHook is OutputHook {
    function shareBps(address sender, SwapParams calldata) internal pure override returns (uint256) {
        return sender == UNIVERSAL_ROUTER ? 0 : 1000;
    }
}

/// Takes a tenth of swaps through the well-known router only.
contract RouterFoeHook is OutputHook {
    function shareBps(address sender, SwapParams calldata) internal pure override returns (uint256) {
        return sender == UNIVERSAL_ROUTER ? 1000 : 0;
    }
}

/// Takes a tenth where gas is paid for, which is not the case in most simulated calls.
contract GasPriceHook is OutputHook {
    function shareBps(address, SwapParams calldata) internal view override returns (uint256) {
        return tx.gasprice == 0 ? 0 : 1000;
    }
}

/// Takes a tenth of traders without claims on the manager, and so not of a probe that pays with them.
contract ClaimWatchingHook is OutputHook {
    uint256 private constant WETH = uint160(0x4200000000000000000000000000000000000006);

    function shareBps(address sender, SwapParams calldata) internal view override returns (uint256) {
        return MANAGER.balanceOf(sender, WETH) == 0 ? 1000 : 0;
    }
}

/// Takes a tenth of large swaps.
contract LargeSwapHook is OutputHook {
    function shareBps(address, SwapParams calldata params) internal pure override returns (uint256) {
        return params.amountSpecified < -1 ether ? 1000 : 0;
    }
}

/// Takes a tenth after a hundred swaps.
contract PatientHook is OutputHook {
    uint256 private seen;

    function shareBps(address, SwapParams calldata) internal override returns (uint256) {
        seen += 1;
        return seen > 100 ? 1000 : 0;
    }
}

/// Takes a tenth of every swap of an account except its first.
contract ReturnHook is OutputHook {
    mapping(address => bool) private known;

    function shareBps(address, SwapParams calldata) internal override returns (uint256) {
        if (known[tx.origin]) return 1000;
        known[tx.origin] = true;
        return 0;
    }
}

/// Takes nearly everything once it has wrapped ether, which anybody can send it.
contract BaitHook is OutputHook {
    function shareBps(address, SwapParams calldata) internal view override returns (uint256) {
        return Currency.wrap(0x4200000000000000000000000000000000000006).balanceOf(address(this)) > 0 ? 9900 : 0;
    }
}

/// Takes nearly everything once it has claims on the manager (ERC-6909).
contract ClaimHook is OutputHook {
    function shareBps(address, SwapParams calldata) internal view override returns (uint256) {
        return MANAGER.balanceOf(address(this), 1) > 0 ? 9900 : 0;
    }
}

/// Takes nearly everything of accounts whose address ends as the well-known router's does, which it does not name.
contract LastBitsHook is OutputHook {
    function shareBps(address sender, SwapParams calldata) internal pure override returns (uint256) {
        return uint16(uint160(sender)) == 0x9b43 ? 9900 : 0;
    }
}

/// The same without a condition.
contract WorkedBitsHook is OutputHook {
    function shareBps(address sender, SwapParams calldata) internal pure override returns (uint256) {
        return (uint160(sender) & 1) * 9900;
    }
}

/// Takes nearly everything of round amounts, as people enter them.
contract RoundAmountHook is OutputHook {
    function shareBps(address, SwapParams calldata params) internal pure override returns (uint256) {
        return params.amountSpecified % 1e12 == 0 ? 9900 : 0;
    }
}

/// Takes the share that one of the currencies names.
contract AskingHook {
    function afterSwap(address, PoolKey calldata key, SwapParams calldata params, BalanceDelta delta, bytes calldata)
        external
        returns (bytes4, int128)
    {
        int128 output = params.zeroForOne ? delta.amount1() : delta.amount0();
        uint256 taken = key.currency0.balanceOf(address(this)) + key.currency1.balanceOf(address(this));
        if (taken > uint256(int256(output))) taken = uint256(int256(output));
        if (taken > 0) MANAGER.take(params.zeroForOne ? key.currency1 : key.currency0, address(this), taken);
        return (IHooks.afterSwap.selector, int128(int256(taken)));
    }
}

/// Keeps nothing itself, and lets anybody set the fee of its pools, up to everything, in the manager's storage.
contract TuningHook is PlainHook {
    function tune(PoolKey calldata key, uint24 fee) external {
        MANAGER.updateDynamicLPFee(key, fee);
    }
}

/// Takes more than the output, so that the trader owes both currencies.
contract GreedyHook is OutputHook {
    function shareBps(address, SwapParams calldata) internal pure override returns (uint256) {
        return 10_100;
    }
}

/// Takes a tenth, and orders its caller by a callback to take as much again from the manager.
contract PuppeteerHook is OutputHook {
    function shareBps(address, SwapParams calldata) internal pure override returns (uint256) {
        return 1000;
    }

    function afterSwap(address sender, PoolKey calldata key, SwapParams calldata params, BalanceDelta delta, bytes calldata)
        external
        override
        returns (bytes4, int128)
    {
        Currency output = params.zeroForOne ? key.currency1 : key.currency0;
        int128 amount = params.zeroForOne ? delta.amount1() : delta.amount0();
        uint256 taken = (uint256(int256(amount)) * shareBps(sender, params)) / 10_000;
        MANAGER.take(output, address(this), taken);
        bytes memory order = abi.encode(uint256(0), abi.encode(output, taken));
        try IUnlockCallback(sender).unlockCallback(order) {} catch {}
        return (IHooks.afterSwap.selector, int128(int256(taken)));
    }
}

/// Takes a share of the input before it reaches the pool.
contract InputHook {
    uint256 private immutable takenBps;

    constructor(uint256 takenBps_) {
        takenBps = takenBps_;
    }

    function beforeSwap(address, PoolKey calldata key, SwapParams calldata params, bytes calldata)
        external
        returns (bytes4, BeforeSwapDelta, uint24)
    {
        uint256 taken = (uint256(-params.amountSpecified) * takenBps) / 10_000;
        MANAGER.take(params.zeroForOne ? key.currency0 : key.currency1, address(this), taken);
        return (IHooks.beforeSwap.selector, toBeforeSwapDelta(int128(int256(taken)), 0), 0);
    }
}

/// Sets the fee of each swap, in hundredths of a basis point, and has no other effect.
contract DynamicFeeHook {
    uint24 private immutable fee;

    constructor(uint24 fee_) {
        fee = fee_;
    }

    function beforeSwap(address, PoolKey calldata, SwapParams calldata, bytes calldata)
        external
        view
        returns (bytes4, BeforeSwapDelta, uint24)
    {
        // With this flag the fee replaces the stored one (v4-core's LPFeeLibrary).
        return (IHooks.beforeSwap.selector, BeforeSwapDelta.wrap(0), fee | 0x400000);
    }
}

/// Takes nearly everything as fee, except of exact inputs of a ten-thousandth or a hundredth of a pool of 1000.
contract SizeWindowHook {
    function beforeSwap(address, PoolKey calldata, SwapParams calldata params, bytes calldata)
        external
        pure
        returns (bytes4, BeforeSwapDelta, uint24)
    {
        int256 given = -params.amountSpecified;
        bool isSmall = given > 0.09 ether && given <= 0.1 ether;
        bool isLarge = given > 9 ether && given <= 10 ether;
        uint24 fee = isSmall || isLarge ? 3000 : 990_000;
        return (IHooks.beforeSwap.selector, BeforeSwapDelta.wrap(0), fee | 0x400000);
    }
}

/// Refuses swaps with an exact output.
contract ExactInputHook {
    function beforeSwap(address, PoolKey calldata, SwapParams calldata params, bytes calldata)
        external
        pure
        returns (bytes4, BeforeSwapDelta, uint24)
    {
        require(params.amountSpecified < 0, "exact output");
        return (IHooks.beforeSwap.selector, BeforeSwapDelta.wrap(0), 0);
    }
}

/// Sets a fee and takes a tenth in addition.
contract DynamicSkimHook is OutputHook {
    function beforeSwap(address, PoolKey calldata, SwapParams calldata, bytes calldata)
        external
        pure
        returns (bytes4, BeforeSwapDelta, uint24)
    {
        return (IHooks.beforeSwap.selector, BeforeSwapDelta.wrap(0), 3000 | 0x400000);
    }

    function shareBps(address, SwapParams calldata) internal pure override returns (uint256) {
        return 1000;
    }
}

/// Refuses the swaps that derived contracts choose.
abstract contract DoorHook {
    function isOpen(address sender, SwapParams calldata params) internal virtual returns (bool);

    function beforeSwap(address sender, PoolKey calldata, SwapParams calldata params, bytes calldata)
        external
        returns (bytes4, BeforeSwapDelta, uint24)
    {
        require(isOpen(sender, params), "closed");
        return (IHooks.beforeSwap.selector, BeforeSwapDelta.wrap(0), 0);
    }
}

/// Refuses every swap.
contract ClosedHook is DoorHook {
    function isOpen(address, SwapParams calldata) internal pure override returns (bool) {
        return false;
    }
}

/// Accepts the first currency and never pays it out again.
contract OneWayHook is DoorHook {
    function isOpen(address, SwapParams calldata params) internal pure override returns (bool) {
        return params.zeroForOne;
    }
}

/// Accepts only swaps through the well-known router.
contract RouterListHook is DoorHook {
    function isOpen(address sender, SwapParams calldata) internal pure override returns (bool) {
        return sender == UNIVERSAL_ROUTER;
    }
}

/// Accepts every swap until a block far in the future.
contract ClockHook is DoorHook {
    function isOpen(address, SwapParams calldata) internal view override returns (bool) {
        return block.number < 1_000_000_000;
    }
}

/// Reverts with an excessive amount of data.
contract LoudHook is DoorHook {
    function isOpen(address, SwapParams calldata params) internal pure override returns (bool) {
        bool isLoud = params.amountSpecified != 0;
        assembly ("memory-safe") {
            if isLoud { revert(0, 200000) }
        }
        return true;
    }
}

/// Runs until its gas is used up.
contract EndlessHook is DoorHook {
    uint256 private turns;

    function isOpen(address, SwapParams calldata) internal override returns (bool) {
        while (gasleft() > 0) turns += 1;
        return true;
    }
}

/// Returns another value than a hook must return.
contract MumblingHook {
    fallback() external {
        assembly ("memory-safe") {
            return(0, 32)
        }
    }
}

/// A proxy: does what the implementation does that its admin sets.
contract UpgradeableHook is ERC1967Proxy {
    constructor(address implementation, address admin) ERC1967Proxy(implementation, "") {
        ERC1967Utils.changeAdmin(admin);
    }

    receive() external payable {}

    function upgradeTo(address implementation) external {
        require(msg.sender == ERC1967Utils.getAdmin(), "not the admin");
        ERC1967Utils.upgradeToAndCall(implementation, "");
    }

    function _unsafeAllowUninitialized() internal pure override returns (bool) {
        return true;
    }
}

/// Runs the code at the address in its first slot by delegatecall.
contract PuppetHook {
    address private master;

    fallback() external {
        address target = master;
        assembly ("memory-safe") {
            calldatacopy(0, 0, calldatasize())
            let success := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(success) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

/// Swaps before each trader, and back after it.
contract FrontRunningHook {
    BalanceDelta private transient first;

    function beforeSwap(address, PoolKey calldata key, SwapParams calldata params, bytes calldata)
        external
        returns (bytes4, BeforeSwapDelta, uint24)
    {
        first = MANAGER.swap(key, SwapParams(params.zeroForOne, params.amountSpecified * 20, params.sqrtPriceLimitX96), "");
        return (IHooks.beforeSwap.selector, BeforeSwapDelta.wrap(0), 0);
    }

    function afterSwap(address, PoolKey calldata key, SwapParams calldata params, BalanceDelta, bytes calldata)
        external
        returns (bytes4, int128)
    {
        int256 held = params.zeroForOne ? first.amount1() : first.amount0();
        uint160 limit = params.zeroForOne ? TickMath.MAX_SQRT_PRICE - 1 : TickMath.MIN_SQRT_PRICE + 1;
        BalanceDelta last = MANAGER.swap(key, SwapParams(!params.zeroForOne, -held, limit), "");
        (Currency input, int256 gained) = params.zeroForOne
            ? (key.currency0, int256(first.amount0()) + last.amount0())
            : (key.currency1, int256(first.amount1()) + last.amount1());
        if (gained > 0) MANAGER.take(input, address(this), uint256(gained));
        return (IHooks.afterSwap.selector, 0);
    }
}

/// Lets liquidity be added and not removed.
contract LockedLiquidityHook {
    function beforeRemoveLiquidity(address, PoolKey calldata, ModifyLiquidityParams calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        revert("locked");
    }
}

/// Has no effect on liquidity that is added.
contract PlainLiquidityHook {
    function beforeAddLiquidity(address, PoolKey calldata, ModifyLiquidityParams calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        return IHooks.beforeAddLiquidity.selector;
    }
}

/// Lets liquidity be removed until its owner forbids it.
contract OwnedExitHook is Ownable {
    bool private isShut;

    constructor(address owner) Ownable(owner) {}

    function shut() external onlyOwner {
        isShut = true;
    }

    function beforeRemoveLiquidity(address, PoolKey calldata, ModifyLiquidityParams calldata, bytes calldata)
        external
        view
        returns (bytes4)
    {
        require(!isShut, "shut");
        return IHooks.beforeRemoveLiquidity.selector;
    }
}

/// Keeps a tenth of liquidity that is removed.
contract ExitFeeHook {
    function afterRemoveLiquidity(
        address,
        PoolKey calldata key,
        ModifyLiquidityParams calldata,
        BalanceDelta delta,
        BalanceDelta,
        bytes calldata
    ) external returns (bytes4, BalanceDelta) {
        (int128 first, int128 second) = (delta.amount0() / 10, delta.amount1() / 10);
        MANAGER.take(key.currency0, address(this), uint128(first));
        MANAGER.take(key.currency1, address(this), uint128(second));
        return (IHooks.afterRemoveLiquidity.selector, BalanceDelta.wrap((int256(first) << 128) | int256(uint256(uint128(second)))));
    }
}

/// Lets only one account add liquidity.
contract PrivateLiquidityHook {
    address private immutable provider;

    constructor(address provider_) {
        provider = provider_;
    }

    function beforeAddLiquidity(address, PoolKey calldata, ModifyLiquidityParams calldata, bytes calldata)
        external
        view
        returns (bytes4)
    {
        require(tx.origin == provider, "private");
        return IHooks.beforeAddLiquidity.selector;
    }
}
