import {
  AGENT_REGISTRATION_TYPE,
  type AgentRegistration,
  agentRegistrationSchema,
  NETWORK,
} from "@assay/protocol";
import { LATEST_PROTOCOL_VERSION } from "@modelcontextprotocol/sdk/types.js";
import type { Settings } from "../../base/settings.js";
import { createDocumentHandler, documentHeaders, notModified } from "../createDocumentHandler.js";
import { defineRoute } from "../route.js";

export const agentRegistration = defineRoute({
  operation: {
    id: "getAgentRegistration",
    method: "get",
    path: "/.well-known/agent-registration.json",
    tag: "service",
    summary: "The service as an agent: its endpoints and its entries in identity registries (ERC-8004)",
    description: "An entry here shows that the agent of that registry and this domain belong together.",
    answers: {
      200: {
        description: "The registration file.",
        schema: agentRegistrationSchema,
        headers: documentHeaders,
      },
      304: notModified,
    },
    problems: [],
  },
  createHandler: ({ settings }: { readonly settings: Settings }) =>
    createDocumentHandler("application/json", () => JSON.stringify(describeAgent(settings))),
});

function describeAgent({ publicUrl, agentRegistrations }: Settings): AgentRegistration {
  return {
    type: AGENT_REGISTRATION_TYPE,
    name: "Assay",
    description: `Verdicts (allow, review or block) on transactions, messages, contracts and tokens of ${NETWORK}, which anyone can recompute. Each call is paid with x402; prices are at ${publicUrl}/.well-known/x402.`,
    image: `${publicUrl}/mark.svg`,
    services: [
      { name: "web", endpoint: `${publicUrl}/` },
      { name: "MCP", endpoint: `${publicUrl}/api/mcp`, version: LATEST_PROTOCOL_VERSION },
      { name: "OpenAPI", endpoint: `${publicUrl}/openapi.json`, version: "3.1.0" },
      { name: "x402", endpoint: `${publicUrl}/.well-known/x402`, version: "2" },
    ],
    x402Support: true,
    active: true,
    registrations: [...agentRegistrations],
    // The standard's name for feedback of clients. What it calls validation, any client does by itself with each answer.
    supportedTrust: ["reputation"],
  };
}
