import { askForService } from "@assay/client/testing/startWhenAsked";
import { inject } from "vitest";

/** The service that `globalSetup` describes, shared by all tests of the console. */
export const service = await askForService(inject("consoleServiceStarter"));
