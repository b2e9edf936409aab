import { AssayClientError } from "../assayClientError.js";

/** What the service says of the payment channel contradicts what its payer signed. Nothing more was signed. */
export class ChannelDisputeError extends AssayClientError {
  override readonly name = "ChannelDisputeError";
  override readonly code = "channel_disputed";
  override readonly retryable = false;
  constructor(detail: string) {
    super(`${detail} Nothing more was signed for this channel.`);
  }
}
