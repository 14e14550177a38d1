/** What a remote-start run knows: its token, its EVSE, its session. All of it follows from the plan and the ledger. */
import { dateTimeOf } from "../../../schema/ocpi/DateTime.ts"
import { type JsonObject, objectIn, objectsIn, sameId, textIn } from "../../party/json.ts"
import { answerOf, dataOf, intentOf, jsonOf, type Memory } from "../Memory.ts"
import {
  cdrsOf,
  resultsOf,
  type SeenCdr,
  type SeenResult,
  type SeenSession,
  sessionOf
} from "../partnerPushes.ts"

const suffix = (memory: Memory, length: number) => memory.runId.replace(/[^A-Za-z0-9]/g, "").slice(-length)

/** The driver of this run: a fresh token, so that nothing of another run can be taken for ours. */
export function tokenOf(memory: Memory): JsonObject {
  const { us } = memory
  return {
    country_code: us.countryCode,
    party_id: us.partyId,
    uid: tokenUidOf(memory),
    type: "APP_USER",
    contract_id: `${us.countryCode}-${us.partyId}-C${suffix(memory, 16).toUpperCase()}`,
    issuer: us.name.slice(0, 64),
    valid: true,
    whitelist: "NEVER",
    last_updated: dateTimeOf(Date.parse(memory.createdAt))
  }
}

export const tokenUidOf = (memory: Memory): string => `PF-${suffix(memory, 20)}`

/** At most 36 characters; the partner must repeat it in session and CDR. */
export const referenceOf = (memory: Memory): string => `PF-REF-${suffix(memory, 24)}`

/** Where the session is to run. */
export interface Place {
  readonly locationId: string
  readonly evseUid: string
  readonly connectorId: string | undefined
}

/** The EVSE that was named, or the first that is free and can be started remotely; else why there is none. */
export function placeOf(memory: Memory): Place | { readonly none: string } {
  const { inputs } = memory
  const data = dataOf(answerOf(memory, "read-locations"))
  if (data === undefined) return { none: "The locations could not be read" }
  const wantedEvse = textIn(inputs["evseUid"])
  const places = (Array.isArray(data) ? objectsIn(data) : [objectIn(data)]).flatMap((location) =>
    objectsIn(location["evses"])
      .filter(({ uid }) => wantedEvse === undefined || sameId(uid, wantedEvse))
      .filter(
        ({ capabilities }) =>
          Array.isArray(capabilities) && capabilities.includes("REMOTE_START_STOP_CAPABLE")
      )
      .filter(({ status }) => status === "AVAILABLE")
      .map((evse) => ({ location, evse }))
  )
  const wantedConnector = textIn(inputs["connectorId"])
  for (const { evse, location } of places) {
    const connectors = objectsIn(evse["connectors"]).map(({ id }) => textIn(id))
    const connectorId = wantedConnector ?? connectors[0]
    const locationId = textIn(location["id"])
    const evseUid = textIn(evse["uid"])
    if (locationId !== undefined && evseUid !== undefined) return { locationId, evseUid, connectorId }
  }
  return {
    none:
      wantedEvse === undefined
        ? "No EVSE is AVAILABLE and REMOTE_START_STOP_CAPABLE in what was read; free one, or name one in the inputs"
        : `EVSE ${wantedEvse} is not there, not AVAILABLE, or not REMOTE_START_STOP_CAPABLE`
  }
}

/** The place that START_SESSION named. */
export function startedPlace(memory: Memory): JsonObject {
  return objectIn(jsonOf(intentOf(memory, "start-session")?.request))
}

/** Did the partner say yes to the command? undefined: it did not answer. */
export const syncResultOf = (memory: Memory, stageId: string): string | undefined =>
  textIn(objectIn(dataOf(answerOf(memory, stageId)))["result"])

/** How long the partner asked us to wait for the result, in seconds. */
export function promisedSeconds(memory: Memory, stageId: string): number | undefined {
  const timeout = objectIn(dataOf(answerOf(memory, stageId)))["timeout"]
  return typeof timeout === "number" && timeout > 0 ? timeout : undefined
}

export const responseUrlOf = (memory: Memory, stageId: string): string | undefined =>
  textIn(objectIn(jsonOf(intentOf(memory, stageId)?.request))["response_url"])

export const commandResultsOf = (memory: Memory, stageId: string): ReadonlyArray<SeenResult> =>
  resultsOf(memory, responseUrlOf(memory, stageId))

export const ourSession = (memory: Memory): SeenSession | undefined =>
  sessionOf(memory, { authorizationReference: referenceOf(memory), tokenUid: tokenUidOf(memory) })

/** Is that the session that we started? By its reference or its token. */
export const isOurSession = (memory: Memory, json: JsonObject): boolean =>
  sameId(json["authorization_reference"], referenceOf(memory)) ||
  sameId(objectIn(json["cdr_token"])["uid"], tokenUidOf(memory))

/** Is that the CDR of our session? By the session, the reference or the token. */
export const isOurCdr = (memory: Memory, json: JsonObject): boolean => {
  const session = ourSession(memory)
  return (session !== undefined && sameId(json["session_id"], session.id)) || isOurSession(memory, json)
}

export const ourCdr = (memory: Memory): SeenCdr | undefined => {
  const session = ourSession(memory)
  const cdrs = cdrsOf(memory)
  return (
    cdrs.find(({ body }) => session !== undefined && sameId(body["session_id"], session.id)) ??
    cdrs.find(({ body }) => sameId(body["authorization_reference"], referenceOf(memory))) ??
    cdrs.find(({ body }) => sameId(objectIn(body["cdr_token"])["uid"], tokenUidOf(memory)))
  )
}

/** A Price in any version's shape, without tax; undefined when it is none. */
export function amountOf(price: unknown): number | undefined {
  const { before_taxes, excl_vat } = objectIn(price)
  const amount = excl_vat ?? before_taxes ?? price
  return typeof amount === "number" ? amount : undefined
}
