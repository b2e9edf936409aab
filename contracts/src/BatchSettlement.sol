// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Multicall} from "@openzeppelin/contracts/utils/Multicall.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// Moves a deposit from the payer to the settlement contract, which calls this and then counts what arrived.
interface IDepositCollector {
    function collect(address payer, address token, uint256 amount, bytes32 channelId, bytes calldata data) external;
}

/// Takes the place of x402's batch settlement on Base: the same functions, signed messages and meaning, written anew for the
/// local chain. A payer deposits into a channel once, signs cumulative vouchers off the chain, and the receiver claims the
/// newest voucher of many channels in one transaction.
///
/// What the contract holds of a token is always at least the unclaimed part of every channel plus what is claimed and not
/// yet settled.
contract BatchSettlement is EIP712, Multicall {
    using SafeERC20 for IERC20;

    error Reentered();
    error InvalidConfig(string field);
    error WithdrawDelayOutOfRange(uint40 withdrawDelay);
    error ZeroAmount();
    error WrongDeposit(uint256 arrived, uint256 amount);
    error NotAuthorized(address caller);
    error NoClaims();
    error MixedAuthorizers(address first, address other);
    error InvalidVoucherSignature(bytes32 channelId);
    error InvalidAuthorizerSignature(address authorizer);
    error AboveCeiling(bytes32 channelId, uint128 totalClaimed, uint128 maxClaimableAmount);
    error AboveBalance(bytes32 channelId, uint128 amount, uint128 available);
    error InvalidRefundNonce(bytes32 channelId, uint256 nonce, uint256 expected);
    error WithdrawalPending(bytes32 channelId);
    error NoWithdrawal(bytes32 channelId);
    error WithdrawalTooEarly(bytes32 channelId, uint256 finalizableAt);

    event ChannelCreated(bytes32 indexed channelId, ChannelConfig config);
    event ChannelClosed(bytes32 indexed channelId, ChannelConfig config);
    event Deposited(bytes32 indexed channelId, address indexed sender, uint128 amount, uint128 balance);
    event Claimed(bytes32 indexed channelId, uint128 amount, uint128 totalClaimed);
    event Settled(address indexed receiver, address indexed token, address indexed sender, uint128 amount);
    event Refunded(bytes32 indexed channelId, address indexed sender, uint128 amount);
    event WithdrawalInitiated(bytes32 indexed channelId, uint128 amount, uint40 finalizableAt);
    /// A refund took over a part of what was to be withdrawn; zero means that nothing is left to withdraw.
    event WithdrawalLowered(bytes32 indexed channelId, uint128 amount);
    event WithdrawalFinalized(bytes32 indexed channelId, address indexed sender, uint128 amount);

    struct ChannelConfig {
        address payer;
        /// Signs vouchers with ECDSA; zero leaves that to the payer, who may be a contract (ERC-1271).
        address payerAuthorizer;
        address receiver;
        address receiverAuthorizer;
        address token;
        /// In seconds.
        uint40 withdrawDelay;
        bytes32 salt;
    }

    struct Voucher {
        ChannelConfig channel;
        uint128 maxClaimableAmount;
    }

    struct VoucherClaim {
        Voucher voucher;
        bytes signature;
        uint128 totalClaimed;
    }

    /// One slot: a claim reads and writes nothing else of its channel.
    struct Channel {
        /// Deposits minus refunds and withdrawals. Claims do not lower it.
        uint128 balance;
        uint128 totalClaimed;
    }

    struct Receiver {
        uint128 totalClaimed;
        uint128 totalSettled;
    }

    struct Withdrawal {
        uint128 amount;
        uint40 initiatedAt;
    }

    uint40 public constant MIN_WITHDRAW_DELAY = 15 minutes;
    uint40 public constant MAX_WITHDRAW_DELAY = 30 days;

    bytes32 public constant CHANNEL_CONFIG_TYPEHASH = keccak256(
        "ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)"
    );
    bytes32 private constant VOUCHER_TYPEHASH = keccak256("Voucher(bytes32 channelId,uint128 maxClaimableAmount)");
    bytes32 private constant REFUND_TYPEHASH = keccak256("Refund(bytes32 channelId,uint256 nonce,uint128 amount)");
    bytes32 private constant CLAIM_ENTRY_TYPEHASH =
        keccak256("ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)");
    bytes32 private constant CLAIM_BATCH_TYPEHASH = keccak256(
        "ClaimBatch(ClaimEntry[] claims)ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)"
    );

    mapping(bytes32 channelId => Channel) public channels;
    mapping(bytes32 channelId => Withdrawal) public pendingWithdrawals;
    mapping(bytes32 channelId => uint256) public refundNonce;
    mapping(address receiver => mapping(address token => Receiver)) public receivers;

    bool private transient isEntered;

    constructor() EIP712("x402 Batch Settlement", "1") {}

    /// Collectors and tokens are anybody's code: while one runs, nothing here can change.
    modifier nonReentrant() {
        require(!isEntered, Reentered());
        isEntered = true;
        _;
        isEntered = false;
    }

    /// Anybody may deposit, with any collector: only tokens that really arrive count.
    function deposit(ChannelConfig calldata config, uint128 amount, address collector, bytes calldata collectorData)
        external
        nonReentrant
    {
        _requireValid(config);
        require(amount > 0, ZeroAmount());
        bytes32 channelId = getChannelId(config);
        IERC20 token = IERC20(config.token);
        uint256 before = token.balanceOf(address(this));
        IDepositCollector(collector).collect(config.payer, config.token, amount, channelId, collectorData);
        uint256 arrived = token.balanceOf(address(this)) - before;
        require(arrived == amount, WrongDeposit(arrived, amount));
        // After the tokens arrived, because nobody may see money here that is not; the guard keeps the collector out meanwhile.
        Channel storage channel = channels[channelId];
        uint128 balance = channel.balance;
        channel.balance = balance + amount;
        if (balance == 0) emit ChannelCreated(channelId, config);
        emit Deposited(channelId, msg.sender, amount, balance + amount);
    }

    /// By the receiver or its authorizer, of every channel.
    function claim(VoucherClaim[] calldata voucherClaims) external nonReentrant {
        bytes32 separator = _domainSeparatorV4();
        bytes32[] memory channelIds = new bytes32[](voucherClaims.length);
        for (uint256 i = 0; i < voucherClaims.length; ++i) {
            ChannelConfig calldata config = voucherClaims[i].voucher.channel;
            _requireReceiverSide(config);
            channelIds[i] = _hashChannel(separator, config);
        }
        _claim(separator, voucherClaims, channelIds);
    }

    /// By anybody who has a signature of the authorizer that all these channels have in common.
    function claimWithSignature(VoucherClaim[] calldata voucherClaims, bytes calldata authorizerSignature)
        external
        nonReentrant
    {
        require(voucherClaims.length > 0, NoClaims());
        address authorizer = voucherClaims[0].voucher.channel.receiverAuthorizer;
        bytes32 separator = _domainSeparatorV4();
        (bytes32 digest, bytes32[] memory channelIds) = _hashClaims(separator, voucherClaims);
        for (uint256 i = 1; i < voucherClaims.length; ++i) {
            address other = voucherClaims[i].voucher.channel.receiverAuthorizer;
            require(other == authorizer, MixedAuthorizers(authorizer, other));
        }
        _requireSignedBy(authorizer, digest, authorizerSignature);
        _claim(separator, voucherClaims, channelIds);
    }

    /// By anybody: sends the receiver everything that was claimed for it and not sent before. Does nothing if that is nothing.
    function settle(address receiver, address token) external nonReentrant {
        Receiver storage account = receivers[receiver][token];
        (uint128 totalClaimed, uint128 totalSettled) = (account.totalClaimed, account.totalSettled);
        uint128 amount = totalClaimed - totalSettled;
        if (amount == 0) return;
        account.totalSettled = totalClaimed;
        emit Settled(receiver, token, msg.sender, amount);
        IERC20(token).safeTransfer(receiver, amount);
    }

    /// By the payer or its authorizer. Until the delay has passed, the receiver can still claim.
    function initiateWithdraw(ChannelConfig calldata config, uint128 amount) external nonReentrant {
        _requirePayerSide(config);
        require(amount > 0, ZeroAmount());
        bytes32 channelId = getChannelId(config);
        Withdrawal storage pending = pendingWithdrawals[channelId];
        // A second one would start the delay anew, with which an authorizer could keep the payer waiting forever.
        require(pending.initiatedAt == 0, WithdrawalPending(channelId));
        uint128 available = _availableIn(channels[channelId]);
        require(amount <= available, AboveBalance(channelId, amount, available));
        (pending.amount, pending.initiatedAt) = (amount, uint40(block.timestamp));
        emit WithdrawalInitiated(channelId, amount, uint40(block.timestamp) + config.withdrawDelay);
    }

    /// By the payer or its authorizer. Pays the payer at most what is unclaimed by now.
    function finalizeWithdraw(ChannelConfig calldata config) external nonReentrant {
        _requirePayerSide(config);
        bytes32 channelId = getChannelId(config);
        Withdrawal memory pending = pendingWithdrawals[channelId];
        require(pending.initiatedAt != 0, NoWithdrawal(channelId));
        uint256 finalizableAt = uint256(pending.initiatedAt) + config.withdrawDelay;
        require(block.timestamp >= finalizableAt, WithdrawalTooEarly(channelId, finalizableAt));
        delete pendingWithdrawals[channelId];
        uint128 amount = _smaller(pending.amount, _availableIn(channels[channelId]));
        emit WithdrawalFinalized(channelId, msg.sender, amount);
        _payBack(config, channelId, amount);
    }

    /// By the receiver or its authorizer.
    function refund(ChannelConfig calldata config, uint128 amount) external nonReentrant {
        _requireReceiverSide(config);
        _refund(config, getChannelId(config), amount);
    }

    /// By anybody who has a signature of the receiver's authorizer.
    function refundWithSignature(
        ChannelConfig calldata config,
        uint128 amount,
        uint256 nonce,
        bytes calldata receiverAuthorizerSignature
    ) external nonReentrant {
        bytes32 channelId = getChannelId(config);
        uint256 expected = refundNonce[channelId];
        require(nonce == expected, InvalidRefundNonce(channelId, nonce, expected));
        bytes32 digest = getRefundDigest(channelId, nonce, amount);
        _requireSignedBy(config.receiverAuthorizer, digest, receiverAuthorizerSignature);
        _refund(config, channelId, amount);
    }

    /// The EIP-712 digest and not only the struct's hash, so that the id differs between chains.
    function getChannelId(ChannelConfig calldata config) public view returns (bytes32) {
        return _hashChannel(_domainSeparatorV4(), config);
    }

    function getVoucherDigest(bytes32 channelId, uint128 maxClaimableAmount) public view returns (bytes32) {
        return _hashVoucher(_domainSeparatorV4(), channelId, maxClaimableAmount);
    }

    function getRefundDigest(bytes32 channelId, uint256 nonce, uint128 amount) public view returns (bytes32) {
        return _hashTypedDataV4(_hashWords(REFUND_TYPEHASH, channelId, bytes32(nonce), bytes32(uint256(amount)), 4));
    }

    function getClaimBatchDigest(VoucherClaim[] calldata voucherClaims) external view returns (bytes32 digest) {
        (digest,) = _hashClaims(_domainSeparatorV4(), voucherClaims);
    }

    /// Neighbours with the same receiver and token are added up first: a claim of a hundred channels of one receiver writes
    /// that receiver's slot once.
    function _claim(bytes32 separator, VoucherClaim[] calldata voucherClaims, bytes32[] memory channelIds) private {
        address receiver;
        address token;
        uint128 sum;
        for (uint256 i = 0; i < voucherClaims.length; ++i) {
            VoucherClaim calldata row = voucherClaims[i];
            ChannelConfig calldata config = row.voucher.channel;
            uint128 amount = _claimOne(separator, row, channelIds[i]);
            if (amount == 0) continue;
            if (config.receiver != receiver || config.token != token) {
                if (sum > 0) receivers[receiver][token].totalClaimed += sum;
                (receiver, token, sum) = (config.receiver, config.token, 0);
            }
            sum += amount;
        }
        if (sum > 0) receivers[receiver][token].totalClaimed += sum;
    }

    /// Returns what is newly claimed. A claim that was made before is none, so a batch can be sent again.
    function _claimOne(bytes32 separator, VoucherClaim calldata row, bytes32 channelId) private returns (uint128) {
        uint128 ceiling = row.voucher.maxClaimableAmount;
        uint128 totalClaimed = row.totalClaimed;
        require(totalClaimed <= ceiling, AboveCeiling(channelId, totalClaimed, ceiling));
        Channel storage channel = channels[channelId];
        (uint128 balance, uint128 claimed) = (channel.balance, channel.totalClaimed);
        if (totalClaimed <= claimed) return 0;
        require(totalClaimed <= balance, AboveBalance(channelId, totalClaimed, balance));
        bytes32 digest = _hashVoucher(separator, channelId, ceiling);
        require(
            _isSignedByPayerSide(row.voucher.channel, digest, row.signature), InvalidVoucherSignature(channelId)
        );
        channel.totalClaimed = totalClaimed;
        emit Claimed(channelId, totalClaimed - claimed, totalClaimed);
        return totalClaimed - claimed;
    }

    /// The nonce is used up even if nothing can be paid, so that a signature works once.
    function _refund(ChannelConfig calldata config, bytes32 channelId, uint128 requested) private {
        require(requested > 0, ZeroAmount());
        ++refundNonce[channelId];
        uint128 amount = _smaller(requested, _availableIn(channels[channelId]));
        if (amount == 0) return;
        uint128 pending = pendingWithdrawals[channelId].amount;
        if (pending > amount) {
            pendingWithdrawals[channelId].amount = pending - amount;
            emit WithdrawalLowered(channelId, pending - amount);
        } else if (pending > 0) {
            delete pendingWithdrawals[channelId];
            emit WithdrawalLowered(channelId, 0);
        }
        emit Refunded(channelId, msg.sender, amount);
        _payBack(config, channelId, amount);
    }

    function _payBack(ChannelConfig calldata config, bytes32 channelId, uint128 amount) private {
        if (amount == 0) return;
        uint128 balance = channels[channelId].balance - amount;
        channels[channelId].balance = balance;
        if (balance == 0) emit ChannelClosed(channelId, config);
        IERC20(config.token).safeTransfer(config.payer, amount);
    }

    function _requireValid(ChannelConfig calldata config) private pure {
        require(config.payer != address(0), InvalidConfig("payer"));
        require(config.receiver != address(0), InvalidConfig("receiver"));
        require(config.receiverAuthorizer != address(0), InvalidConfig("receiverAuthorizer"));
        require(
            config.withdrawDelay >= MIN_WITHDRAW_DELAY && config.withdrawDelay <= MAX_WITHDRAW_DELAY,
            WithdrawDelayOutOfRange(config.withdrawDelay)
        );
    }

    function _requireReceiverSide(ChannelConfig calldata config) private view {
        bool allowed = msg.sender == config.receiverAuthorizer || msg.sender == config.receiver;
        require(allowed, NotAuthorized(msg.sender));
    }

    function _requirePayerSide(ChannelConfig calldata config) private view {
        require(msg.sender == config.payer || msg.sender == config.payerAuthorizer, NotAuthorized(msg.sender));
    }

    function _requireSignedBy(address authorizer, bytes32 digest, bytes calldata signature) private view {
        bool valid = SignatureChecker.isValidSignatureNowCalldata(authorizer, digest, signature);
        require(valid, InvalidAuthorizerSignature(authorizer));
    }

    function _isSignedByPayerSide(ChannelConfig calldata config, bytes32 digest, bytes calldata signature)
        private
        view
        returns (bool)
    {
        address authorizer = config.payerAuthorizer;
        if (authorizer == address(0))
            return SignatureChecker.isValidSignatureNowCalldata(config.payer, digest, signature);
        (address signer,,) = ECDSA.tryRecoverCalldata(digest, signature);
        return signer == authorizer;
    }

    function _availableIn(Channel storage channel) private view returns (uint128) {
        return channel.balance - channel.totalClaimed;
    }

    function _smaller(uint128 left, uint128 right) private pure returns (uint128) {
        return left < right ? left : right;
    }

    function _hashClaims(bytes32 separator, VoucherClaim[] calldata voucherClaims)
        private
        pure
        returns (bytes32 digest, bytes32[] memory channelIds)
    {
        channelIds = new bytes32[](voucherClaims.length);
        bytes32[] memory entries = new bytes32[](voucherClaims.length);
        for (uint256 i = 0; i < voucherClaims.length; ++i) {
            VoucherClaim calldata row = voucherClaims[i];
            bytes32 channelId = _hashChannel(separator, row.voucher.channel);
            channelIds[i] = channelId;
            bytes32 ceiling = bytes32(uint256(row.voucher.maxClaimableAmount));
            entries[i] = _hashWords(CLAIM_ENTRY_TYPEHASH, channelId, ceiling, bytes32(uint256(row.totalClaimed)), 4);
        }
        bytes32 claims = keccak256(abi.encodePacked(entries));
        digest = MessageHashUtils.toTypedDataHash(separator, keccak256(abi.encode(CLAIM_BATCH_TYPEHASH, claims)));
    }

    /// The words of the config as they came. Bits that belong to no field would name a channel into which nothing was paid,
    /// because a deposit reads every field and refuses them.
    function _hashChannel(bytes32 separator, ChannelConfig calldata config) private pure returns (bytes32) {
        bytes32 typeHash = CHANNEL_CONFIG_TYPEHASH;
        bytes32 structHash;
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, typeHash)
            calldatacopy(add(free, 0x20), config, 0xe0)
            structHash := keccak256(free, 0x100)
        }
        return MessageHashUtils.toTypedDataHash(separator, structHash);
    }

    function _hashVoucher(bytes32 separator, bytes32 channelId, uint128 ceiling) private pure returns (bytes32) {
        bytes32 structHash = _hashWords(VOUCHER_TYPEHASH, channelId, bytes32(uint256(ceiling)), 0, 3);
        return MessageHashUtils.toTypedDataHash(separator, structHash);
    }

    /// The hash of the first three or four words, made where free memory begins. Memory that `abi.encode` takes is never given
    /// back, which a claim of many channels would pay for.
    function _hashWords(bytes32 first, bytes32 second, bytes32 third, bytes32 fourth, uint256 count)
        private
        pure
        returns (bytes32 hash)
    {
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, first)
            mstore(add(free, 0x20), second)
            mstore(add(free, 0x40), third)
            mstore(add(free, 0x60), fourth)
            hash := keccak256(free, shl(5, count))
        }
    }
}
