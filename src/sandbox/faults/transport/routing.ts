/** Faults of message routing, and of values that may be written in several ways. */
import { isObject, objectsIn } from "../../../findings/json.ts"
import type { OcpiRequest } from "../../../party/wire/Request.ts"
import { allVersions, bothRoles, cpo, type Fault, withRoles } from "../Fault.ts"
import {
  aboutLists,
  aboutModule,
  editData,
  editEnvelope,
  headerOf,
  answeredLists as lists,
  refused,
  when,
  withHeader
} from "../replies.ts"

const base = { module: "transport", versions: allVersions, roles: bothRoles, strength: "must" } as const

const refusal = (code: number) =>
  editEnvelope(({ data: _, ...envelope }) => ({ ...envelope, status_code: code }))
const recipient = ({ headers }: OcpiRequest) => headers["ocpi-to-party-id"]

/** Faults in routing headers, in case-insensitive ids, in URLs and dates of allowed other forms, and in announced roles. */
export const routingFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "transport.routing-not-turned",
    versions: withRoles,
    description: "Repeats the routing headers without swapping from and to",
    caughtBy: ["TRANS-029"],
    behaviour: {
      reply: lists((_, reply) => {
        const [from, to] = ["OCPI-from-party-id", "OCPI-to-party-id"].map((name) => headerOf(reply, name))
        return withHeader(withHeader(reply, "OCPI-from-party-id", to), "OCPI-to-party-id", from)
      })
    }
  },
  {
    ...base,
    id: "transport.any-recipient",
    versions: withRoles,
    strength: "should",
    description: "Answers lists for a recipient party that it does not have",
    caughtBy: ["TRANS-033"],
    behaviour: {
      reply: when(
        (request) => aboutLists(request) && recipient(request) === "ZZZ",
        editEnvelope((envelope) => ({ ...envelope, status_code: 1000, data: [{ id: "ANY" }] }))
      )
    }
  },
  {
    ...base,
    id: "transport.routing-case-matters",
    versions: withRoles,
    strength: "should",
    description: "Does not accept its own party id in lower case",
    caughtBy: ["TRANS-034"],
    behaviour: {
      reply: when(
        (request) =>
          recipient(request) !== undefined && recipient(request) !== recipient(request)?.toUpperCase(),
        refusal(2001)
      )
    }
  },
  {
    ...base,
    id: "transport.id-case-matters",
    versions: withRoles,
    roles: cpo,
    description: "Does not find a location when its id is written in another case",
    caughtBy: ["TRANS-039"],
    behaviour: {
      reply: when(
        (request) =>
          request.method === "GET" &&
          aboutModule("locations")(request) &&
          (request.path[2] ?? "") !== (request.path[2] ?? "").toUpperCase(),
        (request, reply) => ({ ...refusal(2003)(request, reply), httpStatus: 404 })
      )
    }
  },
  {
    ...base,
    id: "transport.slash-crashes",
    strength: "may",
    description: "Fails with HTTP 500 on a slash at the end of an endpoint",
    caughtBy: ["TRANS-040"],
    behaviour: {
      reply: lists((request, reply) =>
        URL.canParse(request.url) && new URL(request.url).pathname.endsWith("/") ? refused(reply, 500) : reply
      )
    }
  },
  {
    ...base,
    id: "transport.fractions-refused",
    versions: withRoles,
    description: "Refuses dates with fractions of a second",
    caughtBy: ["TRANS-044"],
    behaviour: {
      reply: when(
        (request) => aboutLists(request) && /\.\d+Z?$/.test(request.query.get("date_from") ?? ""),
        refusal(2001)
      )
    }
  },
  {
    ...base,
    id: "versions.interfaces-of-another-role",
    module: "credentials",
    versions: withRoles,
    strength: "should",
    description: "Gives another role in its credentials than the one whose interfaces it offers",
    caughtBy: ["VERS-016"],
    behaviour: {
      reply: when(
        (request) => request.method === "GET" && aboutModule("credentials")(request),
        editData((data) =>
          isObject(data)
            ? {
                ...data,
                roles: objectsIn(data["roles"]).map((role) => ({
                  ...role,
                  role: role["role"] === "CPO" ? "EMSP" : "CPO"
                }))
              }
            : data
        )
      )
    }
  }
]
