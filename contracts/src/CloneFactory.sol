// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

/// Creates EIP-1167 minimal proxies.
contract CloneFactory {
    event Cloned(address indexed implementation, address instance);

    function clone(address implementation) external returns (address instance) {
        instance = Clones.clone(implementation);
        emit Cloned(implementation, instance);
    }
}
