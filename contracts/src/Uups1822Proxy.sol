// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Proxy} from "@openzeppelin/contracts/proxy/Proxy.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// A proxy that keeps its implementation in the EIP-1822 slot, as proxies did before ERC-1967.
contract Uups1822Proxy is Proxy {
    /// keccak256("PROXIABLE")
    bytes32 private constant IMPLEMENTATION_SLOT = 0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7;

    constructor(address implementation, bytes memory data) {
        assembly {
            sstore(IMPLEMENTATION_SLOT, implementation)
        }
        Address.functionDelegateCall(implementation, data);
    }

    receive() external payable {
        _fallback();
    }

    function _implementation() internal view override returns (address implementation) {
        assembly {
            implementation := sload(IMPLEMENTATION_SLOT)
        }
    }
}
