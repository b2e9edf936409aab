// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// What an OP Stack chain knows of its fees, with the getters of the L1Block predeploy. Anybody may set them: the local chain has
/// no sequencer that would.
contract SampleL1Block {
    uint256 public basefee = 1 gwei;
    uint256 public blobBaseFee = 1;
    uint32 public baseFeeScalar = 2269;
    uint32 public blobBaseFeeScalar = 1055762;
    uint32 public operatorFeeScalar;
    uint64 public operatorFeeConstant;

    function setL1Fees(uint256 basefee_, uint256 blobBaseFee_) external {
        basefee = basefee_;
        blobBaseFee = blobBaseFee_;
    }

    function setOperatorFee(uint32 scalar, uint64 constant_) external {
        operatorFeeScalar = scalar;
        operatorFeeConstant = constant_;
    }
}

/// The GasPriceOracle predeploy's answers about a transaction's data fee (Fjord) and operator fee (Isthmus). The compressed size
/// is a simple estimate instead of FastLZ's: repeated bytes cost an eighth.
contract SampleGasPriceOracle {
    SampleL1Block private constant l1Block = SampleL1Block(0x4200000000000000000000000000000000000015);
    /// The signature, which is not part of the data that is asked about.
    uint256 private constant SIGNATURE_BYTES = 68;

    function getL1Fee(bytes calldata data) external view returns (uint256) {
        uint256 eighths = 0;
        bytes1 last = 0xff;
        for (uint256 i = 0; i < data.length; i++) {
            eighths += data[i] == last ? 1 : 8;
            last = data[i];
        }
        return feeOf(eighths / 8 + SIGNATURE_BYTES);
    }

    function getL1FeeUpperBound(uint256 unsignedSize) external view returns (uint256) {
        uint256 size = unsignedSize + SIGNATURE_BYTES;
        return feeOf(size + size / 255 + 16);
    }

    function getOperatorFee(uint256 gasUsed) external view returns (uint256) {
        return (gasUsed * l1Block.operatorFeeScalar()) / 1e6 + l1Block.operatorFeeConstant();
    }

    /// The linear estimate of Fjord, with its minimum, at the price of calldata and blobs.
    function feeOf(uint256 compressedSize) private view returns (uint256) {
        int256 estimate = int256(compressedSize * 836_500) - 42_585_600;
        uint256 scaledSize = estimate < 100_000_000 ? 100_000_000 : uint256(estimate);
        uint256 scaledPrice = uint256(l1Block.baseFeeScalar()) * l1Block.basefee() * 16
            + uint256(l1Block.blobBaseFeeScalar()) * l1Block.blobBaseFee();
        return (scaledSize * scaledPrice) / 1e12;
    }
}
