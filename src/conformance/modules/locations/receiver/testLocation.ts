/** A location of ours for an EMSP that is tested: nobody is to find it, and none of its EVSEs can be used. */
import { type JsonObject, objectsIn } from "../../../../findings/json.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import {
  type Make,
  type ObjectPart,
  type OwnedObjects,
  stamp,
  without
} from "../../shared/receivers/receiverSteps.ts"

/** Where EVSEs are in a location. */
export const evsePart = "/evses/*"
/** Where connectors are in a location. */
export const connectorPart = `${evsePart}/connectors/*`

/** A location cannot be deleted: the clean-up sets its EVSEs to REMOVED. */
export const ourLocations: OwnedObjects = {
  module: "locations",
  nouns: ["location", "evse", "connector"],
  cleanUp: (whole, evidence) => {
    const last_updated = stamp(evidence, 60)
    const evses = objectsIn(whole["evses"]).map((one) => ({ ...one, status: "REMOVED", last_updated }))
    return { method: "PUT", body: { ...whole, evses, last_updated } }
  }
}

/** Optional fields that the test locations have. */
export const optionalFields: ReadonlyArray<string> = ["name", "directions", "operator", "opening_times"]

/** Optional fields that the test EVSEs have. */
export const optionalEvseFields: ReadonlyArray<string> = ["capabilities", "physical_reference"]

/** The id of the test location of this name. */
export const idOf = (evidence: Evidence, name: string): string => `${evidence.mark}-${name}`
/** The uid of an EVSE of the test location; `number` counts from 1. */
export const uidOf = (evidence: Evidence, name: string, number: number): string =>
  `${idOf(evidence, name)}-${number}`
const tariffOf = (evidence: Evidence, number: number): string => `${evidence.mark}-T${number}`

/** A tariff of a connector, or its tariffs, as the version has it. */
export const tariffsNamed = (evidence: Evidence, ...numbers: ReadonlyArray<number>): JsonObject => {
  const ids = numbers.map((number) => tariffOf(evidence, number))
  const { tariffs } = evidence.profile.connectorNames
  return { [tariffs]: tariffs === "tariff_ids" ? ids : ids[0] }
}

const testConnector = (evidence: Evidence, id: string, seconds = 0): JsonObject => {
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

export const testEvse = (evidence: Evidence, name: string, number: number, seconds = 0): JsonObject => {
  const { countryCode, partyId } = evidence.party.identity
  return {
    uid: uidOf(evidence, name, number),
    evse_id: `${countryCode}*${partyId}*E${evidence.mark.slice(-6)}*${name.replace(/\W/g, "")}*${number}`,
    status: "INOPERATIVE",
    capabilities: ["RFID_READER", "REMOTE_START_STOP_CAPABLE"],
    connectors: [testConnector(evidence, "1", seconds)],
    physical_reference: `${number}`,
    last_updated: stamp(evidence, seconds)
  }
}

/** With two EVSEs and every field of use filled in. `name`: the end of its id. */
export const testLocation = (evidence: Evidence, name: string, change: JsonObject = {}): JsonObject => {
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

const unchanged: Make = () => ({})

/** The test location of this name, with changed fields. */
export const location =
  (name: string, change: Make = unchanged): Make =>
  (evidence) =>
    testLocation(evidence, name, change(evidence))

/** An EVSE of the test location of this name, with changed fields, and without the fields of `leftOut`. */
export const evse = (
  name: string,
  number: number,
  change: Make = unchanged,
  leftOut: ReadonlyArray<string> = []
): ObjectPart => ({
  of: location(name),
  below: (evidence) => [uidOf(evidence, name, number)],
  part: evsePart,
  json: (evidence) => without(...leftOut)({ ...testEvse(evidence, name, number), ...change(evidence) })
})

/** A connector of the first EVSE of the test location, with changed fields. */
export const connector = (name: string, id: string, change: Make = unchanged): ObjectPart => ({
  of: location(name),
  below: (evidence) => [uidOf(evidence, name, 1), id],
  part: connectorPart,
  json: (evidence) => ({ ...testConnector(evidence, id), ...change(evidence) })
})

/** Decimals of coordinates that every edition of a version's text allows. */
const decimals = { few: 6, many: 7 }

/** A text that only UTF-8 can carry; texts of 2.1.1 are ASCII. */
const beyondAscii = "Zufahrt über die Straße am Café"

/** A location with the longest texts, one beyond ASCII, and exact coordinates, as far as every edition of the version's text allows. */
export const longest: Make = (evidence) => {
  const text = (length: number) =>
    `${evidence.mark} ${"0123456789".repeat(30)}`.slice(0, length - 1).padEnd(length, "x")
  const digits = evidence.profile.ownerFields ? decimals.many : decimals.few
  const cut = (value: string) => value.slice(0, value.indexOf(".") + 1 + digits)
  return testLocation(evidence, "long", {
    id: idOf(evidence, "long").padEnd(36, "0"),
    name: text(255),
    address: text(45),
    city: text(45),
    postal_code: text(10),
    coordinates: { latitude: cut("52.0901421"), longitude: cut("5.1096651") },
    directions: [
      { language: "en", text: text(512) },
      ...(evidence.profile.ownerFields ? [{ language: "de", text: beyondAscii }] : [])
    ]
  })
}

/** A location with parking places, a help phone, and a capability of a connector. */
export const withParking = location("parking", (evidence) => ({
  help_phone: "+31201234567",
  parking_places: [
    {
      id: "P1",
      vehicle_types: ["PERSONAL_VEHICLE"],
      restricted_to_type: false,
      reservation_required: false
    }
  ],
  evses: [
    {
      ...testEvse(evidence, "parking", 1),
      parking: [{ parking_id: "P1", evse_position: "LEFT" }],
      connectors: [{ ...testConnector(evidence, "1"), capabilities: ["ISO_15118_20_PLUG_AND_CHARGE"] }]
    }
  ]
}))
