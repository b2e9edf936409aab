// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {BoundedCaller} from "./BoundedCaller.sol";

interface IToken {
    function balanceOf(address holder) external view returns (uint256);
    function approve(address spender, uint256 amount) external;
    function transfer(address to, uint256 amount) external;
    function deposit() external payable;
}

interface IPairFactory {
    function getPair(address a, address b) external view returns (address);
    function getPool(address a, address b, uint24 fee) external view returns (address);
}

interface IPair {
    function getReserves() external view returns (uint112, uint112, uint32);
}

interface IClassicRouter {
    function swapExactTokensForTokensSupportingFeeOnTransferTokens(
        uint256 amountIn,
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external;
}

interface IConcentratedRouter {
    struct ExactInput {
        address tokenIn;
        address tokenOut;
        uint24 fee;
        address recipient;
        uint256 amountIn;
        uint256 amountOutMinimum;
        uint160 sqrtPriceLimitX96;
    }

    struct ExactOutput {
        address tokenIn;
        address tokenOut;
        uint24 fee;
        address recipient;
        uint256 amountOut;
        uint256 amountInMaximum;
        uint160 sqrtPriceLimitX96;
    }

    function exactInputSingle(ExactInput calldata params) external payable returns (uint256);
    function exactOutputSingle(ExactOutput calldata params) external payable returns (uint256);
}

interface IQuoter {
    struct Question {
        address tokenIn;
        address tokenOut;
        uint256 amountIn;
        uint24 fee;
        uint160 sqrtPriceLimitX96;
    }

    function quoteExactInputSingle(Question calldata question)
        external
        returns (uint256 amountOut, uint160, uint32, uint256);
}

/// Buys a token, transfers some, approves and sells, from the address at which it runs, and returns what each step gave.
abstract contract LaunchTrader is BoundedCaller {
    struct Market {
        bool isConcentrated;
        address pool;
        address router;
        address quoter;
        address token;
        address quote;
        uint24 fee;
        address weth;
        /// Where the quote token is bought with native currency, if it is not the wrapped native currency.
        address fundingRouter;
        uint24 fundingFee;
    }

    struct Leg {
        bool success;
        /// The amount that the trader gave.
        uint256 sent;
        /// The amount that reached the other side: the pool, or the receiver of a transfer.
        uint256 reached;
        /// The amount that the pool quoted for `sent`.
        uint256 quoted;
        uint256 received;
        bytes refusal;
    }

    uint256 private constant MAX_REFUSAL = 256;
    uint256 internal constant LEG_GAS = 2_000_000;

    /// Buy, transfer, approve, sell half, sell the rest. Without a purchase nothing follows.
    function tradeAll(Market memory market, uint256 shareBps, address friend) internal returns (Leg[] memory legs) {
        legs = new Leg[](5);
        legs[0] = buy(market, shareBps);
        if (!legs[0].success || legs[0].received == 0) return legs;
        legs[1] = pass(market.token, legs[0].received / 10, friend);
        legs[2] = allow(market.token, market.router);
        legs[3] = sell(market, balanceOf(market.token, address(this)) / 2);
        legs[4] = sell(market, balanceOf(market.token, address(this)));
    }

    function buy(Market memory market, uint256 shareBps) internal returns (Leg memory leg) {
        uint256 amount = (balanceOf(market.quote, market.pool) * shareBps) / 10_000;
        if (amount == 0 || !fund(market, amount)) return leg;
        allow(market.quote, market.router);
        leg = swap(market, market.quote, market.token, amount);
    }

    function sell(Market memory market, uint256 amount) internal returns (Leg memory) {
        return swap(market, market.token, market.quote, amount);
    }

    function fund(Market memory market, uint256 amount) internal returns (bool success) {
        if (market.quote == market.weth) {
            (success,) = callBounded(market.weth, amount, abi.encodeCall(IToken.deposit, ()), LEG_GAS, 0);
            return success;
        }
        bytes memory data = abi.encodeCall(
            IConcentratedRouter.exactOutputSingle,
            IConcentratedRouter.ExactOutput(
                market.weth, market.quote, market.fundingFee, address(this), amount, address(this).balance, 0
            )
        );
        (success,) = callBounded(market.fundingRouter, address(this).balance, data, LEG_GAS, 0);
    }

    function swap(Market memory market, address give, address take, uint256 amount) internal returns (Leg memory leg) {
        leg.sent = amount;
        leg.quoted = quote(market, give, take, amount);
        uint256 before = balanceOf(take, address(this));
        uint256 poolBefore = balanceOf(give, market.pool);
        bytes memory data;
        if (market.isConcentrated) {
            data = abi.encodeCall(
                IConcentratedRouter.exactInputSingle,
                IConcentratedRouter.ExactInput(give, take, market.fee, address(this), amount, 0, 0)
            );
        } else {
            address[] memory path = new address[](2);
            (path[0], path[1]) = (give, take);
            data = abi.encodeCall(
                IClassicRouter.swapExactTokensForTokensSupportingFeeOnTransferTokens,
                (amount, 0, path, address(this), block.timestamp)
            );
        }
        (leg.success, leg.refusal) = callBounded(market.router, 0, data, LEG_GAS, MAX_REFUSAL);
        leg.received = difference(balanceOf(take, address(this)), before);
        leg.reached = difference(balanceOf(give, market.pool), poolBefore);
    }

    function pass(address token, uint256 amount, address friend) internal returns (Leg memory leg) {
        uint256 before = balanceOf(token, friend);
        uint256 own = balanceOf(token, address(this));
        bytes memory data = abi.encodeCall(IToken.transfer, (friend, amount));
        (leg.success, leg.refusal) = callBounded(token, 0, data, LEG_GAS, MAX_REFUSAL);
        leg.received = difference(balanceOf(token, friend), before);
        leg.reached = leg.received;
        leg.quoted = amount;
        leg.sent = difference(own, balanceOf(token, address(this)));
    }

    function allow(address token, address spender) internal returns (Leg memory leg) {
        bytes memory data = abi.encodeCall(IToken.approve, (spender, type(uint256).max));
        (leg.success, leg.refusal) = callBounded(token, 0, data, LEG_GAS, MAX_REFUSAL);
    }

    /// By the formula of the pair (0.3 % for its holders) or by the concentrated pool's own answer; zero means no answer.
    function quote(Market memory market, address give, address take, uint256 amount) internal returns (uint256) {
        if (amount == 0) return 0;
        if (market.isConcentrated) {
            bytes memory data = abi.encodeCall(
                IQuoter.quoteExactInputSingle, IQuoter.Question(give, take, amount, market.fee, 0)
            );
            (bool success, bytes memory answer) = callBounded(market.quoter, 0, data, LEG_GAS, 32);
            return success && answer.length == 32 ? abi.decode(answer, (uint256)) : 0;
        }
        (uint256 first, uint256 second,) = IPair(market.pool).getReserves();
        (uint256 reserveIn, uint256 reserveOut) = give < take ? (first, second) : (second, first);
        if (amount > type(uint128).max) return 0;
        return (amount * 997 * reserveOut) / (reserveIn * 1000 + amount * 997);
    }

    function balanceOf(address token, address holder) internal view returns (uint256 value) {
        (, value) = readWord(token, abi.encodeCall(IToken.balanceOf, (holder)));
    }
}
