// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// Base implements B20 tokens, their factory and their policies in the node. On a chain without them, these contracts
/// take their place; the factory and the policies are at their addresses on Base.
contract SampleB20Factory {
    mapping(address => bool) public isB20;
    mapping(address => bool) public isB20Initialized;

    function register(address token, bool isInitialized) external {
        isB20[token] = true;
        isB20Initialized[token] = isInitialized;
    }
}

contract SampleB20Policies {
    /// Policy 0 admits every account; any other policy only the accounts on its list.
    mapping(uint64 => mapping(address => bool)) private admitted;

    function isAuthorized(uint64 policy, address account) external view returns (bool) {
        return policy == 0 || admitted[policy][account];
    }
}

contract SampleB20Token is ERC20 {
    uint256 public supplyCap = 1e25;
    uint8 private paused;
    uint64 private receiverPolicy;
    address private immutable admin;

    constructor(string memory symbol) ERC20("Native Share", symbol) {
        admin = msg.sender;
        _mint(msg.sender, 1e24);
    }

    /// A bit for each feature: transfer, mint, burn, seize.
    function setPaused(uint8 features) external {
        paused = features;
    }

    function setReceiverPolicy(uint64 policy) external {
        receiverPolicy = policy;
    }

    function isPaused(uint8 feature) public view returns (bool) {
        return (paused >> feature) & 1 == 1;
    }

    function pausedFeatures() external view returns (uint8[] memory features) {
        features = new uint8[](paused == 0 ? 0 : 1);
    }

    function policyId(bytes32 scope) external view returns (uint64) {
        return scope == keccak256("TRANSFER_RECEIVER_POLICY") ? receiverPolicy : 0;
    }

    function hasRole(bytes32 role, address account) external view returns (bool) {
        return role == 0 && account == admin;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!isPaused(0), "paused");
        address policies = 0x8453000000000000000000000000000000000002;
        if (policies.code.length > 0 && from != address(0)) {
            require(SampleB20Policies(policies).isAuthorized(receiverPolicy, to), "policy forbids");
        }
        super._update(from, to, value);
    }
}
