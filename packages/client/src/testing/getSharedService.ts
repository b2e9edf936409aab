import { inject } from "vitest";
import type { ConnectedService } from "./connectToService.js";
import { askForService } from "./startWhenAsked.js";

/**
 * The service that several files of tests share, at the same time: starting one takes four seconds of processor time. For
 * tests that measure a balance, each with a wallet of its own, and that neither expect a price that depends on earlier
 * calls nor mind when another test mines blocks. Other tests start a service of their own.
 */
export const getSharedService = (): Promise<ConnectedService> =>
  askForService(inject("sharedServiceStarter"));
