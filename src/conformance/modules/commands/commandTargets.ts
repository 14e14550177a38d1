/** What commands are sent about: EVSEs of the partner that are free, and tokens of ours that it has not been told. */
import { type JsonObject, objectsIn, textIn } from "../../../findings/json.ts"
import { dateTime } from "../../../ocpi/dateTime.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import type { ProbeRequest } from "../../model/Probe.ts"
import { objectsOf } from "../shared/readObjects.ts"
import { testToken } from "../tokens/testToken.ts"

/** A connector of the partner, with the EVSE and the location that it is in. */
export interface Target {
  readonly location: JsonObject
  readonly evse: JsonObject
  readonly connectorId: string
}

/** The probes that find targets. */
export const targetProbes: ReadonlyArray<string> = ["locations.list", "locations.crawl"]

/** The capability of an EVSE at which START_SESSION needs a connector_id (mod_locations, Capability enum). */
export const connectorRequired = "START_SESSION_CONNECTOR_REQUIRED"

/** Does the EVSE list the capability? */
export const can = ({ evse }: Pick<Target, "evse">, capability: string): boolean =>
  Array.isArray(evse["capabilities"]) && evse["capabilities"].includes(capability)

/** Every EVSE of the partner's list that has a connector. */
export const targetsIn = (evidence: Evidence): ReadonlyArray<Target> =>
  evidence.once("commands.targets", () =>
    objectsOf(evidence, "locations").flatMap(({ json: location }) =>
      objectsIn(location["evses"]).flatMap((evse) => {
        const connectorId = textIn(objectsIn(evse["connectors"])[0]?.["id"])
        return connectorId === undefined || textIn(evse["uid"]) === undefined
          ? []
          : [{ location, evse, connectorId }]
      })
    )
  )

/**
 * A free EVSE that can do that. Scripts with different numbers get different ones as long as there are enough: what one
 * leaves behind is not in the way of the next.
 */
export const freeTarget = (evidence: Evidence, capability: string, number: number): Target | undefined => {
  const free = targetsIn(evidence).filter(
    (target) => target.evse["status"] === "AVAILABLE" && can(target, capability)
  )
  return free[number % Math.max(1, free.length)]
}

/** Names the EVSE, and the connector where the version can and the EVSE may want it. */
export const placeOf = ({ profile }: Evidence, { connectorId, evse, location }: Target): JsonObject => ({
  location_id: location["id"],
  evse_uid: evse["uid"],
  ...(profile.startSessionConnector ? { connector_id: connectorId } : {})
})

/** Names the EVSE only: RESERVE_NOW has no connector. */
export const evseOf = ({ evse, location }: Target): JsonObject => ({
  location_id: location["id"],
  evse_uid: evse["uid"]
})

/** A token of ours with a contract of its own; `number` is one digit, and its own in the run. */
export const commandToken = (evidence: Evidence, name: string, number: number, type?: string): JsonObject => {
  const { mark, party, profile } = evidence
  const { countryCode, partyId } = party.identity
  return testToken(evidence, name, {
    [profile.contract]: `${countryCode}-${partyId}-C${mark.slice(-6)}4${number}`,
    type: type ?? "RFID"
  })
}

/** A POST of a command; its `response_url` is written when it is sent. */
export const command = (
  name: string,
  body: JsonObject,
  more: Pick<ProbeRequest, "about" | "resultVia" | "wrongOnPurpose"> = {}
): ProbeRequest => ({
  module: "commands",
  interfaceRole: "RECEIVER",
  operation: name,
  method: "POST",
  path: [name],
  body,
  resultOf: name,
  ...more
})

/** When an exchange was over, in milliseconds since 1970: the clock of a script. */
export const endOf = ({ exchange }: Pick<Answered, "exchange">): number =>
  Date.parse(exchange.startedAt) + exchange.durationMs

/** So many seconds after that exchange, as DateTime. */
export const secondsAfter = (seen: Pick<Answered, "exchange">, seconds: number): string =>
  dateTime(endOf(seen) + seconds * 1000)
