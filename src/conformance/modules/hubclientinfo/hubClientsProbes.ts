/** Telling a partner of another party, as a hub does (mod_hub_client_info, Receiver Interface). */
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import type { JsonObject } from "../../../findings/json.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { Probe, ProbeRequest } from "../../model/Probe.ts"
import { nobodysParty } from "../transport/formsProbes.ts"

/** A ClientInfo with status PLANNED of a party that does not exist, of a role that the partner can communicate with. */
export const testClient = (evidence: Evidence): JsonObject => ({
  country_code: evidence.party.identity.countryCode,
  party_id: nobodysParty.partyId,
  role: evidence.party.role,
  status: "PLANNED",
  last_updated: dateTimeOf(Date.parse(evidence.startedAt))
})

const request = (
  evidence: Evidence,
  method: "GET" | "PUT",
  more: Pick<ProbeRequest, "body"> = {}
): ProbeRequest => ({
  module: "hubclientinfo",
  interfaceRole: "RECEIVER",
  operation: `${method} clientinfo`,
  method,
  path: [evidence.party.identity.countryCode, nobodysParty.partyId],
  ...more
})

/** PUT of a ClientInfo and GET of it. */
export const hubClientProbes: ReadonlyArray<Probe> = [
  {
    id: "hubclientinfo.write",
    steps: [
      { id: "put", act: (evidence) => ({ send: request(evidence, "PUT", { body: testClient(evidence) }) }) },
      { id: "read back", act: (evidence) => ({ send: request(evidence, "GET") }) }
    ]
  }
]
