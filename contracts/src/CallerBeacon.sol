// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// A beacon that returns one implementation to contracts, such as its proxies, and another to all other callers.
contract CallerBeacon {
    address private immutable _toContracts;
    address private immutable _toOthers;

    constructor(address toContracts, address toOthers) {
        _toContracts = toContracts;
        _toOthers = toOthers;
    }

    function implementation() external view returns (address) {
        return msg.sender.code.length > 0 ? _toContracts : _toOthers;
    }
}
