import type { Chain } from "@assay/chain";
import type { Database } from "../../store/database.js";
import { readChannels } from "../channels/channelChain.js";
import { recordChainState } from "../channels/channelRecords.js";

/** Channels that one request asks about. */
const CHANNELS = 100;

/**
 * After a restoration: what the chain shows of each channel. A claim that was made since needed vouchers that this database lacks, so
 * the channel was charged at least that much. Vouchers over less are worth nothing, and would buy answers for nothing.
 */
export async function recoverChannels(database: Database, chain: Chain): Promise<void> {
  for (let after = 0n; ; ) {
    const rows = await database.query<{ channel_no: bigint; channel_id: string }>({
      text: "SELECT channel_no, channel_id FROM channels WHERE channel_no > $1 ORDER BY channel_no LIMIT $2",
      values: [after, CHANNELS],
    });
    const last = rows.at(-1);
    if (!last) return;
    const states = await readChannels(
      chain,
      rows.map(({ channel_id }) => channel_id),
    );
    for (const [i, { channel_no, channel_id }] of rows.entries()) {
      const state = states[i];
      if (!state) throw new Error(`no node shows channel ${channel_id}: what was claimed since is not known`);
      await database.transaction(async (tx) => {
        await recordChainState(tx, channel_no, state, null);
        // The voucher over so much is lost. Its payer checks the amount against the chain instead.
        await tx.query({
          text: `UPDATE channels SET charged = claimed, voucher_signature = NULL, charged_at = NULL, unclaimed_since = NULL
                 WHERE channel_no = $1 AND charged < claimed`,
          values: [channel_no],
        });
      });
    }
    after = last.channel_no;
  }
}
