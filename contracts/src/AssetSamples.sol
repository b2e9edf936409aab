// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// An ordinary token with a chosen name: harmless by itself, but usable as an imitation of another token.
contract NamedToken is ERC20 {
    constructor(string memory name, string memory symbol, uint256 supply) ERC20(name, symbol) {
        _mint(msg.sender, supply);
    }
}

/// Only accounts on its list may hold it; refusals are reported as ERC-1404 defines.
contract RestrictedToken is NamedToken, Ownable {
    mapping(address => bool) public isAdmitted;
    bool private immutable isEnforced;

    constructor(string memory symbol, bool isEnforced_) NamedToken("Restricted Share", symbol, 1e24) Ownable(msg.sender) {
        isAdmitted[msg.sender] = true;
        isEnforced = isEnforced_;
    }

    function admit(address holder) external onlyOwner {
        isAdmitted[holder] = true;
    }

    function detectTransferRestriction(address from, address to, uint256) public view returns (uint8) {
        return isAdmitted[from] && isAdmitted[to] ? 0 : 7;
    }

    function messageForTransferRestriction(uint8 code) public pure returns (string memory) {
        return code == 0 ? "none" : "an account is not admitted";
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        require(!isEnforced || detectTransferRestriction(msg.sender, to, value) == 0, "restricted");
        return super.transfer(to, value);
    }
}

/// Issued and frozen by holders of roles that cannot be enumerated, as with many issuers' tokens.
contract RoleToken is NamedToken, AccessControl {
    mapping(address => bool) private frozen;
    uint256 public cap = 2e24;

    constructor(string memory symbol, address admin) NamedToken("Role Bond", symbol, 1e24) {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
    }

    function setCap(uint256 cap_) external onlyRole(DEFAULT_ADMIN_ROLE) {
        cap = cap_;
    }

    function mint(address to, uint256 value) external onlyRole(DEFAULT_ADMIN_ROLE) {
        require(totalSupply() + value <= cap, "above the cap");
        _mint(to, value);
    }

    function setAddressFrozen(address holder, bool isFrozen) external onlyRole(DEFAULT_ADMIN_ROLE) {
        frozen[holder] = isFrozen;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!frozen[from] && !frozen[to], "frozen");
        super._update(from, to, value);
    }
}

/// Has the functions of an issuer without checking the caller.
contract UnguardedToken is NamedToken, Ownable {
    constructor(string memory symbol) NamedToken("Unguarded Note", symbol, 1e24) Ownable(msg.sender) {}

    function mint(address to, uint256 value) external {
        _mint(to, value);
    }

    function forcedTransfer(address from, address to, uint256 value) external returns (bool) {
        _transfer(from, to, value);
        return true;
    }
}

/// An ordinary token whose creator can make it run any code by delegatecall; no known slot holds that code's address.
contract PuppetToken is NamedToken {
    address private immutable maker = msg.sender;

    constructor(string memory symbol) NamedToken("Puppet Note", symbol, 1e24) {}

    function perform(address code, bytes calldata data) external {
        require(msg.sender == maker, "not the maker");
        (bool success,) = code.delegatecall(data);
        require(success, "failed");
    }
}
