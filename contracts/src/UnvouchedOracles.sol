// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {FeedParts, SampleFeedOracle, SamplePriceFeed} from "./LendingSamples.sol";

// Each has honest feeds and returns their price at first, but not always.

/// Returns the price at its deployment permanently.
contract ConstantOracle is FeedParts {
    uint256 public immutable price;

    constructor(SamplePriceFeed baseFeed, SamplePriceFeed quoteFeed, uint256 scaleFactor)
        FeedParts(baseFeed, quoteFeed, scaleFactor)
    {
        price = (scaleFactor * uint256(baseFeed.answer())) / uint256(quoteFeed.answer());
    }
}

/// Any caller may set its price.
contract SettableOracle is FeedParts {
    uint256 public price;

    constructor(SamplePriceFeed baseFeed, SamplePriceFeed quoteFeed, uint256 scaleFactor)
        FeedParts(baseFeed, quoteFeed, scaleFactor)
    {
        price = (scaleFactor * uint256(baseFeed.answer())) / uint256(quoteFeed.answer());
    }

    function setPrice(uint256 price_) external {
        price = price_;
    }
}

/// Returns half the price in the transactions of one account, which can then liquidate any position.
contract OriginOracle is SampleFeedOracle {
    address internal immutable liquidator;

    constructor(SamplePriceFeed baseFeed, SamplePriceFeed quoteFeed, uint256 scaleFactor, address liquidator_)
        SampleFeedOracle(baseFeed, quoteFeed, scaleFactor)
    {
        liquidator = liquidator_;
    }

    function price() external view override returns (uint256) {
        return tx.origin == liquidator ? made() / 2 : made();
    }
}

/// Returns half the price from a block on.
contract BlockNumberOracle is SampleFeedOracle {
    uint256 internal immutable end;

    constructor(SamplePriceFeed baseFeed, SamplePriceFeed quoteFeed, uint256 scaleFactor, uint256 end_)
        SampleFeedOracle(baseFeed, quoteFeed, scaleFactor)
    {
        end = end_;
    }

    function price() external view override returns (uint256) {
        return block.number < end ? made() : made() / 2;
    }
}

/// Returns half the price to callers that leave it little gas.
contract GasOracle is SampleFeedOracle {
    constructor(SamplePriceFeed baseFeed, SamplePriceFeed quoteFeed, uint256 scaleFactor)
        SampleFeedOracle(baseFeed, quoteFeed, scaleFactor)
    {}

    function price() external view override returns (uint256) {
        return gasleft() < 60_000 ? made() / 2 : made();
    }
}

/// Returns what another contract returns. Any caller may replace that contract, whose address is in no known proxy slot.
contract DelegatingOracle is FeedParts {
    address public target;

    constructor(SamplePriceFeed baseFeed, SamplePriceFeed quoteFeed, uint256 scaleFactor, address target_)
        FeedParts(baseFeed, quoteFeed, scaleFactor)
    {
        target = target_;
    }

    function setTarget(address target_) external {
        target = target_;
    }

    function price() external returns (uint256) {
        (, bytes memory answer) = target.delegatecall(msg.data);
        return abi.decode(answer, (uint256));
    }
}
