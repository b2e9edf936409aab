// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {IPermit2} from "./DepositCollectors.sol";

/// Two parts of Permit2: allowances, also by signature, that is which spender may take how much of which token until when, and single
/// transfers that the owner signed together with a witness. Without immutables, so that its code works wherever it is put.
contract SamplePermit2 is IPermit2 {
    error AllowanceExpired(uint256 deadline);
    error InsufficientAllowance(uint256 amount);
    error SignatureExpired(uint256 signatureDeadline);
    error InvalidAmount(uint256 maxAmount);
    error InvalidNonce();
    error InvalidSigner();

    struct PermitDetails {
        address token;
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    struct PermitSingle {
        PermitDetails details;
        address spender;
        uint256 sigDeadline;
    }

    bytes32 private constant DETAILS =
        keccak256("PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)");
    bytes32 private constant SINGLE = keccak256(
        "PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
    );

    struct Allowance {
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
    bytes32 private constant TOKEN_PERMISSIONS_TYPEHASH = keccak256("TokenPermissions(address token,uint256 amount)");
    string private constant WITNESS_TRANSFER_TYPE =
        "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,";

    mapping(address owner => mapping(address token => mapping(address spender => Allowance))) public allowance;
    mapping(address owner => mapping(uint256 word => uint256 bits)) public nonceBitmap;

    function approve(address token, address spender, uint160 amount, uint48 expiration) external {
        Allowance storage kept = allowance[msg.sender][token][spender];
        kept.amount = amount;
        kept.expiration = expiration == 0 ? uint48(block.timestamp) : expiration;
    }

    function permit(address owner, PermitSingle calldata given, bytes calldata signature) external {
        require(block.timestamp <= given.sigDeadline, SignatureExpired(given.sigDeadline));
        PermitDetails calldata details = given.details;
        bytes32 inner = keccak256(abi.encode(DETAILS, details.token, details.amount, details.expiration, details.nonce));
        bytes32 outer = keccak256(abi.encode(SINGLE, inner, given.spender, given.sigDeadline));
        bytes32 digest = MessageHashUtils.toTypedDataHash(DOMAIN_SEPARATOR(), outer);
        require(SignatureChecker.isValidSignatureNowCalldata(owner, digest, signature), InvalidSigner());
        Allowance storage kept = allowance[owner][details.token][given.spender];
        require(kept.nonce == details.nonce, InvalidNonce());
        kept.amount = details.amount;
        kept.expiration = details.expiration == 0 ? uint48(block.timestamp) : details.expiration;
        kept.nonce++;
    }

    function transferFrom(address from, address to, uint160 amount, address token) external {
        Allowance storage kept = allowance[from][token][msg.sender];
        require(block.timestamp <= kept.expiration, AllowanceExpired(kept.expiration));
        require(amount <= kept.amount, InsufficientAllowance(kept.amount));
        if (kept.amount != type(uint160).max) kept.amount -= amount;
        IERC20(token).transferFrom(from, to, amount);
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata given,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external {
        require(block.timestamp <= given.deadline, SignatureExpired(given.deadline));
        uint256 amount = transferDetails.requestedAmount;
        require(amount <= given.permitted.amount, InvalidAmount(given.permitted.amount));
        _useNonce(owner, given.nonce);
        bytes32 typeHash = keccak256(abi.encodePacked(WITNESS_TRANSFER_TYPE, witnessTypeString));
        bytes32 permitted = keccak256(abi.encode(TOKEN_PERMISSIONS_TYPEHASH, given.permitted));
        bytes32 structHash =
            keccak256(abi.encode(typeHash, permitted, msg.sender, given.nonce, given.deadline, witness));
        bytes32 digest = MessageHashUtils.toTypedDataHash(DOMAIN_SEPARATOR(), structHash);
        require(SignatureChecker.isValidSignatureNowCalldata(owner, digest, signature), InvalidSigner());
        IERC20(given.permitted.token).transferFrom(owner, transferDetails.to, amount);
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256("Permit2"), block.chainid, address(this)));
    }

    /// Nonces are used in any order, one bit each.
    function _useNonce(address owner, uint256 nonce) private {
        uint256 bit = 1 << (nonce & 0xff);
        uint256 used = nonceBitmap[owner][nonce >> 8];
        require(used & bit == 0, InvalidNonce());
        nonceBitmap[owner][nonce >> 8] = used | bit;
    }
}
