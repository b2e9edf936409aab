// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// A token whose allowances can be given by signature (EIP-2612).
contract SamplePermitToken is ERC20, ERC20Permit {
    constructor(address holder) ERC20("Permit Token", "PRM") ERC20Permit("Permit Token") {
        _mint(holder, 1_000 ether);
    }
}
