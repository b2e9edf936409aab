// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// The allowances of Permit2, without its signatures: which spender may take how much of which token until when.
contract SamplePermit2 {
    error AllowanceExpired(uint256 deadline);
    error InsufficientAllowance(uint256 amount);

    struct Allowance {
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    mapping(address owner => mapping(address token => mapping(address spender => Allowance))) public allowance;

    function approve(address token, address spender, uint160 amount, uint48 expiration) external {
        Allowance storage kept = allowance[msg.sender][token][spender];
        kept.amount = amount;
        kept.expiration = expiration == 0 ? uint48(block.timestamp) : expiration;
    }

    function transferFrom(address from, address to, uint160 amount, address token) external {
        Allowance storage kept = allowance[from][token][msg.sender];
        require(block.timestamp <= kept.expiration, AllowanceExpired(kept.expiration));
        require(amount <= kept.amount, InsufficientAllowance(kept.amount));
        if (kept.amount != type(uint160).max) kept.amount -= amount;
        IERC20(token).transferFrom(from, to, amount);
    }
}
