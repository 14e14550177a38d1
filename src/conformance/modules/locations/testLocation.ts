/** A location of ours for an EMSP that is tested: nobody is to find it, and none of its EVSEs can be used. */
import { dateTime } from "../../../ocpi/dateTime.ts"
import type { Json } from "../../model/answers.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { ProbeRequest } from "../../model/Probe.ts"

/** `seconds` after the start of the run, as `last_updated`. */
export const stamp = (evidence: Evidence, seconds: number): string =>
  dateTime(Date.parse(evidence.startedAt) + seconds * 1000)

/** Fields that a location may do without; gone after a PUT that has them not. */
export const optionalFields: ReadonlyArray<string> = ["name", "directions", "operator", "opening_times"]

export const idOf = (evidence: Evidence, name: string): string => `${evidence.mark}-${name}`
export const uidOf = (evidence: Evidence, name: string, number: number): string =>
  `${idOf(evidence, name)}-${number}`
export const tariffOf = (evidence: Evidence, number: number): string => `${evidence.mark}-T${number}`

/** A tariff of a connector, or its tariffs, as the version has it. */
export const tariffsNamed = (evidence: Evidence, ...numbers: ReadonlyArray<number>): Json => {
  const ids = numbers.map((number) => tariffOf(evidence, number))
  const { tariffs } = evidence.profile.connectorNames
  return { [tariffs]: tariffs === "tariff_ids" ? ids : ids[0] }
}

export const testConnector = (evidence: Evidence, id: string, seconds = 0): Json => {
  const { amperage, voltage } = evidence.profile.connectorNames
  return {
    id,
    standard: "IEC_62196_T2",
    format: "SOCKET",
    power_type: "AC_3_PHASE",
    [voltage]: 230,
    [amperage]: 16,
    ...tariffsNamed(evidence, 1),
    last_updated: stamp(evidence, seconds)
  }
}

export const testEvse = (evidence: Evidence, name: string, number: number, seconds = 0): Json => {
  const { countryCode, partyId } = evidence.party.identity
  return {
    uid: uidOf(evidence, name, number),
    evse_id: `${countryCode}*${partyId}*E${evidence.mark.slice(-6)}*${name.replace(/\W/g, "")}*${number}`,
    status: "INOPERATIVE",
    capabilities: ["RFID_READER", "REMOTE_START_STOP_CAPABLE"],
    connectors: [testConnector(evidence, "1", seconds)],
    physical_reference: String(number),
    last_updated: stamp(evidence, seconds)
  }
}

/** With two EVSEs and every field of use filled in. `name`: the end of its id. */
export const testLocation = (evidence: Evidence, name: string, change: Json = {}): Json => {
  const { identity } = evidence.party
  const { ownerFields, placeKind, publish } = evidence.profile
  return {
    ...(ownerFields ? { country_code: identity.countryCode, party_id: identity.partyId } : {}),
    id: idOf(evidence, name),
    ...(publish ? { publish: false } : {}),
    [placeKind]: "ON_STREET",
    name: `Test ${evidence.mark}`,
    address: "Stationsplein 1",
    city: "Utrecht",
    postal_code: "3511 ED",
    country: "NLD",
    coordinates: { latitude: "52.090142", longitude: "5.109665" },
    evses: [1, 2].map((number) => testEvse(evidence, name, number)),
    directions: [{ language: "en", text: "Not there: a test" }],
    operator: { name: identity.name },
    time_zone: "Europe/Amsterdam",
    opening_times: { twentyfourseven: true },
    last_updated: stamp(evidence, 0),
    ...change
  }
}

export const without = (json: Json, names: ReadonlyArray<string>): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)))

/** A request about that location, or with `below` about a part of it. */
export const locationRequest = (
  evidence: Evidence,
  method: NonNullable<ProbeRequest["method"]>,
  id: string,
  more: { readonly body?: unknown; readonly below?: ReadonlyArray<string>; readonly about?: string } = {}
): ProbeRequest => {
  const { countryCode, partyId } = evidence.party.identity
  const { below = [], ...rest } = more
  return {
    module: "locations",
    interfaceRole: "RECEIVER",
    operation: `${method} ${["location", "evse", "connector"][below.length] ?? ""}`,
    method,
    path: [countryCode, partyId, id, ...below],
    ...rest
  }
}

/** A location cannot be deleted: all of its EVSEs are left behind REMOVED. */
export const neutral = (evidence: Evidence, name: string): ProbeRequest => {
  const seconds = 60
  const evses = [1, 2].map((number) => ({ ...testEvse(evidence, name, number, seconds), status: "REMOVED" }))
  return locationRequest(evidence, "PUT", idOf(evidence, name), {
    body: testLocation(evidence, name, { evses, last_updated: stamp(evidence, seconds) })
  })
}
