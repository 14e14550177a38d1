/** What a service does with its data, its time and its work. */
import type { Bend } from "../partner/Bend.ts"
import { isJson, type Json } from "../partner/objects/validity.ts"
import type { Call, Said } from "../partner/wire.ts"
import { answering, inTurn, isConfiguration, placeIn } from "./bends.ts"
import { startExpiredHost } from "./expiredHost.ts"
import { ids, type Persona } from "./Persona.ts"

const isWrite = (method: string) => ["PUT", "PATCH", "DELETE", "POST"].includes(method)

export const backends: ReadonlyArray<Persona> = [
  {
    id: "ten-thousand-objects",
    about: "Ten thousand locations, in pages of 500: the country of the nine thousandth is none.",
    version: "2.2.1",
    role: "CPO",
    suite: "locations",
    freedoms: { objects: 10_000, pageMax: 500, pageUsual: 500, optionals: "none" },
    bend: () => ({
      shows: (json, name, place) =>
        name === "Location" && place === 8999 ? { ...json, country: "ZZZ" } : json
    }),
    long: true,
    expects: { failed: ["LOC-006"] }
  },
  {
    id: "queued-writes",
    about: "A service that queues every write: 202 at once, and stored three seconds later.",
    version: "2.2.1",
    role: "EMSP",
    suite: "full",
    bend: () => ({
      fronts: async (asked, gate) => {
        const { below, module } = placeIn(asked)
        if (
          isConfiguration(asked) ||
          !gate.isKnown ||
          !isWrite(asked.method) ||
          below.at(-1) === "authorize" ||
          module === "commands"
        )
          return gate.proceed(asked)
        void gate.sleep(3000).then(() => gate.proceed(asked))
        const headers = Object.fromEntries(
          ["X-Request-ID", "X-Correlation-ID"].map((name) => [name, asked.headers[name.toLowerCase()] ?? ""])
        )
        return { http: 202, code: 1000, message: "queued", headers }
      }
    }),
    expects: {
      failed: ids("CDR-102 CDR-104 LOC-111 SESS-109 TAR-107 TRANS-020"),
      warned: ids(
        "CDR-106 CDR-111 LOC-102 LOC-110 SESS-102 SESS-107 SESS-108 SESS-114 TAR-102 TAR-105 TOK-024 TRANS-021 TRANS-022 TRANS-049..052 TRANS-054"
      ),
      blocked: {
        "CDR-102": ids("CDR-103 CDR-109"),
        "LOC-102": ids("LOC-103..109 LOC-113 LOC-115..118"),
        "SESS-102": ids("JRN-011 SESS-103..106 SESS-110 SESS-115"),
        "TAR-102": ids("TAR-103 TAR-104 TAR-108..110 TRANS-019 TRANS-041 TRANS-055")
      },
      attributed: {
        "CDR-111": "ambiguous",
        "LOC-102": "ambiguous",
        "SESS-102": "ambiguous",
        "SESS-114": "ambiguous",
        "TAR-102": "ambiguous",
        "TRANS-049": "ambiguous",
        "TRANS-050": "ambiguous",
        "TRANS-051": "ambiguous"
      }
    }
  },
  {
    id: "clock-behind",
    about: "A machine without time synchronisation: its clock is 90 seconds behind.",
    version: "2.2.1",
    role: "CPO",
    suite: "full",
    bend: () => ({ skewMillis: -90_000 }),
    expects: {}
  },
  {
    id: "clock-behind-polled",
    about: "The same, of a service that pushes nothing: its sessions have to be read.",
    version: "2.3.0",
    role: "CPO",
    suite: "full",
    freedoms: { pushes: "none" },
    bend: () => ({ skewMillis: -90_000 }),
    expects: {}
  },
  {
    id: "stamped-on-reading",
    about: "A view over another system: last_updated of locations and tariffs is the time of the request.",
    version: "2.2.1",
    role: "CPO",
    suite: "full",
    bend: () => ({
      fronts: answering((said, asked, gate) =>
        ["locations", "tariffs"].includes(placeIn(asked).module) && asked.method === "GET"
          ? { ...said, data: stamped(said.data, gate.now()) }
          : said
      )
    }),
    expects: {
      warned: ids("LOC-050 TAR-035"),
      attributed: { "LOC-050": "ambiguous", "TAR-035": "ambiguous" }
    }
  },
  {
    id: "ids-of-each-reading",
    about: "A view without keys: the ids of its CDRs are counted anew at each request.",
    version: "2.2.1",
    role: "CPO",
    suite: "full",
    bend: () => {
      let made = 0
      return {
        fronts: answering((said, asked) =>
          placeIn(asked).module === "cdrs" && Array.isArray(said.data)
            ? {
                ...said,
                data: said.data.map((one: Json) => {
                  made += 1
                  return { ...one, id: `ROW-${made}` }
                })
              }
            : said
        )
      }
    },
    expects: { failed: ids("PAGE-010"), blocked: { "PAGE-010": ids("CDR-037") } }
  },
  {
    id: "expired-picture-host",
    about: "Its pictures are at a host of its agency's, whose TLS certificate has expired.",
    version: "2.2.1",
    role: "CPO",
    suite: "locations",
    freedoms: { objects: 12 },
    beside: async () => {
      const { close, url } = await startExpiredHost()
      const pictures = [1, 2, 3].map((number) => ({
        url: `${url}/${number}.png`,
        category: "LOCATION",
        type: "png"
      }))
      return {
        close,
        bend: {
          fronts: answering((said, asked) =>
            placeIn(asked).module === "locations" ? { ...said, data: pictured(said.data, pictures) } : said
          )
        }
      }
    },
    expects: { unjudged: { "LOC-033": /third host/ }, attributed: { "LOC-033": "network" } }
  },
  {
    id: "many-versions",
    about: "A platform that lists 2.1.1 and 2.2 beside 2.2.1: nothing is wrong with it.",
    version: "2.2.1",
    role: "CPO",
    suite: "core",
    freedoms: { otherVersions: ["2.1.1", "2.2"] },
    expects: {}
  },
  {
    id: "hub",
    about:
      "A hub fronts four CPOs that its credentials do not name: two of them have a location of one id with EVSEs of one uid. It answers 4001 to a receiver that it does not know, pushes to URLs that it has guessed, and has a DELETE for tokens.",
    version: "2.2.1",
    role: "CPO",
    suite: "full",
    freedoms: { parties: 4 },
    bend: () => {
      let twin: Json | undefined
      return {
        fronts: inTurn(
          answering((said, asked) => (placeIn(asked).module === "credentials" ? asHub(said) : said)),
          addressedToItself,
          async (asked, gate) =>
            gate.isKnown && !isConfiguration(asked) && !isKnownTo(asked.headers["ocpi-to-party-id"])
              ? { http: 200, code: 4001, message: "unknown receiver" }
              : gate.proceed(asked),
          async (asked, gate) =>
            asked.method === "DELETE" && gate.isKnown && placeIn(asked).module === "tokens"
              ? {
                  ...(await gate.proceed({ ...asked, method: "GET" })),
                  http: 200,
                  code: 1000,
                  data: undefined
                }
              : gate.proceed(asked)
        ),
        lists: (objects, module) => {
          if (module !== "locations") return objects
          twin ??= twinOf(objects)
          return twin === undefined ? objects : [...objects, twin]
        },
        carries: guessed
      }
    },
    expects: {
      warned: ids("TRANS-022 TRANS-060"),
      blocked: { "our refusal": ids("CDR-036 SESS-028 SESS-030") }
    }
  }
]

