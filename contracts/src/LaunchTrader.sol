// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {BoundedCaller} from "./BoundedCaller.sol";

interface IToken {
    function balanceOf(address holder) external view returns (uint256);
    function totalSupply() external view returns (uint256);
    function approve(address spender, uint256 amount) external;
    function transfer(address to, uint256 amount) external;
    function deposit() external payable;
}

interface IPair {
    function getReserves() external view returns (uint112, uint112, uint32);
    /// Aerodrome's pools answer for themselves.
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);
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

interface IRouteRouter {
    struct Route {
        address from;
        address to;
        bool stable;
        address factory;
    }

    function swapExactTokensForTokensSupportingFeeOnTransferTokens(
        uint256 amountIn,
        uint256 amountOutMin,
        Route[] calldata routes,
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

interface ISlipstreamRouter {
    struct ExactInput {
        address tokenIn;
        address tokenOut;
        int24 tickSpacing;
        address recipient;
        uint256 deadline;
        uint256 amountIn;
        uint256 amountOutMinimum;
        uint160 sqrtPriceLimitX96;
    }

    function exactInputSingle(ExactInput calldata params) external payable returns (uint256);
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

interface ISlipstreamQuoter {
    struct Question {
        address tokenIn;
        address tokenOut;
        uint256 amountIn;
        int24 tickSpacing;
        uint160 sqrtPriceLimitX96;
    }

    function quoteExactInputSingle(Question calldata question)
        external
        returns (uint256 amountOut, uint160, uint32, uint256);
}

interface IPoolManager {
    struct Key {
        address currency0;
        address currency1;
        uint24 fee;
        int24 tickSpacing;
        address hooks;
    }

    struct SwapParams {
        bool zeroForOne;
        int256 amountSpecified;
        uint160 sqrtPriceLimitX96;
    }

    function unlock(bytes calldata data) external returns (bytes memory);
    function swap(Key calldata key, SwapParams calldata params, bytes calldata hookData) external returns (int256);
    function sync(address currency) external;
    function settle() external payable returns (uint256);
    function take(address currency, address to, uint256 amount) external;
}

/// What trades in V4 pools: only a contract can, because their manager calls back.
interface IManagerTrader {
    function swapInManager(LaunchTrader.Market calldata market, address give, address take, uint256 amount)
        external
        returns (uint256);
}

/// Buys a token, transfers some, approves and sells, from the address at which it runs, and returns what each step gave.
abstract contract LaunchTrader is BoundedCaller {
    /// Uniswap V2, Uniswap V3, Aerodrome's pools, Aerodrome's Slipstream, Uniswap V4.
    uint8 internal constant PAIR = 0;
    uint8 internal constant CONCENTRATED = 1;
    uint8 internal constant ROUTED = 2;
    uint8 internal constant SLIPSTREAM = 3;
    uint8 internal constant SINGLETON = 4;

    struct Market {
        uint8 kind;
        /// What holds the tokens: for V4 the pool manager.
        address pool;
        address router;
        address quoter;
        address token;
        /// Zero for native currency, which only V4 has.
        address quote;
        uint24 fee;
        int24 tickSpacing;
        bool isStable;
        /// Aerodrome's factory of the pool, or the hooks of a V4 pool.
        address companion;
        address weth;
        /// Where the quote token is bought with native currency, if it is not the wrapped native currency.
        address fundingRouter;
        uint24 fundingFee;
        /// What counts as the pool's quote token; for V4 the manager holds that of all pools.
        uint256 depth;
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
    /// For all five legs.
    uint256 internal constant RUN_GAS = 7_000_000;
    /// What an ordinary account holds. A token that sells only for the rich would otherwise pass.
    uint256 private constant POCKET_MONEY = 0.03 ether;
    uint256 private constant MILLION = 1_000_000;

    /// Buy, transfer, approve, sell half, sell the rest. Without a purchase nothing follows.
    function tradeAll(Market memory market, uint256 sharePpm, address friend) internal returns (Leg[] memory legs) {
        legs = new Leg[](5);
        legs[0] = buy(market, sharePpm);
        if (!legs[0].success || legs[0].received == 0) return legs;
        legs[1] = pass(market.token, legs[0].received / 10, friend);
        legs[2] = allow(market.token, market.router);
        legs[3] = sell(market, balanceOf(market.token, address(this)) / 2);
        legs[4] = sell(market, balanceOf(market.token, address(this)));
    }

    /// Sells what the trader held before, in two parts. A token could let only those sell who bought in the same transaction
    /// (EIP-1153). No legs where it holds nothing.
    function sellHeld(Market memory market) internal returns (Leg[] memory legs) {
        uint256 held = balanceOf(market.token, address(this));
        if (held == 0) return legs;
        shed(0);
        allow(market.token, market.router);
        legs = new Leg[](2);
        legs[0] = sell(market, held / 2);
        legs[1] = sell(market, balanceOf(market.token, address(this)));
    }

    function buy(Market memory market, uint256 sharePpm) internal returns (Leg memory leg) {
        // What a V4 pool holds that only an event names is not known before.
        uint256 depth =
            market.depth == 0 && market.kind == SINGLETON ? reserveInManager(market, market.quote) : market.depth;
        uint256 amount = (depth * sharePpm) / MILLION;
        if (amount == 0 || !fund(market, amount)) return leg;
        if (market.quote != address(0)) allow(market.quote, market.router);
        leg = swap(market, market.quote, market.token, amount);
    }

    function sell(Market memory market, uint256 amount) internal returns (Leg memory) {
        return swap(market, market.token, market.quote, amount);
    }

    /// Leaves the trader with the quote token and as much native currency as an ordinary account has.
    function fund(Market memory market, uint256 amount) internal returns (bool success) {
        if (market.quote == address(0)) {
            shed(amount);
            return true;
        }
        if (market.quote == market.weth) {
            (success,) = callBounded(market.weth, amount, abi.encodeCall(IToken.deposit, ()), LEG_GAS, 0);
        } else if (balanceOf(market.quote, address(this)) >= amount) {
            success = true;
        } else {
            bytes memory data = abi.encodeCall(
                IConcentratedRouter.exactOutputSingle,
                IConcentratedRouter.ExactOutput(
                    market.weth, market.quote, market.fundingFee, address(this), amount, address(this).balance, 0
                )
            );
            (success,) = callBounded(market.fundingRouter, address(this).balance, data, LEG_GAS, 0);
        }
        shed(0);
    }

    function shed(uint256 kept) private {
        uint256 surplus = difference(address(this).balance, kept + POCKET_MONEY);
        callBounded(address(uint160(uint256(keccak256("surplus")))), surplus, "", 30_000, 0);
    }

    function swap(Market memory market, address give, address take, uint256 amount) internal returns (Leg memory leg) {
        leg.sent = amount;
        leg.quoted = quote(market, give, take, amount);
        uint256 before = balanceOf(take, address(this));
        uint256 poolBefore = balanceOf(give, market.pool);
        bytes memory data = encodeSwap(market, give, take, amount);
        address target = market.kind == SINGLETON ? address(this) : market.router;
        (leg.success, leg.refusal) = callBounded(target, 0, data, LEG_GAS, MAX_REFUSAL);
        leg.received = difference(balanceOf(take, address(this)), before);
        leg.reached = difference(balanceOf(give, market.pool), poolBefore);
        // The manager itself says what a swap gives, and refuses less than it asks for. What a hook keeps is not in that.
        if (market.kind == SINGLETON && leg.success) {
            uint256 given = abi.decode(leg.refusal, (uint256));
            if (given > leg.quoted) leg.quoted = given;
            leg.reached = amount;
        }
    }

    function encodeSwap(Market memory market, address give, address take, uint256 amount)
        private
        view
        returns (bytes memory)
    {
        if (market.kind == CONCENTRATED) {
            return abi.encodeCall(
                IConcentratedRouter.exactInputSingle,
                IConcentratedRouter.ExactInput(give, take, market.fee, address(this), amount, 0, 0)
            );
        }
        if (market.kind == SLIPSTREAM) {
            return abi.encodeCall(
                ISlipstreamRouter.exactInputSingle,
                ISlipstreamRouter.ExactInput(
                    give, take, market.tickSpacing, address(this), block.timestamp, amount, 0, 0
                )
            );
        }
        if (market.kind == ROUTED) {
            IRouteRouter.Route[] memory routes = new IRouteRouter.Route[](1);
            routes[0] = IRouteRouter.Route(give, take, market.isStable, market.companion);
            return abi.encodeCall(
                IRouteRouter.swapExactTokensForTokensSupportingFeeOnTransferTokens,
                (amount, 0, routes, address(this), block.timestamp)
            );
        }
        if (market.kind == SINGLETON) {
            return abi.encodeCall(IManagerTrader.swapInManager, (market, give, take, amount));
        }
        address[] memory path = new address[](2);
        (path[0], path[1]) = (give, take);
        return abi.encodeCall(
            IClassicRouter.swapExactTokensForTokensSupportingFeeOnTransferTokens,
            (amount, 0, path, address(this), block.timestamp)
        );
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

    /// By the formula of the pair (0.3 % for its holders) or by the pool's own answer; zero means no answer.
    function quote(Market memory market, address give, address take, uint256 amount) internal returns (uint256) {
        if (amount == 0 || amount > type(uint128).max) return 0;
        if (market.kind == SINGLETON) return market.companion == address(0) ? 0 : quoteInManager(market, give, take, amount);
        if (market.kind == ROUTED) {
            (, uint256 answer) = readWord(market.pool, abi.encodeCall(IPair.getAmountOut, (amount, give)));
            return answer;
        }
        if (market.kind == PAIR) {
            (uint256 first, uint256 second,) = IPair(market.pool).getReserves();
            (uint256 reserveIn, uint256 reserveOut) = give < take ? (first, second) : (second, first);
            return (amount * 997 * reserveOut) / (reserveIn * 1000 + amount * 997);
        }
        bytes memory data = market.kind == CONCENTRATED
            ? abi.encodeCall(IQuoter.quoteExactInputSingle, IQuoter.Question(give, take, amount, market.fee, 0))
            : abi.encodeCall(
                ISlipstreamQuoter.quoteExactInputSingle,
                ISlipstreamQuoter.Question(give, take, amount, market.tickSpacing, 0)
            );
        (bool success, bytes memory answered) = callBounded(market.quoter, 0, data, LEG_GAS, 32);
        return success && answered.length == 32 ? abi.decode(answered, (uint256)) : 0;
    }

    /// By the pool's price and the liquidity at it, less the fees that the pool itself states.
    function quoteInManager(Market memory market, address give, address take, uint256 amount)
        private
        view
        returns (uint256)
    {
        (uint256 reserveIn, uint256 reserveOut) = (reserveInManager(market, give), reserveInManager(market, take));
        (uint256 state,) = stateInManager(market);
        uint256 protocolFee = (give < take ? state >> 184 : state >> 196) & 0xfff;
        uint256 fee = (state >> 208) & 0xffffff;
        if (reserveIn == 0 || reserveOut > type(uint112).max || fee > MILLION) return 0;
        uint256 spent = (((amount * (MILLION - protocolFee)) / MILLION) * (MILLION - fee)) / MILLION;
        return (spent * reserveOut) / (reserveIn + spent);
    }

    /// What the liquidity of a V4 pool stands for over the whole range; zero beyond prices and amounts that tokens have.
    function reserveInManager(Market memory market, address currency) private view returns (uint256) {
        (uint256 state, uint256 liquidity) = stateInManager(market);
        uint256 price = uint160(state);
        if (price == 0 || price >> 144 != 0 || liquidity >> 112 != 0) return 0;
        address other = currency == market.quote ? market.token : market.quote;
        return currency < other ? (liquidity << 96) / price : (liquidity * price) >> 96;
    }

    /// The first word of the pool's state (v4-core's Slot0), and its liquidity.
    function stateInManager(Market memory market) private view returns (uint256 state, uint256 liquidity) {
        bytes32 place = keccak256(abi.encode(keccak256(abi.encode(keyOf(market))), uint256(6)));
        (, state) = readWord(market.pool, abi.encodeWithSignature("extsload(bytes32)", place));
        (, liquidity) =
            readWord(market.pool, abi.encodeWithSignature("extsload(bytes32)", bytes32(uint256(place) + 3)));
        liquidity = uint128(liquidity);
    }

    function keyOf(Market memory market) internal pure returns (IPoolManager.Key memory) {
        bool isQuoteFirst = market.quote < market.token;
        return IPoolManager.Key(
            isQuoteFirst ? market.quote : market.token,
            isQuoteFirst ? market.token : market.quote,
            market.fee,
            market.tickSpacing,
            market.companion
        );
    }

    function balanceOf(address token, address holder) internal view returns (uint256 value) {
        if (token == address(0)) return holder.balance;
        (, value) = readWord(token, abi.encodeCall(IToken.balanceOf, (holder)));
    }
}
