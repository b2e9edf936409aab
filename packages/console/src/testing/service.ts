import { connectToService } from "@assay/client/testing/connectToService";
import { inject } from "vitest";

/** The service that `globalSetup` started, shared by all tests of the console. */
export const service = await connectToService(inject("consoleService"));
