/** What commands are sent about: EVSEs of the partner that are free, and tokens of ours that it has not been told. */
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { type JsonObject, objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { violations } from "../../../findings/violations/violations.ts"
import type { EvseClaim } from "../../../store/parties/Party.ts"
import { type Answered, type Evidence, isWithheld, type NotGathered } from "../../model/Evidence.ts"
import { type ProbeRequest, type WritingProbe, withheld, withheldBy } from "../../model/Probe.ts"
import { noList } from "../../model/unreadList.ts"
import { objectsOf } from "../shared/objects/listedObjects.ts"
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

/**
 * Every EVSE of the partner's list that a command can name, with a connector and a uid of its own: of two with one uid nobody could
 * tell which one a command was about, and what happens at the other would be taken for what came of it.
 */
export const targetsIn = (evidence: Evidence): ReadonlyArray<Target> =>
  evidence.once("commands.targets", () => {
    const locations = objectsOf(evidence, "locations").map(({ json }) => json)
    const isAlone = (uid: string) => isOfOneEvse(locations, uid)
    return locations.flatMap((location) =>
      objectsIn(location["evses"]).flatMap((evse) => {
        const connectorId = textIn(objectsIn(evse["connectors"])[0]?.["id"])
        const uid = textIn(evse["uid"])
        if (connectorId === undefined || uid === undefined || !isAlone(uid)) return []
        const target = { location, evse, connectorId }
        return canBeNamed(target, evidence) ? [target] : []
      })
    )
  })

/** Are its ids of the version's form? A command with any other would not be valid itself. */
function canBeNamed({ connectorId, evse, location }: Target, { profile }: Evidence): boolean {
  // UNLOCK_CONNECTOR names all three.
  const schema = profile.objects.UNLOCK_CONNECTOR
  const ids = { location_id: location["id"], evse_uid: evse["uid"], connector_id: connectorId }
  return (
    schema === undefined ||
    violations(schema, ids).every(({ pointer = "" }) => !Object.keys(ids).includes(pointer.slice(1)))
  )
}

/** Has one EVSE that uid? A location that is listed twice has the same EVSEs both times. */
function isOfOneEvse(locations: ReadonlyArray<JsonObject>, uid: string): boolean {
  const holders = locations
    .map(({ evses, id }) => ({
      id,
      many: objectsIn(evses).filter((evse) => sameId(evse["uid"], uid)).length
    }))
    .filter(({ many }) => many > 0)
  return holders.every(({ id, many }) => many === 1 && sameId(id, holders[0]?.id))
}

const isFree = ({ evse }: Target) => evse["status"] === "AVAILABLE"

type Fits = (target: Target) => boolean

const canDo =
  (...capabilities: ReadonlyArray<string>): Fits =>
  (target) =>
    capabilities.every((capability) => can(target, capability))

const remoteStart = "REMOTE_START_STOP_CAPABLE"
const preferences = "CHARGING_PREFERENCES_CAPABLE"
const profiles = "CHARGING_PROFILE_CAPABLE"

/**
 * What each script needs of its free EVSE, the best fit first. The first scripts choose first: the reservation that is
 * left to expire takes longest, and should have an EVSE for itself.
 */
const claims = {
  "a reservation that expires": [canDo("RESERVABLE")],
  "charging profiles": [canDo(profiles, remoteStart), canDo(profiles)],
  "charging preferences": [canDo(preferences, remoteStart)],
  "no charging preferences": [(target) => can(target, remoteStart) && !can(target, preferences)],
  "a remote start": [canDo(remoteStart)],
  "a remote start with a card": [canDo(remoteStart)],
  unlocking: [canDo("UNLOCK_CAPABLE")],
  "a reservation": [canDo("RESERVABLE")],
  "a session that the other EMSP stops": [canDo(remoteStart)],
  "a reservation of the first EMSP": [canDo("RESERVABLE")],
  "a reservation of the second EMSP": [canDo("RESERVABLE")],
  "a reservation until yesterday": [canDo("RESERVABLE")]
} as const satisfies Readonly<Record<string, ReadonlyArray<Fits>>>

/** What an EVSE is needed for. */
export type Claim = keyof typeof claims

/** Scripts that need a second EMSP of ours at the partner. */
const ofSecond: ReadonlyArray<Claim> = [
  "a session that the other EMSP stops",
  "a reservation of the first EMSP",
  "a reservation of the second EMSP"
]

const names = Object.keys(claims) as ReadonlyArray<Claim> // the keys of `claims`

type Claimed = ReadonlyArray<Pick<EvseClaim, "evseUid" | "locationId" | "purpose" | "runId">>

const isAt = ({ evse, location }: Target, { evseUid, locationId }: Claimed[number]): boolean =>
  sameId(evse["uid"], evseUid) && sameId(location["id"], locationId)

const claimsOf = (evidence: Evidence) => evidence.evses?.claims() ?? { own: [], others: [] }

/**
 * The free EVSE of each script: the one that the run has taken for it, else one of its own as long as there are enough, else one that
 * others use as well. What other runs have is not free.
 */
export const allotment = (
  evidence: Evidence,
  { others, own }: { readonly own: Claimed; readonly others: Claimed } = claimsOf(evidence)
): ReadonlyMap<Claim, Target> => {
  const targets = targetsIn(evidence)
  const free = targets.filter((target) => isFree(target) && !others.some((one) => isAt(target, one)))
  const allotted = new Map<Claim, Target>()
  for (const claim of names) {
    const taken = own.find(({ purpose }) => purpose === claim)
    const kept = taken === undefined ? undefined : targets.find((target) => isAt(target, taken))
    if (kept !== undefined) allotted.set(claim, kept)
  }
  for (const [number, claim] of names.entries()) {
    if (allotted.has(claim) || (evidence.second === undefined && ofSecond.includes(claim))) continue
    const fitting: ReadonlyArray<Fits> = claims[claim]
    const choices = fitting.map((fits) => free.filter(fits))
    const taken = new Set([...allotted.values()].map(({ evse }) => evse))
    const [own] = choices.flatMap((targets) => targets.find(({ evse }) => !taken.has(evse)) ?? [])
    const [shared = []] = choices.filter((targets) => targets.length > 0)
    const target = own ?? shared[number % Math.max(1, shared.length)]
    if (target !== undefined) allotted.set(claim, target)
  }
  return allotted
}

/** The EVSEs that a run with these scripts is to have, where other runs have those. */
export const evsesFor = (
  evidence: Evidence,
  wanted: ReadonlyArray<string>,
  others: Claimed
): ReadonlyArray<Omit<Claimed[number], "runId">> =>
  [...allotment(evidence, { own: [], others })].flatMap(([purpose, { evse, location }]) => {
    const [evseUid, locationId] = [textIn(evse["uid"]), textIn(location["id"])]
    return evseUid === undefined || locationId === undefined || !wanted.includes(purpose)
      ? []
      : [{ purpose, locationId, evseUid }]
  })

/** The free EVSEs that are left when each script has its own, and how many of them are at the same location. */
export const spareTargets = (evidence: Evidence): ReadonlyMap<Target, number> =>
  evidence.once(`commands.spare/${JSON.stringify(claimsOf(evidence))}`, () => {
    const { others } = claimsOf(evidence)
    const taken = new Set([...allotment(evidence).values()].map(({ evse }) => evse))
    const spare = targetsIn(evidence).filter(
      (target) => isFree(target) && !taken.has(target.evse) && !others.some((one) => isAt(target, one))
    )
    const counts = new Map<JsonObject, number>()
    for (const { location } of spare) counts.set(location, (counts.get(location) ?? 0) + 1)
    return new Map(spare.map((target) => [target, counts.get(target.location) ?? 0]))
  })

/** Why there is no free EVSE with these capabilities, and what to do. The words follow `targetsIn`: not every EVSE can be named. */
export const noFreeEvse = (...capabilities: ReadonlyArray<string>): string =>
  `no EVSE of the list that has a connector, and a uid that no other has, is ${["AVAILABLE", ...capabilities].join(" and ")}: free one, or add what it lacks, then run again`

/** Why no EVSE is left for a script. */
const inUse = (held: Claimed): string =>
  `no suitable EVSE is left, because other runs with this partner use ${held
    .slice(0, mostNamed)
    .map(({ evseUid, runId }) => `${evseUid} (${runId})`)
    .join(", ")}: wait for their end, or cancel them, then run again`

const mostNamed = 5

/** Why nothing was sent that needs such an EVSE: there is no list of locations, it could not be read, or it has none. */
export const withoutTarget = (evidence: Evidence, ...capabilities: ReadonlyArray<string>): NotGathered => {
  const list = evidence.gathered("locations.list")
  if (list !== undefined && isWithheld(list)) return list
  const unread = noList("locations", evidence.answered("locations.list")[0])
  const { others } = claimsOf(evidence)
  const held = targetsIn(evidence)
    .filter(canDo(...capabilities))
    .flatMap((target) => others.find((one) => isAt(target, one)) ?? [])
  if (held.length > 0) return withheld("unobservable", inUse(held), "ours")
  return unread === undefined ? withheld("unobservable", noFreeEvse(...capabilities)) : withheldBy(unread)
}

/** The free EVSE for that; undefined: no free EVSE can do it. */
export const targetFor = (evidence: Evidence, claim: Claim): Target | undefined =>
  allotment(evidence).get(claim)

/** Does no other script use that EVSE? Then this one may run beside the others. */
export const hasOwnTarget =
  (claim: Claim) =>
  (evidence: Evidence): boolean => {
    const allotted = allotment(evidence)
    const target = allotted.get(claim)
    return (
      target !== undefined &&
      [...allotted].every(([other, { evse }]) => other === claim || evse !== target.evse)
    )
  }

/** Of a script at such an EVSE: it takes that EVSE, and may run beside the others where it has it for itself. */
export const atTarget = (claim: Claim): Pick<WritingProbe, "beside" | "targets"> => ({
  targets: [claim],
  beside: hasOwnTarget(claim)
})

/** Names the EVSE, and the connector where the version can and the EVSE may want it. */
export const targetFields = ({ profile }: Evidence, { connectorId, evse, location }: Target): JsonObject => ({
  location_id: location["id"],
  evse_uid: evse["uid"],
  ...(profile.startSessionConnector ? { connector_id: connectorId } : {})
})

/** Names the EVSE only: RESERVE_NOW has no connector. */
export const evseOf = ({ evse, location }: Target): JsonObject => ({
  location_id: location["id"],
  evse_uid: evse["uid"]
})

/** A token of ours with a contract of its own; `number` is one digit or capital letter, and its own in the run. */
export const commandToken = (
  evidence: Evidence,
  name: string,
  number: number | string,
  type?: string
): JsonObject => {
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
  dateTimeOf(endOf(seen) + seconds * 1000)
