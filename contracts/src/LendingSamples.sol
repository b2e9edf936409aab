// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Market, MarketParams} from "./BorrowProbe.sol";

/// A price feed whose price any caller can set. Its update time is the current block's until one is set.
contract SamplePriceFeed {
    uint8 public immutable decimals;
    int256 public answer;
    uint256 private chosenUpdate;

    constructor(uint8 decimals_, int256 answer_) {
        decimals = decimals_;
        answer = answer_;
    }

    function setAnswer(int256 answer_, uint256 updatedAt) external {
        answer = answer_;
        chosenUpdate = updatedAt;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        uint256 updatedAt = chosenUpdate == 0 ? block.timestamp : chosenUpdate;
        return (1, answer, updatedAt, updatedAt, 1);
    }
}

/// The getters of Morpho's Chainlink oracle (version 2), with one feed for each side and no vaults.
abstract contract FeedParts {
    SamplePriceFeed public immutable BASE_FEED_1;
    SamplePriceFeed public immutable QUOTE_FEED_1;
    uint256 public immutable SCALE_FACTOR;
    address public constant BASE_FEED_2 = address(0);
    address public constant QUOTE_FEED_2 = address(0);
    address public constant BASE_VAULT = address(0);
    address public constant QUOTE_VAULT = address(0);
    uint256 public constant BASE_VAULT_CONVERSION_SAMPLE = 1;
    uint256 public constant QUOTE_VAULT_CONVERSION_SAMPLE = 1;

    constructor(SamplePriceFeed baseFeed, SamplePriceFeed quoteFeed, uint256 scaleFactor) {
        BASE_FEED_1 = baseFeed;
        QUOTE_FEED_1 = quoteFeed;
        SCALE_FACTOR = scaleFactor;
    }

    function made() internal view returns (uint256) {
        return (SCALE_FACTOR * uint256(BASE_FEED_1.answer())) / uint256(QUOTE_FEED_1.answer());
    }
}

/// A price that is computed only from what the getters return.
contract SampleFeedOracle is FeedParts {
    constructor(SamplePriceFeed baseFeed, SamplePriceFeed quoteFeed, uint256 scaleFactor)
        FeedParts(baseFeed, quoteFeed, scaleFactor)
    {}

    function price() external view virtual returns (uint256) {
        return made();
    }
}

/// States which oracles it has created, as Morpho's factory does: one code, with feeds that any caller may choose.
contract SampleOracleFactory {
    mapping(address => bool) public isMorphoChainlinkOracleV2;

    function create(SamplePriceFeed baseFeed, SamplePriceFeed quoteFeed, uint256 scaleFactor, bytes32 salt) external {
        SampleFeedOracle oracle = new SampleFeedOracle{salt: salt}(baseFeed, quoteFeed, scaleFactor);
        isMorphoChainlinkOracleV2[address(oracle)] = true;
    }
}

/// Has honest feeds and returns another price than theirs: a tenth more.
contract BoastfulOracle is SampleFeedOracle {
    constructor(SamplePriceFeed baseFeed, SamplePriceFeed quoteFeed, uint256 scaleFactor)
        SampleFeedOracle(baseFeed, quoteFeed, scaleFactor)
    {}

    function price() external view override returns (uint256) {
        return (made() * 11) / 10;
    }
}

/// Returns half the price in transactions, and the whole price to a direct call, even one from the market's address.
contract TwoFacedOracle is SampleFeedOracle {
    address internal immutable market;

    constructor(SamplePriceFeed baseFeed, SamplePriceFeed quoteFeed, uint256 scaleFactor, address market_)
        SampleFeedOracle(baseFeed, quoteFeed, scaleFactor)
    {
        market = market_;
    }

    function price() external view virtual override returns (uint256) {
        return msg.sender == market && tx.origin != market ? made() / 2 : made();
    }
}

/// Returns half the price to every caller except the market.
contract PartialOracle is TwoFacedOracle {
    constructor(SamplePriceFeed baseFeed, SamplePriceFeed quoteFeed, uint256 scaleFactor, address market_)
        TwoFacedOracle(baseFeed, quoteFeed, scaleFactor, market_)
    {}

    function price() external view override returns (uint256) {
        return msg.sender == market ? made() : made() / 2;
    }
}

/// Keeps a hundredth of each transfer.
contract SkimmingToken is ERC20 {
    constructor(uint256 supply) ERC20("Skimming Token", "SKIM") {
        _mint(msg.sender, supply);
    }

    function _update(address from, address to, uint256 value) internal override {
        uint256 kept = from == address(0) ? 0 : value / 100;
        super._update(from, to, value - kept);
        if (kept > 0) super._update(from, address(this), kept);
    }
}

/// Refuses transfers to the account that it has blacklisted.
contract BlacklistingToken is ERC20 {
    mapping(address => bool) public isBlacklisted;

    constructor(uint256 supply) ERC20("Blacklisting Token", "BLACK") {
        _mint(msg.sender, supply);
    }

    function blacklist(address holder) external {
        isBlacklisted[holder] = true;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!isBlacklisted[to], "blacklisted");
        super._update(from, to, value);
    }
}

/// A rate that differs from its view: the view returns one per second, and ten times as much applies when interest accrues.
contract TwoFacedRateModel {
    function borrowRateView(MarketParams memory, Market memory) external pure returns (uint256) {
        return 1e9;
    }

    function borrowRate(MarketParams memory, Market memory) external pure returns (uint256) {
        return 1e10;
    }
}
