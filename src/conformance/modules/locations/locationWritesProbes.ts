/** Writing locations to an EMSP (mod_locations, Receiver Interface), each rule by a location of its own. */
import type { Json } from "../../model/answers.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { Probe, ProbeRequest, ProbeStep } from "../../model/Probe.ts"
import {
  idOf,
  locationRequest,
  neutral,
  optionalFields,
  stamp,
  tariffsNamed,
  testConnector,
  testEvse,
  testLocation,
  uidOf,
  without
} from "./testLocation.ts"

/** What the steps leave behind. */
export const wrote = {
  put: (evidence: Evidence) => testLocation(evidence, "put"),
  replaced: (evidence: Evidence) =>
    without(testLocation(evidence, "put", { last_updated: stamp(evidence, 2) }), optionalFields),
  evse: (evidence: Evidence) => testEvse(evidence, "parts", 3, 1),
  connector: (evidence: Evidence) => testConnector(evidence, "2", 2),
  charging: (evidence: Evidence) => ({ ...testEvse(evidence, "status", 1), ...charging(evidence) }),
  renamed: (evidence: Evidence) => testLocation(evidence, "name", renamed(evidence)),
  priced: (evidence: Evidence) => ({ ...testConnector(evidence, "1"), ...priced(evidence) }),
  long: (evidence: Evidence) => longest(evidence),
  parking: (evidence: Evidence) => withParking(evidence)
} as const

const charging = (evidence: Evidence): Json => ({ status: "CHARGING", last_updated: stamp(evidence, 1) })
const removed = (evidence: Evidence): Json => ({ status: "REMOVED", last_updated: stamp(evidence, 2) })
const renamed = (evidence: Evidence): Json => ({
  name: `Renamed ${evidence.mark}`,
  last_updated: stamp(evidence, 1)
})
const priced = (evidence: Evidence): Json => ({
  ...tariffsNamed(evidence, 2, 3),
  last_updated: stamp(evidence, 1)
})

/** Seconds after which parts change, each later than the one before. */
export const moments = { patch: 10, put: 20 } as const

const decimals = { few: 6, many: 7 }

/** Lengths that every edition of the version's text allows. */
function longest(evidence: Evidence): Json {
  const text = (length: number) =>
    `${evidence.mark} ${"0123456789".repeat(30)}`.slice(0, length - 1).padEnd(length, "x")
  const digits = evidence.profile.ownerFields ? decimals.many : decimals.few
  const point = { latitude: "52.0901421", longitude: "5.1096651" }
  const cut = (value: string) => value.slice(0, value.indexOf(".") + 1 + digits)
  const id = idOf(evidence, "long").padEnd(36, "0")
  return {
    ...testLocation(evidence, "long"),
    id,
    name: text(255),
    address: text(45),
    city: text(45),
    postal_code: text(10),
    coordinates: { latitude: cut(point.latitude), longitude: cut(point.longitude) },
    directions: [{ language: "en", text: text(512) }]
  }
}

function withParking(evidence: Evidence): Json {
  const spot = {
    id: "P1",
    vehicle_types: ["PERSONAL_VEHICLE"],
    restricted_to_type: false,
    reservation_required: false
  }
  const evse = testEvse(evidence, "parking", 1)
  return testLocation(evidence, "parking", {
    help_phone: "+31201234567",
    parking_places: [spot],
    evses: [
      {
        ...evse,
        parking: [{ parking_id: "P1", evse_position: "LEFT" }],
        connectors: [{ ...testConnector(evidence, "1"), capabilities: ["ISO_15118_20_PLUG_AND_CHARGE"] }]
      }
    ]
  })
}

type Make = (evidence: Evidence) => Json

const put = (
  name: string,
  make: Make = (evidence) => testLocation(evidence, name),
  id = "put"
): ProbeStep => ({
  id,
  act: (evidence) => ({
    send: locationRequest(evidence, "PUT", String(make(evidence)["id"] ?? idOf(evidence, name)), {
      body: make(evidence),
      about: id
    }),
    undo: cleaned(evidence, name, make(evidence))
  })
})

/** Its EVSEs REMOVED, under the id that was put. */
function cleaned(evidence: Evidence, name: string, body: Json): ProbeRequest {
  const undo = neutral(evidence, name)
  const id = String(body["id"] ?? idOf(evidence, name))
  const { countryCode, partyId } = evidence.party.identity
  return { ...undo, path: [countryCode, partyId, id], body: { ...(undo.body as Json), id } }
}

type Below = (evidence: Evidence) => ReadonlyArray<string>
const whole: Below = () => []

const step = (
  id: string,
  method: "GET" | "PUT" | "PATCH",
  name: string,
  below: Below = whole,
  body?: Make
): ProbeStep => ({
  id,
  act: (evidence) => ({
    send: locationRequest(evidence, method, idOf(evidence, name), {
      below: below(evidence),
      about: id,
      ...(body === undefined ? {} : { body: body(evidence) })
    })
  })
})

