// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";

/// The logic behind every sample proxy: one stored number and an owner.
contract BoxV1 is Initializable {
    error NotOwner(address caller);

    address public owner;
    uint256 public value;

    constructor() {
        _disableInitializers();
    }

    function initialize(address owner_, uint256 value_) external initializer {
        owner = owner_;
        value = value_;
    }

    function set(uint256 value_) external {
        value = value_;
    }

    function version() external pure virtual returns (uint256) {
        return 1;
    }

    function _requireOwner() internal view {
        require(msg.sender == owner, NotOwner(msg.sender));
    }
}
