// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// The part of a Safe that matters to a signer: its owner can make it call, or delegatecall, any contract.
contract SampleSafe {
    error NotOwner(address caller);
    error InnerCallFailed();

    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    receive() external payable {}

    function execTransaction(
        address to,
        uint256 value,
        bytes calldata data,
        uint8 operation,
        uint256,
        uint256,
        uint256,
        address,
        address,
        bytes calldata
    ) external payable returns (bool success) {
        require(msg.sender == owner, NotOwner(msg.sender));
        (success,) = operation == 1 ? to.delegatecall(data) : to.call{value: value}(data);
        require(success, InnerCallFailed());
    }
}