const evse =
  (name: string, number: number): Below =>
  (evidence) => [uidOf(evidence, name, number)]
const plug =
  (name: string, id: string): Below =>
  (evidence) => [uidOf(evidence, name, 1), id]

/** Changes a part by PATCH and by PUT, and reads the location after each. */
const times = (name: string, below: Below, part: (evidence: Evidence, seconds: number) => Json): Probe => ({
  id: `locations.${name}`,
  steps: [
    put(name),
    step("patch", "PATCH", name, below, (evidence) => ({ last_updated: stamp(evidence, moments.patch) })),
    step("read patched", "GET", name),
    step("put part", "PUT", name, below, (evidence) => part(evidence, moments.put)),
    step("read put", "GET", name)
  ]
})

/** Bodies that a receiver has to refuse, by what is wrong with them. */
const wrong: ReadonlyArray<readonly [string, (location: Json) => Json]> = [
  ["nowhere", (location) => without(location, ["coordinates"])],
  ["free", (location) => ({ ...location, evses: (location["evses"] as ReadonlyArray<Json>).map(free) })],
  ["numeric", (location) => ({ ...location, coordinates: { latitude: 52.090142, longitude: "5.109665" } })]
]
const free = (one: Json): Json => ({ ...one, status: "FREE" })

/** Steps that put what is wrong, and those that look whether it was stored. */
export const wrongLocationSteps = {
  put: wrong.map(([name]) => `locations.wrong#${name}`),
  read: wrong.map(([name]) => `locations.wrong#read ${name}`)
} as const

export const locationWriteProbes: ReadonlyArray<Probe> = [
  {
    id: "locations.write",
    steps: [
      put("put"),
      step("read back", "GET", "put"),
      put("put", wrote.replaced, "replace"),
      step("read replaced", "GET", "put")
    ]
  },
  {
    id: "locations.parts",
    steps: [
      put("parts"),
      step("put evse", "PUT", "parts", evse("parts", 3), wrote.evse),
      step("put connector", "PUT", "parts", plug("parts", "2"), wrote.connector),
      step("read", "GET", "parts")
    ]
  },
  {
    id: "locations.status",
    steps: [
      put("status"),
      step("patch", "PATCH", "status", evse("status", 1), charging),
      step("read patched", "GET", "status", evse("status", 1)),
      step("remove", "PATCH", "status", evse("status", 1), removed),
      step("read removed", "GET", "status", evse("status", 1))
    ]
  },
  {
    id: "locations.name",
    steps: [
      put("name"),
      step("patch", "PATCH", "name", whole, renamed),
      step("read patched", "GET", "name"),
      step("patch older", "PATCH", "name", whole, (evidence) => ({
        name: `Older ${evidence.mark}`,
        last_updated: stamp(evidence, -3600)
      })),
      step("read older", "GET", "name")
    ]
  },
  {
    id: "locations.tariffs",
    steps: [
      put("tariffs"),
      step("patch", "PATCH", "tariffs", plug("tariffs", "1"), priced),
      step("read patched", "GET", "tariffs", plug("tariffs", "1"))
    ]
  },
  times("evse-times", evse("evse-times", 1), (evidence, seconds) => ({
    ...testEvse(evidence, "evse-times", 1),
    last_updated: stamp(evidence, seconds)
  })),
  times("plug-times", plug("plug-times", "1"), (evidence, seconds) => testConnector(evidence, "1", seconds)),
  {
    id: "locations.unknown",
    steps: [
      step("patch location", "PATCH", "unknown", whole, renamed),
      step("read location", "GET", "unknown"),
      put("known"),
      step("patch evse", "PATCH", "known", evse("known", 9), charging),
      step("read evse", "GET", "known", evse("known", 9))
    ]
  },
  {
    id: "locations.wrong",
    steps: wrong.flatMap(([name, spoil]) => [
      put(name, (evidence) => spoil(testLocation(evidence, name)), name),
      step(`read ${name}`, "GET", name)
    ])
  },
  {
    id: "locations.bare",
    steps: [
      put("bare"),
      step("put evse", "PUT", "bare", evse("bare", 3), (evidence) =>
        without(testEvse(evidence, "bare", 3), ["connectors"])
      ),
      step("read evse", "GET", "bare", evse("bare", 3))
    ]
  },
  {
    id: "locations.long",
    steps: [
      put("long", wrote.long),
      {
        id: "read back",
        act: (evidence) => ({ send: locationRequest(evidence, "GET", String(wrote.long(evidence)["id"])) })
      }
    ]
  },
  { id: "locations.parking", steps: [put("parking", wrote.parking)] }
]
