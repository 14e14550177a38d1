/**
 * Faults of a partner that receives pushed objects: an EMSP locations, sessions, CDRs and tariffs, a CPO tokens, both
 * hub client info.
 */
import { versionsWhere } from "../../../schema/ocpi/versions.ts"
import { objectsIn } from "../../findings/json.ts"
import type { OcpiRequest } from "../../party/wire/Request.ts"
import { field, inEach, readBack, without } from "./edits.ts"
import { allVersions, bothRoles, cpo, emsp, type Fault } from "./Fault.ts"
import { aboutModule, type EditReply, editEnvelope, when, withHeader } from "./replies.ts"

const byEmsp = { versions: allVersions, roles: emsp, strength: "must" } as const
const byCpo = { versions: allVersions, roles: cpo, strength: "must" } as const

const calls = (method: string, module: string) => (request: OcpiRequest) =>
  request.method === method && aboutModule(module)(request)
const about = (method: string, module: string) => (request: OcpiRequest) =>
  calls(method, module)(request) && request.path.length <= ofObject
/** Path segments of a client owned object's URL: version, module, country code, party id, object id. */
const ofObject = 5
/** Answers success where it should answer 404 because the object is unknown. */
const unknownTaken = (method: string, module: string): EditReply =>
  when(about(method, module), (_, reply) =>
    reply.httpStatus === 404
      ? {
          ...editEnvelope(({ data: _data, ...envelope }) => ({ ...envelope, status_code: 1000 }))(_, reply),
          httpStatus: 200
        }
      : reply
  )

/** Faults of receivers: fields that they lose, refused pushes, and requests about unknown objects that they accept. */
export const receiversFaults: ReadonlyArray<Fault> = [
  {
    ...byEmsp,
    id: "locations.forgets-city",
    module: "locations",
    description: "Loses the city of a location that was sent to it",
    caughtBy: ["LOC-102"],
    behaviour: { reply: readBack("locations", without("city")) }
  },
  {
    ...byEmsp,
    id: "locations.unknown-patched",
    module: "locations",
    strength: "should",
    description: "Accepts a PATCH of a location that it does not have",
    caughtBy: ["LOC-110"],
    behaviour: { reply: unknownTaken("PATCH", "locations") }
  },
  {
    ...byEmsp,
    id: "sessions.forgets-periods",
    module: "sessions",
    versions: versionsWhere(({ patchAppendsPeriods }) => patchAppendsPeriods === true),
    description: "Keeps only the last charging period of a session",
    caughtBy: ["SESS-104"],
    behaviour: {
      reply: readBack(
        "sessions",
        field("charging_periods", (periods) => objectsIn(periods).slice(-1))
      )
    }
  },
  {
    ...byEmsp,
    id: "sessions.unknown-patched",
    module: "sessions",
    strength: "should",
    description: "Accepts a PATCH of a session that it does not have",
    caughtBy: ["SESS-108"],
    behaviour: { reply: unknownTaken("PATCH", "sessions") }
  },
  {
    ...byEmsp,
    id: "cdrs.no-location-header",
    module: "cdrs",
    description: "Answers POST of a CDR without the Location header",
    caughtBy: ["CDR-102"],
    behaviour: {
      reply: when(calls("POST", "cdrs"), (_, reply) => withHeader(reply, "Location", undefined))
    }
  },
  {
    ...byEmsp,
    id: "cdrs.rounds-energy",
    module: "cdrs",
    description: "Keeps the total energy of a CDR in whole kWh",
    caughtBy: ["CDR-103"],
    behaviour: {
      reply: readBack(
        "cdrs",
        field("total_energy", (energy) => Math.floor(Number(energy)))
      )
    }
  },
  {
    ...byEmsp,
    id: "tariffs.rounds-prices",
    module: "tariffs",
    strength: "should",
    description: "Keeps prices with one decimal",
    caughtBy: ["TAR-109"],
    behaviour: {
      reply: readBack(
        "tariffs",
        inEach(
          "elements",
          inEach(
            "price_components",
            field("price", (price) => Math.floor(Number(price) * 10) / 10)
          )
        )
      )
    }
  },
  {
    ...byEmsp,
    id: "tariffs.unknown-deleted",
    module: "tariffs",
    strength: "should",
    description: "Accepts DELETE of a tariff that it does not have",
    caughtBy: ["TAR-105"],
    behaviour: { reply: unknownTaken("DELETE", "tariffs") }
  },
  {
    ...byCpo,
    id: "tokens.forgets-issuer",
    module: "tokens",
    description: "Loses the issuer of a token that was sent to it",
    caughtBy: ["TOK-102"],
    behaviour: { reply: readBack("tokens", without("issuer")) }
  },
  {
    ...byCpo,
    id: "tokens.unknown-patched",
    module: "tokens",
    strength: "should",
    description: "Accepts a PATCH of a token that it does not have",
    caughtBy: ["TOK-107"],
    behaviour: { reply: unknownTaken("PATCH", "tokens") }
  },
  {
    id: "hubclientinfo.refused",
    module: "hubclientinfo",
    versions: versionsWhere(({ modules }) => modules.includes("hubclientinfo")),
    roles: bothRoles,
    strength: "must",
    description: "Refuses ClientInfo objects that a hub pushes",
    caughtBy: ["HUB-003"],
    behaviour: {
      reply: when(
        calls("PUT", "hubclientinfo"),
        editEnvelope((envelope) => ({ ...envelope, status_code: 2000 }))
      )
    }
  }
]