const hubParty = { role: "HUB", country_code: "NL", party_id: "HUB" }

/** The hub, and the four parties of the stranger behind it; a request that names no receiver is for the hub. */
const isKnownTo = (party: string | undefined): boolean =>
  party === undefined || [hubParty.party_id, "ST0", "ST1", "ST2", "ST3"].includes(party.toUpperCase())

/** A request to the hub itself is answered by the first that it fronts, in the name of the hub. */
const addressedToItself: NonNullable<Bend["fronts"]> = async (asked, gate) => {
  if (asked.headers["ocpi-to-party-id"]?.toUpperCase() !== hubParty.party_id) return gate.proceed(asked)
  const first = { "ocpi-to-country-code": "DE", "ocpi-to-party-id": "ST0" }
  const said = await gate.proceed({ ...asked, headers: { ...asked.headers, ...first } })
  const inItsName: Readonly<Record<string, string>> = {
    "OCPI-from-country-code": hubParty.country_code,
    "OCPI-from-party-id": hubParty.party_id
  }
  const headers = Object.entries(said.headers ?? {}).map(([name, value]) => [name, inItsName[name] ?? value])
  return { ...said, headers: Object.fromEntries(headers) }
}

/** A hub names itself alone in its credentials (credentials, 2.2.1: a Hub reports itself as role HUB only). */
const asHub = (said: Said): Said => {
  const data = said.data as Json | undefined
  const roles = data?.["roles"]
  return Array.isArray(roles)
    ? { ...said, data: { ...data, roles: [{ ...(roles[0] as Json), ...hubParty }] } }
    : said
}

/** A location of another CPO with the id of the first one and the uids of its EVSEs: all that differs is whose it is. */
const twinOf = ([first, ...others]: ReadonlyArray<Json>): Json | undefined => {
  const other = others.find((one) => one["party_id"] !== first?.["party_id"])
  if (first === undefined || other === undefined) return undefined
  const { country_code, party_id } = other
  const evses = (first["evses"] ?? []) as ReadonlyArray<Json>
  return structuredClone({
    ...first,
    country_code,
    party_id,
    evses: evses.map((evse, index) => ({
      ...evse,
      ...("evse_id" in evse ? { evse_id: `${country_code}*${party_id}*ETWIN${index}` } : {})
    }))
  })
}

/** `/ocpi/receiver/sessions/…` instead of the URL of our endpoint. */
const guessed = (call: Call): Call => {
  const url = new URL(call.url)
  const found = /\/(locations|sessions|cdrs|tariffs)(\/.*)?$/.exec(url.pathname)
  if (found === null || call.method === "GET") return call
  url.pathname = `/ocpi/receiver/${found[1]}${found[2] ?? ""}`
  return { ...call, url: url.href }
}

/** The object, and each of its parts that has a last_updated, as of now. */
const stamped = (value: unknown, millis: number): unknown => {
  if (Array.isArray(value)) return value.map((one) => stamped(one, millis))
  if (!isJson(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      name === "last_updated" ? `${new Date(millis).toISOString().slice(0, 19)}Z` : stamped(one, millis)
    ])
  )
}

/** Locations with these pictures. */
const pictured = (value: unknown, images: ReadonlyArray<Json>): unknown =>
  Array.isArray(value)
    ? value.map((one) => pictured(one, images))
    : isJson(value) && "coordinates" in value
      ? { ...value, images }
      : value
