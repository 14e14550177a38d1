/** mod_hub_client_info: its checks, and the probes that they need. */
import type { CheckModule } from "../../model/CheckModule.ts"
import { behindHubChecks } from "./behindHub.ts"
import { behindHubProbes } from "./behindHubProbes.ts"
import { hubClientsChecks } from "./hubClients.ts"
import { hubClientProbes } from "./hubClientsProbes.ts"
import { servedClientsChecks, servedClientsProbes } from "./servedClients.ts"

/** Checks of hubclientinfo, with the probes that they need. */
export const hubclientinfoModule: CheckModule = {
  checks: [...behindHubChecks, ...hubClientsChecks, ...servedClientsChecks],
  probes: () => [...behindHubProbes, ...hubClientProbes, ...servedClientsProbes]
}
