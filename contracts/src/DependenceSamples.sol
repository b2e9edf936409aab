// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {LaunchToken} from "./LaunchSamples.sol";

/// Sales end when somebody sends the token a coin of the market's other side.
contract QuoteSwitchToken is LaunchToken {
    constructor(uint256 supply) LaunchToken(supply) {}

    function _update(address from, address to, uint256 value) internal override {
        if (isSale(from, to)) require(IERC20(0x4200000000000000000000000000000000000006).balanceOf(address(this)) == 0);
        super._update(from, to, value);
    }
}

/// Sales end when an account that is written in the code receives tokens.
contract HolderSwitchToken is LaunchToken {
    constructor(uint256 supply) LaunchToken(supply) {}

    function _update(address from, address to, uint256 value) internal override {
        if (isSale(from, to)) require(balanceOf(address(0x1234)) < 1 ether);
        super._update(from, to, value);
    }
}

/// Sales end after so many transfers.
contract CountedTradesToken is LaunchToken {
    uint256 private count;

    constructor(uint256 supply) LaunchToken(supply) {}

    function _update(address from, address to, uint256 value) internal override {
        count++;
        if (isSale(from, to)) require(count < 400);
        super._update(from, to, value);
    }
}

/// Honest: counts transfers, and nothing depends on it.
contract CountingToken is LaunchToken {
    uint256 public count;

    constructor(uint256 supply) LaunchToken(supply) {}

    function _update(address from, address to, uint256 value) internal override {
        count++;
        super._update(from, to, value);
    }
}

/// An approval of an amount that only its maker can compute ends sales.
contract WorkedAmountToken is LaunchToken {
    bool private isShut;

    constructor(uint256 supply) LaunchToken(supply) {}

    function approve(address spender, uint256 value) public override returns (bool) {
        uint256 mixed = value;
        unchecked {
            for (uint256 round; round < 4; round++) mixed = (mixed ^ (mixed << 13)) * 0x9e3779b97f4a7c15;
        }
        if (mixed == 0x123456789abcdef0) isShut = true;
        return super.approve(spender, value);
    }

    function _update(address from, address to, uint256 value) internal override {
        if (isSale(from, to)) require(!isShut);
        super._update(from, to, value);
    }
}

/// Sales fail between the fortieth and the three hundredth day.
contract SeasonToken is LaunchToken {
    uint256 private immutable born = block.timestamp;

    constructor(uint256 supply) LaunchToken(supply) {}

    function _update(address from, address to, uint256 value) internal override {
        uint256 age = block.timestamp - born;
        if (isSale(from, to)) require(age < 40 days || age > 300 days);
        super._update(from, to, value);
    }
}

/// The owner's fee is no fee for a day.
contract DelayedFeeToken is LaunchToken {
    uint256 private fee;
    uint256 private since;

    constructor(uint256 supply) LaunchToken(supply) {}

    function setFee(uint256 next) external onlyOwner {
        fee = next;
        since = block.timestamp + 1 days;
    }

    function _update(address from, address to, uint256 value) internal override {
        uint256 kept = isSale(from, to) && since != 0 && block.timestamp > since ? value * fee / 100 : 0;
        if (kept > 0) super._update(from, owner(), kept);
        super._update(from, to, value - kept);
    }
}

/// Honest: the owner's fee is at most five percent, at once.
contract BoundedFeeToken is LaunchToken {
    uint256 private fee = 1;

    constructor(uint256 supply) LaunchToken(supply) {}

    function setFee(uint256 next) external onlyOwner {
        require(next <= 5);
        fee = next;
    }

    function _update(address from, address to, uint256 value) internal override {
        uint256 kept = isSale(from, to) ? value * fee / 100 : 0;
        if (kept > 0) super._update(from, owner(), kept);
        super._update(from, to, value - kept);
    }
}
