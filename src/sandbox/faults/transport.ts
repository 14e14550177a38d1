/** Faults of the envelope, of headers and of paging: of no module in particular. */
import { dateTime, dateTimeMillis } from "../../ocpi/dateTime.ts"
import { nextLink, nextLinkHeader } from "../../ocpi/paging.ts"
import { isObject, type JsonObject } from "../../party/json.ts"
import { allVersions, bothRoles, type Fault, withRoles } from "./Fault.ts"
import {
  aboutDetails,
  aboutLists,
  aboutVersions,
  type EditReply,
  editData,
  editEnvelope,
  headerOf,
  when,
  withHeader
} from "./replies.ts"

const base = { module: "transport", versions: allVersions, roles: bothRoles, strength: "must" } as const
const paging = { ...base, module: "paging" } as const

const isError = (envelope: JsonObject) => Number(envelope["status_code"]) >= 2000
const withoutTimestamp = ({ timestamp: _, ...envelope }: JsonObject) => envelope

/** Acts on lists that were answered. */
const lists = (edit: EditReply): EditReply =>
  when(aboutLists, (request, reply) => (reply.httpStatus === 200 ? edit(request, reply) : reply))

export const transportFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "transport.html-content-type",
    description: "Sends JSON labelled as text/html",
    caughtBy: ["TRANS-011"],
    behaviour: {
      reply: (_, reply) => (reply.body === null ? reply : withHeader(reply, "Content-Type", "text/html"))
    }
  },
  {
    ...base,
    id: "transport.status-code-as-text",
    description: "Writes status_code as a text",
    caughtBy: ["TRANS-012"],
    behaviour: {
      reply: lists(
        editEnvelope((envelope) => ({ ...envelope, status_code: String(envelope["status_code"]) }))
      )
    }
  },
  {
    ...base,
    id: "transport.no-timestamp",
    description: "Leaves the timestamp out of lists",
    caughtBy: ["TRANS-013"],
    behaviour: { reply: lists(editEnvelope(withoutTimestamp)) }
  },
  {
    ...base,
    id: "transport.slow-clock",
    strength: "should",
    description: "Stamps its answers one hour too early",
    caughtBy: ["TRANS-014"],
    behaviour: {
      reply: editEnvelope((envelope) => {
        const millis = dateTimeMillis(envelope["timestamp"])
        return millis === undefined ? envelope : { ...envelope, timestamp: dateTime(millis - 3_600_000) }
      })
    }
  },
  {
    ...base,
    id: "transport.null-for-empty",
    description: "Answers an empty list with null",
    caughtBy: ["TRANS-015"],
    behaviour: { reply: lists(editData((data) => (Array.isArray(data) && data.length === 0 ? null : data))) }
  },
  {
    ...base,
    id: "transport.bare-errors",
    description: "Leaves the timestamp out of errors",
    caughtBy: ["TRANS-016"],
    behaviour: {
      reply: editEnvelope((envelope) => (isError(envelope) ? withoutTimestamp(envelope) : envelope))
    }
  },
  {
    ...base,
    id: "transport.custom-status-code",
    versions: withRoles,
    description: "Answers errors with a status code from the custom range",
    caughtBy: ["TRANS-017"],
    behaviour: {
      reply: editEnvelope((envelope) =>
        isError(envelope)
          ? { ...envelope, status_code: Math.floor(Number(envelope["status_code"]) / 1000) * 1000 + 900 }
          : envelope
      )
    }
  },
  {
    ...base,
    id: "transport.no-request-id",
    versions: withRoles,
    description: "Does not repeat X-Request-ID",
    caughtBy: ["TRANS-025"],
    behaviour: { reply: (_, reply) => withHeader(reply, "X-Request-ID", undefined) }
  },
  {
    ...base,
    id: "transport.no-correlation-id",
    versions: withRoles,
    description: "Does not repeat X-Correlation-ID",
    caughtBy: ["TRANS-026"],
    behaviour: { reply: (_, reply) => withHeader(reply, "X-Correlation-ID", undefined) }
  },
  {
    ...base,
    id: "transport.routed-discovery",
    versions: withRoles,
    description: "Sends routing headers with the versions list and details",
    caughtBy: ["TRANS-031"],
    behaviour: {
      reply: when(
        (request) => aboutVersions(request) || aboutDetails(request),
        (_, reply) =>
          withHeader(withHeader(reply, "OCPI-from-country-code", "NL"), "OCPI-from-party-id", "SBX")
      )
    }
  },
  {
    ...paging,
    id: "paging.no-total",
    description: "Sends no X-Total-Count",
    caughtBy: ["PAGE-001"],
    behaviour: { reply: lists((_, reply) => withHeader(reply, "X-Total-Count", undefined)) }
  },
  {
    ...paging,
    id: "paging.no-limit",
    description: "Sends no X-Limit",
    caughtBy: ["PAGE-002"],
    behaviour: { reply: lists((_, reply) => withHeader(reply, "X-Limit", undefined)) }
  },
  {
    ...paging,
    id: "paging.limit-overrun",
    description: "Answers two objects where one was asked for",
    caughtBy: ["PAGE-003"],
    behaviour: {
      reply: when(
        ({ query }) => query.get("limit") === "1",
        lists(
          editData((data) =>
            Array.isArray(data)
              ? data.flatMap((item) => (isObject(item) ? [item, renamed(item)] : [item]))
              : data
          )
        )
      )
    }
  },
  {
    ...paging,
    id: "paging.no-link",
    description: "Sends no Link to the next page",
    caughtBy: ["PAGE-004"],
    behaviour: { reply: lists((_, reply) => withHeader(reply, "Link", undefined)) }
  },
  {
    ...paging,
    id: "paging.link-on-last-page",
    description: "Sends a Link to a next page that is not there",
    caughtBy: ["PAGE-005"],
    behaviour: {
      reply: lists((request, reply) => {
        if (headerOf(reply, "Link") !== undefined || !URL.canParse(request.url)) return reply
        const url = new URL(request.url)
        url.searchParams.set("offset", headerOf(reply, "X-Total-Count") ?? "0")
        return withHeader(reply, "Link", nextLinkHeader(url.href))
      })
    }
  },
  {
    ...paging,
    id: "paging.bare-link",
    description: "Writes the next page's URL into Link without angle brackets",
    caughtBy: ["PAGE-006"],
    behaviour: { reply: lists(editLink((url) => `${url}; rel="next"`)) }
  },
  {
    ...paging,
    id: "paging.link-without-filters",
    strength: "should",
    description: "Loses date_from and date_to on the way to the next page",
    caughtBy: ["PAGE-007"],
    behaviour: {
      reply: lists(
        editLink((text) => {
          const url = new URL(text)
          url.searchParams.delete("date_from")
          url.searchParams.delete("date_to")
          return nextLinkHeader(url.href)
        })
      )
    }
  },
  {
    ...paging,
    id: "paging.total-too-high",
    description: "Counts one object more in X-Total-Count than there are",
    caughtBy: ["PAGE-008"],
    behaviour: {
      reply: lists((_, reply) => {
        const total = Number(headerOf(reply, "X-Total-Count"))
        return Number.isInteger(total) ? withHeader(reply, "X-Total-Count", String(total + 1)) : reply
      })
    }
  },
  {
    ...paging,
    id: "paging.endless",
    description: "Links every page to itself",
    caughtBy: ["PAGE-008"],
    behaviour: {
      reply: lists((request, reply) => withHeader(reply, "Link", nextLinkHeader(request.url)))
    }
  },
  {
    ...paging,
    id: "paging.object-twice",
    description: "Answers the first object of a page once more in place of the second",
    caughtBy: ["PAGE-009"],
    behaviour: {
      reply: lists(
        editData((data) =>
          Array.isArray(data) && data.length > 1 ? [data[0], data[0], ...data.slice(2)] : data
        )
      )
    }
  }
]

/** The same object under another id. */
function renamed(object: JsonObject): JsonObject {
  const key = "id" in object ? "id" : "uid"
  return { ...object, [key]: `${String(object[key])}-B` }
}

function editLink(edit: (url: string) => string): EditReply {
  return (request, reply) => {
    const url = nextLink(headerOf(reply, "Link"), request.url)
    return url === undefined ? reply : withHeader(reply, "Link", edit(url))
  }
}
