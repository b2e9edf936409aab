import type { CampaignWorld } from "../campaignWorld.js";
import type { CampaignOptions } from "../commandLine.js";

export interface DisturbanceOptions extends CampaignOptions {
  /** The control: what protects payers from this trouble is taken away. */
  readonly withoutProtection: boolean;
}

/** Something that goes wrong around the service, and passes. */
export interface Trouble {
  readonly name: string;
  begin(): Promise<void>;
  /** The trouble is over. Nobody touches the service: it has to go on by itself. */
  end(): Promise<void>;
}

/** A service on a chain and a database, and troubles for it. */
export interface Disturbed {
  readonly world: CampaignWorld;
  readonly url: string;
  readonly troubles: readonly Trouble[];
  /** What should not have happened, and figures of its own. */
  conclude(): Promise<{ readonly violations: readonly string[]; readonly figures?: object }>;
  close(): Promise<void>;
}

export type OpenDisturbed = (options: DisturbanceOptions) => Promise<Disturbed>;
