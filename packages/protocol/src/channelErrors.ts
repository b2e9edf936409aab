/** Why a payment by channel was answered 402, in the words of the x402 scheme `batch-settlement`, which its clients recognise. */
export const channelErrors = {
  invalid_batch_settlement_evm_channel_id_mismatch: "The channel id is not the hash of the channel's parts.",
  invalid_batch_settlement_evm_receiver_mismatch: "The channel pays another receiver.",
  invalid_batch_settlement_evm_receiver_authorizer_mismatch:
    "Another key decides for the channel's receiver.",
  invalid_batch_settlement_evm_token_mismatch: "The channel holds another token.",
  invalid_batch_settlement_evm_withdraw_delay_mismatch:
    "The channel's withdrawal delay is not the one that was asked for.",
  invalid_batch_settlement_evm_withdraw_delay_out_of_range: "The channel's withdrawal delay is out of range.",
  invalid_batch_settlement_evm_voucher_signature:
    "The voucher is not signed by the channel's payerAuthorizer, which must be a key.",
  invalid_batch_settlement_evm_cumulative_amount_mismatch:
    "The voucher must be over what the channel was charged so far and this price; the challenge says how much that was.",
  invalid_batch_settlement_evm_cumulative_exceeds_balance:
    "The voucher is over more than the channel holds. Deposit more.",
  invalid_batch_settlement_evm_cumulative_below_claimed: "The voucher is over less than was claimed already.",
  invalid_batch_settlement_evm_channel_not_found: "The channel holds nothing. Deposit first.",
  invalid_batch_settlement_evm_channel_busy:
    "Another call of this channel is being served. Send this one when it has ended.",
  invalid_batch_settlement_evm_payload_authorization_valid_before: "The deposit's authorization has ended.",
  invalid_batch_settlement_evm_payload_authorization_valid_after:
    "The deposit's authorization is not valid yet.",
  invalid_batch_settlement_evm_insufficient_balance: "The payer holds less than the deposit.",
  invalid_batch_settlement_evm_deposit_below_min_deposit:
    "The deposit is smaller than what its transaction costs now.",
  invalid_batch_settlement_evm_deposit_simulation_failed: "The token would refuse the deposit.",
  invalid_batch_settlement_evm_deposit_transaction_failed: "The deposit failed on the chain.",
  invalid_batch_settlement_evm_refund_no_balance: "The channel has nothing left to return.",
  invalid_batch_settlement_evm_refund_amount_invalid:
    "A refund must be over at least one atomic unit, and over what its transaction costs now.",
  invalid_batch_settlement_evm_refund_transaction_failed: "The refund failed on the chain.",
} as const;
