/** Faults of an EMSP that receives locations. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { type JsonObject, objectsIn } from "../../../findings/json.ts"
import type { OcpiRequest } from "../../../party/wire/Request.ts"
import { type EditObject, field, inEach, readBack, without } from "../edits.ts"
import { allVersions, emsp, type Fault, withRoles } from "../Fault.ts"
import { aboutModule, answersCode, codeOf, type EditReply, refused, takesAnyhow, when } from "../replies.ts"

const must = { module: "locations", versions: allVersions, roles: emsp, strength: "must" } as const
const should = { ...must, strength: "should" } as const

/** A request about a location, an EVSE (`below` = 1) or a connector (2): `{version}/locations/{country}/{party}/{id}/…`. */
const calls =
  (method: string, below = 0) =>
  (request: OcpiRequest) =>
    request.method === method && aboutModule("locations")(request) && request.path.length === 5 + below
const read = (below: number, edit: EditObject): EditReply =>
  when(calls("GET", below), readBack("locations", edit))
/** Changes test locations whose id ends so. Faults are stateless; the ids of the test locations name the check that they belong to. */
const named =
  (end: string, edit: EditObject): EditObject =>
  (object) =>
    String(object["id"]).endsWith(end) ? edit(object) : object

const longAgo = "2020-01-01T00:00:00Z"
const stale = (object: JsonObject): JsonObject => ({ ...object, last_updated: longAgo })
/** The location with its first EVSE in this status, and its second one, which the honest partner drops. */
const withBothEvses =
  (status: string): EditObject =>
  (location) => {
    const [first = {}] = objectsIn(location["evses"])
    return {
      ...location,
      evses: [
        { ...first, status },
        { ...first, uid: `${location["id"]}-2` }
      ]
    }
  }
/** How many EVSEs a new location of the test has. */
const evsesSent = 2

/**
 * Faults in how an EMSP stores locations, EVSEs and connectors that a CPO PUTs and PATCHes (locations module, Receiver
 * interface).
 */
export const locationWritesFaults: ReadonlyArray<Fault> = [
  {
    ...should,
    id: "locations.case-matters",
    versions: withRoles,
    description: "Does not find a location when its id is written in upper case",
    caughtBy: ["LOC-118"],
    behaviour: {
      reply: when(
        (request) => calls("GET")(request) && /-MIXED$/.test(request.path.at(-1) ?? ""),
        (request, reply) => ({ ...answersCode(2000)(request, reply), httpStatus: 404 })
      )
    }
  },
  {
    ...must,
    id: "locations.new-refused",
    description: "Refuses locations that it does not know yet",
    caughtBy: ["LOC-101"],
    behaviour: { reply: when(calls("PUT"), answersCode(2000)) }
  },
  {
    ...must,
    id: "locations.part-lost",
    description: "Accepts further EVSEs of a location and does not keep them",
    caughtBy: ["LOC-103"],
    behaviour: {
      reply: read(
        0,
        field("evses", (evses) => objectsIn(evses).slice(0, evsesSent))
      )
    }
  },
  {
    ...must,
    id: "locations.status-forgets",
    description: "Loses the evse_id of an EVSE when its status is patched",
    caughtBy: ["LOC-104"],
    behaviour: {
      reply: read(1, (evse) => (evse["status"] === "CHARGING" ? without("evse_id")(evse) : evse))
    }
  },
  {
    ...must,
    id: "locations.name-forgets",
    description: "Loses the EVSEs of a location when its name is patched",
    caughtBy: ["LOC-105"],
    behaviour: {
      reply: read(0, (location) =>
        String(location["name"]).startsWith("Renamed") ? { ...location, evses: [] } : location
      )
    }
  },
  {
    ...should,
    id: "locations.nested-evses-ignored",
    description: "Answers success to a PATCH of a location with evses, and changes no EVSE",
    caughtBy: ["LOC-117"],
    behaviour: { reply: read(0, named("-nested", withBothEvses("INOPERATIVE"))) }
  },
  {
    ...must,
    id: "locations.nested-evses-merged",
    strength: "may",
    description: "Keeps the EVSEs that a PATCH of a location with evses does not name",
    caughtBy: ["LOC-117"],
    behaviour: { reply: read(0, named("-nested", withBothEvses("OUTOFORDER"))) }
  },
  {
    ...must,
    id: "locations.tariffs-forget",
    description: "Loses the format of a connector when its tariffs are patched",
    caughtBy: ["LOC-106"],
    behaviour: { reply: read(2, without("format")) }
  },
  {
    ...must,
    id: "locations.old-above-evse",
    versions: withRoles,
    description: "Does not update a location's last_updated when one of its EVSEs changes",
    caughtBy: ["LOC-107"],
    behaviour: { reply: read(0, named("-evse-times", stale)) }
  },
  {
    ...must,
    id: "locations.old-above-connector",
    versions: withRoles,
    description: "Does not update an EVSE's last_updated when one of its connectors changes",
    caughtBy: ["LOC-108"],
    behaviour: { reply: read(0, named("-plug-times", inEach("evses", stale))) }
  },
  {
    ...must,
    id: "locations.put-merges",
    description: "Keeps fields of a location that a PUT leaves out",
    caughtBy: ["LOC-109"],
    behaviour: { reply: read(0, (location) => ({ name: "Former name", ...location })) }
  },
  {
    ...must,
    id: "locations.anything-taken",
    description: "Answers success to invalid locations",
    caughtBy: ["LOC-111"],
    behaviour: { reply: when(calls("PUT"), takesAnyhow(2001)) }
  },
  {
    ...should,
    id: "locations.bare-evse-crashes",
    description: "Fails with HTTP 500 on an EVSE without connectors",
    caughtBy: ["LOC-112"],
    behaviour: {
      reply: when(calls("PUT", 1), (request, reply) =>
        codeOf(reply) === 2001 && !request.body.includes('"connectors"') ? refused(reply, 500) : reply
      )
    }
  },
  {
    ...must,
    id: "locations.removed-stays",
    description: "Shows REMOVED EVSEs as AVAILABLE",
    caughtBy: ["LOC-113"],
    behaviour: {
      reply: read(1, (evse) => (evse["status"] === "REMOVED" ? { ...evse, status: "AVAILABLE" } : evse))
    }
  },
  {
    ...must,
    id: "locations.parking-refused",
    versions: versionsWhere(({ parkingPlaces }) => parkingPlaces),
    description: "Refuses locations with parking places",
    caughtBy: ["LOC-114"],
    behaviour: {
      reply: when(
        (request) => calls("PUT")(request) && request.body.includes('"parking_places"'),
        answersCode(2001)
      )
    }
  },
  {
    ...must,
    id: "locations.late-change-refused",
    strength: "may",
    description: "Refuses changes that are older than its copy",
    caughtBy: ["LOC-115"],
    behaviour: {
      reply: when((request) => calls("PATCH")(request) && request.body.includes('"Older'), answersCode(2001))
    }
  },
  {
    ...should,
    id: "locations.texts-cut",
    description: "Cuts the name of a location at 64 characters",
    caughtBy: ["LOC-116"],
    behaviour: {
      reply: read(
        0,
        field("name", (name) => String(name).slice(0, 64))
      )
    }
  }
]
