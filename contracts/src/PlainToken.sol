// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// An ordinary token: fixed supply, no owner, no settings.
contract PlainToken is ERC20 {
    constructor(uint256 supply) ERC20("Plain Token", "PLAIN") {
        _mint(msg.sender, supply);
    }
}
