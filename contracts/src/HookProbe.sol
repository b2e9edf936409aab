// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {FullMath} from "@uniswap/v4-core/src/libraries/FullMath.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {ModifyLiquidityParams, SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {BoundedCaller} from "./BoundedCaller.sol";

interface IHeldToken {
    function balanceOf(address holder) external view returns (uint256);
    function transfer(address to, uint256 amount) external;
}

/// Placed at a router's address by state override, it swaps there and back in a v4 pool and returns what each swap gave. At
/// the address of the hook itself it measures the pool without the hook: a manager never calls a hook that is its caller.
/// It is never deployed.
contract HookProbe is IUnlockCallback, BoundedCaller {
    struct Leg {
        bool success;
        /// According to the manager; negative where the trader was given input or owed output.
        int256 amountIn;
        int256 amountOut;
        /// According to the trader's balances.
        uint256 sent;
        uint256 received;
        /// The share of the liquidity providers, in the input currency.
        uint256 lpFee;
        bytes refusal;
    }

    struct Trip {
        /// Zero where the pool is not initialized or has no liquidity at its price.
        uint256 amount;
        bool isFunded;
        Leg there;
        Leg back;
    }

    struct Stay {
        bool isAdded;
        bool isRemoved;
        int256[2] put;
        int256[2] returned;
        bytes refusal;
    }

    enum Action {
        Fund,
        Swap,
        SwapBoth,
        Provide
    }

    uint256 private constant MAX_REFUSAL = 256;
    uint256 private constant FUND_GAS = 500_000;
    uint256 private constant LEG_GAS = 2_000_000;
    uint256 private constant TRIP_GAS = 5_000_000;
    /// The slots of the manager's pools, and of a pool's fee growth and liquidity (v4-core's StateLibrary).
    uint256 private constant POOLS_SLOT = 6;
    uint256 private constant LIQUIDITY_OFFSET = 3;
    /// The input currency that the override gives the trader, as claims on the manager (ERC-6909).
    uint256 private constant CLAIMS = 2 ** 120;

    IPoolManager private transient manager;

    /// A hook may call its caller, and could then make this contract change what is measured.
    modifier onlySelf() {
        require(msg.sender == address(this));
        _;
    }

    modifier onlyOrigin() {
        require(msg.sender == tx.origin);
        _;
    }

    receive() external payable {}

    /// Hooks ask routers with this function for whom they swap.
    function msgSender() external view returns (address) {
        return tx.origin;
    }

    /// One round trip for each share of the pool, each from the same state. An empty answer means that the trip did not
    /// finish. In a settled trip each of the two swaps is settled by itself; otherwise both are in one unlock.
    function trade(IPoolManager manager_, PoolKey calldata key, bool zeroForOne, uint256[] calldata sharesBps, bool isSettled)
        external
        onlyOrigin
        returns (bytes[] memory trips)
    {
        manager = manager_;
        trips = new bytes[](sharesBps.length);
        for (uint256 i = 0; i < sharesBps.length; i++) {
            bytes memory data = abi.encodeCall(this.tradeOnce, (key, zeroForOne, sharesBps[i], isSettled));
            trips[i] = undone(address(this), data, TRIP_GAS);
        }
    }

    function tradeOnce(PoolKey calldata key, bool zeroForOne, uint256 shareBps, bool isSettled) external onlySelf {
        Trip memory trip;
        trip.amount = sizeOf(key, zeroForOne, shareBps);
        if (trip.amount > 0 && isSettled) {
            tradeSettled(trip, key, zeroForOne);
        } else if (trip.amount > 0) {
            trip.isFunded = true;
            bytes memory data = abi.encode(Action.SwapBoth, abi.encode(key, zeroForOne, trip.amount));
            bytes memory outcome = undone(address(manager), abi.encodeCall(manager.unlock, (data)), 2 * LEG_GAS);
            (trip.there, trip.back) = abi.decode(outcome, (Leg, Leg));
        }
        revert Undone(abi.encode(trip));
    }

    /// Adds a thousandth of the pool's liquidity over the whole range and removes it again.
    function provide(IPoolManager manager_, PoolKey calldata key) external onlyOrigin returns (bytes memory) {
        manager = manager_;
        bytes memory data = abi.encode(Action.Provide, abi.encode(key));
        return undone(address(manager), abi.encodeCall(manager.unlock, (data)), TRIP_GAS);
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        require(msg.sender == address(manager));
        (Action action, bytes memory args) = abi.decode(data, (Action, bytes));
        if (action == Action.Fund) return fund(args);
        if (action == Action.Swap) return swapAndSettle(args);
        revert Undone(action == Action.SwapBoth ? swapBoth(args) : addAndRemove(args));
    }

    function tradeSettled(Trip memory trip, PoolKey calldata key, bool zeroForOne) private {
        Currency input = zeroForOne ? key.currency0 : key.currency1;
        uint256 held = balanceOf(input);
        bytes memory data = abi.encode(Action.Fund, abi.encode(input, trip.amount));
        (bool success,) = callBounded(address(manager), 0, abi.encodeCall(manager.unlock, (data)), FUND_GAS, 0);
        trip.isFunded = success && difference(balanceOf(input), held) == trip.amount;
        if (!trip.isFunded) return;
        trip.there = swapSettled(key, zeroForOne, trip.amount);
        if (trip.there.received > 0) trip.back = swapSettled(key, !zeroForOne, trip.there.received);
    }

    /// Redeems claims for the currency itself. The remaining claims are dropped, so that no hook sees them.
    function fund(bytes memory args) private returns (bytes memory) {
        (Currency currency, uint256 amount) = abi.decode(args, (Currency, uint256));
        manager.burn(address(this), currency.toId(), CLAIMS);
        manager.take(currency, address(this), amount);
        manager.clear(currency, CLAIMS - amount);
        return "";
    }

    function swapSettled(PoolKey calldata key, bool zeroForOne, uint256 amount) private returns (Leg memory leg) {
        (Currency input, Currency output) =
            zeroForOne ? (key.currency0, key.currency1) : (key.currency1, key.currency0);
        (uint256 inBefore, uint256 outBefore) = (balanceOf(input), balanceOf(output));
        uint256 growth = growthOf(key, zeroForOne);
        bytes memory data = abi.encode(Action.Swap, abi.encode(key, zeroForOne, amount));
        bytes memory answer;
        (leg.success, answer) =
            callBounded(address(manager), 0, abi.encodeCall(manager.unlock, (data)), LEG_GAS, MAX_REFUSAL);
        if (!leg.success) {
            leg.refusal = answer;
            return leg;
        }
        noteDelta(leg, abi.decode(abi.decode(answer, (bytes)), (BalanceDelta)), zeroForOne);
        leg.lpFee = feeSince(key, zeroForOne, growth);
        leg.sent = difference(inBefore, balanceOf(input));
        leg.received = difference(balanceOf(output), outBefore);
    }

    function swapAndSettle(bytes memory args) private returns (bytes memory) {
        (PoolKey memory key, bool zeroForOne, uint256 amount) = abi.decode(args, (PoolKey, bool, uint256));
        BalanceDelta delta = manager.swap(key, describe(zeroForOne, amount), "");
        settle(key.currency0, delta.amount0());
        settle(key.currency1, delta.amount1());
        return abi.encode(delta);
    }

    function settle(Currency currency, int256 owed) private {
        if (owed > 0) manager.take(currency, address(this), uint256(owed));
        if (owed >= 0) return;
        manager.sync(currency);
        if (currency.isAddressZero()) {
            manager.settle{value: uint256(-owed)}();
            return;
        }
        bytes memory data = abi.encodeCall(IHeldToken.transfer, (address(manager), uint256(-owed)));
        callBounded(Currency.unwrap(currency), 0, data, gasleft(), 0);
        manager.settle();
    }

    function swapBoth(bytes memory args) private returns (bytes memory) {
        (PoolKey memory key, bool zeroForOne, uint256 amount) = abi.decode(args, (PoolKey, bool, uint256));
        Leg memory back;
        Leg memory there = swapUnsettled(key, zeroForOne, amount);
        if (there.received > 0) back = swapUnsettled(key, !zeroForOne, there.received);
        return abi.encode(there, back);
    }

    function swapUnsettled(PoolKey memory key, bool zeroForOne, uint256 amount) private returns (Leg memory leg) {
        uint256 growth = growthOf(key, zeroForOne);
        bytes memory data = abi.encodeCall(manager.swap, (key, describe(zeroForOne, amount), ""));
        bytes memory answer;
        (leg.success, answer) = callBounded(address(manager), 0, data, LEG_GAS - 100_000, MAX_REFUSAL);
        if (!leg.success) {
            leg.refusal = answer;
            return leg;
        }
        noteDelta(leg, abi.decode(answer, (BalanceDelta)), zeroForOne);
        leg.lpFee = feeSince(key, zeroForOne, growth);
        if (leg.amountIn > 0) leg.sent = uint256(leg.amountIn);
        if (leg.amountOut > 0) leg.received = uint256(leg.amountOut);
    }

    function noteDelta(Leg memory leg, BalanceDelta delta, bool zeroForOne) private pure {
        (int256 first, int256 second) = (delta.amount0(), delta.amount1());
        (leg.amountIn, leg.amountOut) = zeroForOne ? (-first, second) : (-second, first);
    }

    function addAndRemove(bytes memory args) private returns (bytes memory) {
        PoolKey memory key = abi.decode(args, (PoolKey));
        int256 amount = int256(liquidityOf(key) / 1000 + 1);
        Stay memory stay;
        (stay.isAdded, stay.put, stay.refusal) = modify(key, amount);
        if (stay.isAdded) (stay.isRemoved, stay.returned, stay.refusal) = modify(key, -amount);
        return abi.encode(stay);
    }

    function modify(PoolKey memory key, int256 amount)
        private
        returns (bool success, int256[2] memory amounts, bytes memory refusal)
    {
        int24 widest = (TickMath.MAX_TICK / key.tickSpacing) * key.tickSpacing;
        ModifyLiquidityParams memory params = ModifyLiquidityParams(-widest, widest, amount, 0);
        bytes memory data = abi.encodeCall(manager.modifyLiquidity, (key, params, ""));
        bytes memory answer;
        (success, answer) = callBounded(address(manager), 0, data, LEG_GAS, MAX_REFUSAL);
        if (!success) return (false, amounts, answer);
        BalanceDelta delta = abi.decode(answer, (BalanceDelta));
        amounts = [int256(delta.amount0()), int256(delta.amount1())];
    }

    function describe(bool zeroForOne, uint256 amount) private pure returns (SwapParams memory) {
        uint160 limit = zeroForOne ? TickMath.MIN_SQRT_PRICE + 1 : TickMath.MAX_SQRT_PRICE - 1;
        return SwapParams(zeroForOne, -int256(amount), limit);
    }

    /// A share of the amount that the liquidity at the current price would be over the whole range.
    function sizeOf(PoolKey calldata key, bool zeroForOne, uint256 shareBps) private view returns (uint256 amount) {
        uint160 price = uint160(poolWord(key, 0));
        if (price == 0) return 0;
        uint256 liquidity = liquidityOf(key);
        uint256 depth =
            zeroForOne ? FullMath.mulDiv(liquidity, 2 ** 96, price) : FullMath.mulDiv(liquidity, price, 2 ** 96);
        amount = (depth * shareBps) / 10_000;
        if (amount > type(uint112).max) amount = type(uint112).max;
    }

    function growthOf(PoolKey memory key, bool zeroForOne) private view returns (uint256) {
        return poolWord(key, zeroForOne ? 1 : 2);
    }

    /// Exact while the liquidity at the price stays the same; the growth wraps around by design.
    function feeSince(PoolKey memory key, bool zeroForOne, uint256 before) private view returns (uint256) {
        unchecked {
            uint256 grown = growthOf(key, zeroForOne) - before;
            uint256 liquidity = liquidityOf(key);
            return grown > type(uint248).max ? 0 : FullMath.mulDiv(grown, liquidity, 2 ** 128);
        }
    }

    function liquidityOf(PoolKey memory key) private view returns (uint256) {
        return uint128(poolWord(key, LIQUIDITY_OFFSET));
    }

    function poolWord(PoolKey memory key, uint256 offset) private view returns (uint256) {
        bytes32 slot = keccak256(abi.encode(keccak256(abi.encode(key)), POOLS_SLOT));
        return uint256(manager.extsload(bytes32(uint256(slot) + offset)));
    }

    function balanceOf(Currency currency) private view returns (uint256 value) {
        if (currency.isAddressZero()) return address(this).balance;
        (, value) = readWord(Currency.unwrap(currency), abi.encodeCall(IHeldToken.balanceOf, (address(this))));
    }
}
