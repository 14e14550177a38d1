/** What a partner does with what a hub tells it of other parties. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { type Check, either, type Judgement } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { judgeReadBack } from "../shared/readBack.ts"
import { taken } from "../shared/takenWrites.ts"
import { testClient } from "./hubClientsProbes.ts"

/**
 * A refusal where we are no hub: ClientInfo is a hub's to tell, and a partner may refuse it from anybody else
 * (mod_hub_client_info).
 */
const fromNoHub = (judgement: Judgement, { party }: Evidence): Judgement =>
  judgement.is !== "fail" || party.hub !== undefined
    ? judgement
    : {
        is: "fail",
        findings: judgement.findings.map((found) => ({
          ...found,
          strength: "should",
          message: `${found.message}; we are no hub in this connection, and a partner may take ClientInfo from its hub alone: plugfest connect --hub and the suite hub judge that`
        }))
      }

/** Judge how a partner takes the ClientInfo of other parties (mod_hub_client_info, Receiver Interface). */
export const hubClientsChecks: ReadonlyArray<Check> = [
  {
    id: "HUB-003",
    title: "PUT of a new ClientInfo is accepted and GET returns it",
    module: "hubclientinfo",
    versions: versionsWhere(({ modules }) => modules.includes("hubclientinfo")),
    roles: either,
    hub: "too",
    mode: "MUT",
    strength: "must",
    reference: "mod_hub_client_info, Receiver Interface",
    sends: "PUT of a ClientInfo with status PLANNED of a party that does not exist, then GET",
    passes: "HTTP 200 or 201, status_code 1000, and GET returns it",
    hint: "Store the ClientInfo of every party, also of those that you do not know yet.",
    needs: () => ["hubclientinfo.write#put", "hubclientinfo.write#read back"],
    judge: (evidence) => {
      const put = taken(evidence, "hubclientinfo.write#put")
      return put.is === "pass"
        ? judgeReadBack(evidence, "hubclientinfo.write#read back", testClient(evidence), { main: true })
        : fromNoHub(put, evidence)
    }
  }
]
