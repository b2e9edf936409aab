// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// Takes 3 % of every trade with its pair and sends it to the owner; transfers between holders are free.
contract TaxedToken is ERC20, Ownable {
    uint256 public constant TAX_BPS = 300;

    address public pair;

    constructor(uint256 supply) ERC20("Taxed Token", "TAXED") Ownable(msg.sender) {
        _mint(msg.sender, supply);
    }

    /// Set after the first liquidity, so that the liquidity itself is not taxed.
    function setPair(address pair_) external onlyOwner {
        pair = pair_;
    }

    function _update(address from, address to, uint256 value) internal override {
        uint256 tax = pair != address(0) && (from == pair || to == pair) ? (value * TAX_BPS) / 10_000 : 0;
        if (tax > 0) super._update(from, owner(), tax);
        super._update(from, to, value - tax);
    }
}
