// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {BoxV1} from "./BoxV1.sol";

/// A box that upgrades itself as EIP-1822 describes, through that standard's own slot.
contract ProxiableBox is BoxV1 {
    error NotProxiable(address implementation);

    /// keccak256("PROXIABLE")
    bytes32 private constant IMPLEMENTATION_SLOT = 0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7;

    function proxiableUUID() public pure returns (bytes32) {
        return IMPLEMENTATION_SLOT;
    }

    function updateCodeAddress(address implementation) external {
        _requireOwner();
        require(ProxiableBox(implementation).proxiableUUID() == IMPLEMENTATION_SLOT, NotProxiable(implementation));
        assembly {
            sstore(IMPLEMENTATION_SLOT, implementation)
        }
    }
}
