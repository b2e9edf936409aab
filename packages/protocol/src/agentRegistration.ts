import { z } from "zod";

/** The file's type in ERC-8004. */
export const AGENT_REGISTRATION_TYPE = "https://eips.ethereum.org/EIPS/eip-8004#registration-v1";

/** An entry in an identity registry. The domain that lists it here shows that the agent's endpoints are its own. */
export const agentRegistryEntrySchema = z.object({
  agentId: z.int().min(0),
  /** `eip155:{chainId}:{identityRegistry}` */
  agentRegistry: z.string().regex(/^eip155:[1-9][0-9]{0,15}:0x[0-9a-fA-F]{40}$/),
});

/** GET /.well-known/agent-registration.json: the registration file of ERC-8004. */
export const agentRegistrationSchema = z.object({
  type: z.literal(AGENT_REGISTRATION_TYPE),
  name: z.string(),
  description: z.string(),
  image: z.string(),
  services: z.array(z.object({ name: z.string(), endpoint: z.string(), version: z.string().optional() })),
  x402Support: z.boolean(),
  active: z.boolean(),
  /** Empty where the operator has registered the service nowhere. */
  registrations: z.array(agentRegistryEntrySchema),
  supportedTrust: z.array(z.string()),
});

export type AgentRegistryEntry = z.infer<typeof agentRegistryEntrySchema>;
export type AgentRegistration = z.infer<typeof agentRegistrationSchema>;
