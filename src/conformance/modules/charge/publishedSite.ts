/**
 * A site of ours that an EMSP can send commands and charging profiles about while a run listens: a free EVSE that can be
 * started, reserved and unlocked, and one that charges a driver of the partner and takes charging profiles.
 */
import type { ModuleId, VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { type JsonObject, keyText, objectsIn, sameId } from "../../../findings/json.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { Probe, ProbeRequest, ProbeStep } from "../../model/Probe.ts"
import { ending, minutes, testPlace, testSession, tokenProbes } from "./testCharge.ts"

/** Id of the script that tells the partner of the site. */
export const publishedSite = "charge.site"
/** What the site is made from. */
export const siteNeeds: ReadonlyArray<string> = tokenProbes

const name = "SITE"

/** The capability at which START_SESSION needs a connector_id, in versions that have it. */
const connectorRequired = ({ startSessionConnector }: VersionProfile) =>
  startSessionConnector ? ["START_SESSION_CONNECTOR_REQUIRED"] : []

const freeEvse = (evidence: Evidence): JsonObject => ({
  ...testPlace(evidence, name).evse,
  capabilities: [
    ...["RFID_READER", "REMOTE_START_STOP_CAPABLE", "RESERVABLE", "UNLOCK_CAPABLE"],
    ...connectorRequired(evidence.profile)
  ]
})

const chargingEvse = (evidence: Evidence): JsonObject => {
  const { evse } = testPlace(evidence, name)
  return {
    ...evse,
    uid: `${keyText(evse["uid"])}2`,
    evse_id: `${keyText(evse["evse_id"])}2`,
    status: "CHARGING",
    capabilities: ["RFID_READER", "REMOTE_START_STOP_CAPABLE", "CHARGING_PROFILE_CAPABLE"]
  }
}

const siteLocation = (evidence: Evidence): JsonObject => ({
  ...testPlace(evidence, name).location,
  // The partner's app has to show it.
  ...(evidence.profile.publish ? { publish: true } : {}),
  name: "plugfest test location, not for drivers",
  evses: [freeEvse(evidence), chargingEvse(evidence)]
})

const siteSession = (evidence: Evidence): JsonObject => {
  const place = { ...testPlace(evidence, name), location: siteLocation(evidence) }
  return testSession(evidence, `${name}-S`, { place: { ...place, evse: chargingEvse(evidence) } })
}

/** Is that the EVSE of the site that needs a connector_id? */
export const needsConnector = (evidence: Evidence, uid: unknown): boolean =>
  connectorRequired(evidence.profile).length > 0 && sameId(uid, freeEvse(evidence)["uid"])

/** An object of the site, by its module. */
export interface SiteObject {
  readonly module: ModuleId
  readonly json: JsonObject
}

/** The site as our lists serve it while the run listens. */
export const openSite = (evidence: Evidence): ReadonlyArray<SiteObject> => [
  { module: "locations", json: siteLocation(evidence) },
  { module: "sessions", json: siteSession(evidence) }
]

/** The same objects when the run is over: its EVSEs are REMOVED, and the session is COMPLETED. */
export const closedSite = (evidence: Evidence): ReadonlyArray<SiteObject> =>
  openSite(evidence).map(({ json, module }) => ({ module, json: closed(evidence, module, json) }))

const closed = (evidence: Evidence, module: ModuleId, json: JsonObject): JsonObject => {
  if (module === "sessions") return { ...json, ...ending(evidence) }
  const last_updated = minutes(evidence, 0)
  const evses = objectsIn(json["evses"]).map((evse) => ({ ...evse, status: "REMOVED", last_updated }))
  return { ...json, evses, last_updated }
}

/** PUT of an object of the site, if the partner receives that module. */
const tell =
  (noun: string, object: (evidence: Evidence) => SiteObject | undefined): ProbeStep["act"] =>
  (evidence) => {
    const found = object(evidence)
    if (found === undefined) return undefined
    const { json, module } = found
    const { counterpart, identity } = evidence.party
    const isTold = counterpart.endpoints.some(
      ({ identifier, role }) => identifier === module && role !== "SENDER"
    )
    const put = (body: JsonObject): ProbeRequest => ({
      module,
      interfaceRole: "RECEIVER",
      operation: `PUT ${noun}`,
      method: "PUT",
      path: [identity.countryCode, identity.partyId, keyText(json["id"])],
      body
    })
    return isTold ? { send: put(json), undo: put(closed(evidence, module, json)) } : undefined
  }

/** PUT of the location and the session of the site; they are closed when the run is over. */
export const publishedSiteProbes: ReadonlyArray<Probe> = [
  {
    id: publishedSite,
    after: siteNeeds,
    lasting: true,
    steps: [
      { id: "location", act: tell("location", (evidence) => openSite(evidence)[0]) },
      { id: "session", act: tell("session", (evidence) => openSite(evidence)[1]) }
    ]
  }
]
