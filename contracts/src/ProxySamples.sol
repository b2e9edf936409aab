// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// Passes calls on to an address that a child contract finds, each in its own way.
abstract contract PassingOn {
    address internal immutable keeper = msg.sender;

    modifier onlyKeeper() {
        require(msg.sender == keeper, "not the keeper");
        _;
    }

    function runs() internal view virtual returns (address);

    fallback() external {
        address target = runs();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

/// Keeps the address in a slot of its own, and names it to nobody.
contract HiddenSlotProxy is PassingOn {
    bytes32 private constant SLOT = keccak256("assay.sample.hidden");

    constructor(address target) {
        put(target);
    }

    function replace(address target) external onlyKeeper {
        put(target);
    }

    function put(address target) private {
        bytes32 slot = SLOT;
        assembly {
            sstore(slot, target)
        }
    }

    function runs() internal view override returns (address target) {
        bytes32 slot = SLOT;
        assembly {
            target := sload(slot)
        }
    }
}

/// Keeps the address beside a flag, in a packed word of a mapping, and answers EIP-897's questions.
contract OwnedDelegateProxy is PassingOn {
    struct Version {
        bool isLive;
        address code;
    }

    uint256 private unused;
    mapping(uint256 => Version) private versions;

    constructor(address target) {
        versions[7] = Version(true, target);
    }

    function upgradeTo(address target) external onlyKeeper {
        versions[7].code = target;
    }

    function implementation() public view returns (address) {
        return versions[7].code;
    }

    function proxyType() external pure returns (uint256) {
        return 2;
    }

    function runs() internal view override returns (address) {
        require(versions[7].isLive, "not live");
        return implementation();
    }
}

/// Keeps the address in the slot that is its own address, as Sequence's wallets do.
contract OwnAddressSlotProxy is PassingOn {
    constructor(address target) {
        assembly {
            sstore(address(), target)
        }
    }

    function replace(address target) external onlyKeeper {
        assembly {
            sstore(address(), target)
        }
    }

    function runs() internal view override returns (address target) {
        assembly {
            target := sload(address())
        }
    }
}

contract NameRegistry {
    address private immutable keeper = msg.sender;
    mapping(bytes32 => address) private named;

    function setAddress(string memory name, address target) external {
        require(msg.sender == keeper, "not the keeper");
        named[keccak256(bytes(name))] = target;
    }

    function getAddress(string memory name) external view returns (address) {
        return named[keccak256(bytes(name))];
    }
}

/// Asks a registry for the address under a name that it keeps, as Optimism's resolved proxies do.
contract ResolvedProxy is PassingOn {
    mapping(address => string) private name;
    mapping(address => NameRegistry) private registry;

    constructor(NameRegistry registry_, string memory name_) {
        name[address(this)] = name_;
        registry[address(this)] = registry_;
    }

    function runs() internal view override returns (address target) {
        target = registry[address(this)].getAddress(name[address(this)]);
        require(target != address(0), "nothing under that name");
    }
}

/// Sets the slot of ERC-1967 for show, and runs other code.
contract DecoyProxy is PassingOn {
    address private running;
    bytes32 private constant SHOWN = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    constructor(address shown, address target) {
        running = target;
        bytes32 slot = SHOWN;
        assembly {
            sstore(slot, shown)
        }
    }

    function runs() internal view override returns (address) {
        return running;
    }
}

/// Chooses code per function, without any of the diamond standard's functions.
contract FunctionRouter {
    address private immutable keeper = msg.sender;
    mapping(bytes4 => address) private parts;

    function route(bytes4 selector, address target) external {
        require(msg.sender == keeper, "not the keeper");
        parts[selector] = target;
    }

    fallback() external {
        address target = parts[msg.sig];
        require(target != address(0), "no such function");
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

/// Chooses code per function and says which (ERC-2535), with storage of its own.
contract LoupeRouter {
    struct Facet {
        address facetAddress;
        bytes4[] functionSelectors;
    }

    address private immutable keeper = msg.sender;
    Facet[] private list;
    mapping(bytes4 => address) private parts;

    function add(address target, bytes4[] calldata selectors) external {
        require(msg.sender == keeper, "not the keeper");
        list.push(Facet(target, selectors));
        for (uint256 index = 0; index < selectors.length; index++) {
            parts[selectors[index]] = target;
        }
    }

    /// Gives one function to another part; the list of addresses stays as it is.
    function move(uint256 facet, bytes4 selector) external {
        require(msg.sender == keeper, "not the keeper");
        list[facet].functionSelectors.push(selector);
        parts[selector] = list[facet].facetAddress;
    }

    function facets() external view returns (Facet[] memory) {
        return list;
    }

    function facetAddresses() external view returns (address[] memory found) {
        found = new address[](list.length);
        for (uint256 index = 0; index < list.length; index++) {
            found[index] = list[index].facetAddress;
        }
    }

    fallback() external {
        address target = parts[msg.sig];
        require(target != address(0), "no such function");
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

/// Ordinary but for one function, which runs code that can be replaced.
contract PartlyDelegating {
    address private immutable keeper = msg.sender;
    address private helper;
    uint256 public value;

    constructor(address helper_) {
        helper = helper_;
    }

    function replace(address helper_) external {
        require(msg.sender == keeper, "not the keeper");
        helper = helper_;
    }

    function store(uint256 value_) external {
        (bool done,) = helper.delegatecall(abi.encodeWithSignature("store(uint256)", value_));
        require(done, "failed");
    }
}

/// Runs a library at a fixed address, its own functions in a batch, and whatever its keeper chooses: no proxy.
contract FixedDelegations {
    address private immutable keeper = msg.sender;
    address private immutable library_;

    constructor(address fixed_) {
        library_ = fixed_;
    }

    function double(uint256 value) external returns (uint256) {
        (, bytes memory answer) = library_.delegatecall(abi.encodeWithSignature("double(uint256)", value));
        return abi.decode(answer, (uint256));
    }

    function multicall(bytes[] calldata calls) external returns (bytes[] memory answers) {
        answers = new bytes[](calls.length);
        for (uint256 index = 0; index < calls.length; index++) {
            (, answers[index]) = address(this).delegatecall(calls[index]);
        }
    }

    function execute(address target, bytes calldata data) external returns (bytes memory answer) {
        require(msg.sender == keeper, "not the keeper");
        (, answer) = target.delegatecall(data);
    }
}
