// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {IDepositCollector} from "./BatchSettlement.sol";

/// Delivers as many of its own tokens as the data says, and then makes the call that the data holds, if any.
contract SampleCollector is IDepositCollector {
    function collect(address, address token, uint256, bytes32, bytes calldata data) external {
        (uint256 delivered, bytes memory further) = abi.decode(data, (uint256, bytes));
        IERC20(token).transfer(msg.sender, delivered);
        if (further.length > 0) Address.functionCall(msg.sender, further);
    }
}

/// Calls somebody in the middle of its next transfer, once armed.
contract ReenteringToken is ERC20 {
    address private target;
    bytes private data;

    constructor() ERC20("Reentering Token", "RNT") {}

    function mint(address to, uint256 value) external {
        _mint(to, value);
    }

    function arm(address target_, bytes calldata data_) external {
        (target, data) = (target_, data_);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        address armed = target;
        if (armed == address(0)) return;
        target = address(0);
        Address.functionCall(armed, data);
    }
}
