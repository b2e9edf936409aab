// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Proxy} from "@openzeppelin/contracts/proxy/Proxy.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// A proxy with ZeppelinOS's slots, which USDC and other contracts from before ERC-1967 still use.
contract LegacyProxy is Proxy {
    error NotAdmin(address caller);

    event Upgraded(address implementation);

    /// keccak256("org.zeppelinos.proxy.implementation")
    bytes32 private constant IMPLEMENTATION_SLOT = 0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3;
    /// keccak256("org.zeppelinos.proxy.admin")
    bytes32 private constant ADMIN_SLOT = 0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b;

    constructor(address implementation, address admin, bytes memory data) {
        assembly {
            sstore(IMPLEMENTATION_SLOT, implementation)
            sstore(ADMIN_SLOT, admin)
        }
        Address.functionDelegateCall(implementation, data);
    }

    receive() external payable {
        _fallback();
    }

    function upgradeTo(address implementation) external {
        address admin;
        assembly {
            admin := sload(ADMIN_SLOT)
        }
        require(msg.sender == admin, NotAdmin(msg.sender));
        assembly {
            sstore(IMPLEMENTATION_SLOT, implementation)
        }
        emit Upgraded(implementation);
    }

    function _implementation() internal view override returns (address implementation) {
        assembly {
            implementation := sload(IMPLEMENTATION_SLOT)
        }
    }
}
