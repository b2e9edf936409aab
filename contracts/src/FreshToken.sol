// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A token on its launch day: it has an owner only until ownership is renounced.
contract FreshToken is ERC20, Ownable {
    constructor(uint256 supply) ERC20("Fresh Token", "FRESH") Ownable(msg.sender) {
        _mint(msg.sender, supply);
    }
}
