/** Faults of pages and filters: what a list answers to other limits, offsets and windows. */
import { dateTime, dateTimeMillis } from "../../ocpi/dateTime.ts"
import { type JsonObject, objectIn, objectsIn } from "../../party/json.ts"
import type { OcpiRequest } from "../../party/Parties.ts"
import { allVersions, bothRoles, type Fault, withRoles } from "./Fault.ts"
import { renamed } from "./paging.ts"
import {
  aboutLists,
  type EditReply,
  editData,
  headerOf,
  jsonOf,
  answeredLists as lists,
  refused,
  when,
  withHeader
} from "./replies.ts"

const base = { module: "paging", versions: allVersions, roles: bothRoles, strength: "must" } as const
const dayMillis = 86_400_000

const items = (edit: (items: ReadonlyArray<JsonObject>, request: OcpiRequest) => unknown): EditReply =>
  lists(editData((data, request) => (Array.isArray(data) ? edit(objectsIn(data), request) : data)))

const asks =
  (...names: ReadonlyArray<string>) =>
  ({ query }: OcpiRequest) =>
    names.every((name) => query.has(name))
const instant = ({ query }: OcpiRequest, name: string) => dateTimeMillis(query.get(name))
const updated = (item: JsonObject) => dateTimeMillis(item["last_updated"]) ?? 0

/** HTTP 500 where the honest partner refuses the query. */
const crash = (is: (request: OcpiRequest) => boolean): EditReply =>
  when(
    (request) => aboutLists(request) && is(request),
    (_, reply) => (objectIn(jsonOf(reply))["status_code"] === 2001 ? refused(reply, 500) : reply)
  )

/** One more object, with an instant of its own. */
const intruder = (millis: (dateTo: number) => number) =>
  items((all, request) => {
    const to = instant(request, "date_to")
    const [first] = all
    return to === undefined || first === undefined
      ? all
      : [...all, { ...renamed(first), last_updated: dateTime(millis(to)) }]
  })

export const pagesFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "paging.any-order",
    strength: "should",
    description: "Lists the objects of a page in another order each time",
    caughtBy: ["PAGE-010"],
    behaviour: {
      reply: items((all, { headers }) =>
        all
          .map((item) => ({
            item,
            rank: hash(`${headers["x-request-id"]}${String(item["id"] ?? item["uid"])}`)
          }))
          .toSorted((a, b) => a.rank - b.rank)
          .map(({ item }) => item)
      )
    }
  },
  {
    ...base,
    id: "paging.object-lost-between-pages",
    description: "Leaves the last object of a page out when a limit of more than one was asked for",
    caughtBy: ["PAGE-011"],
    behaviour: {
      reply: items((all, { query }) => {
        const limit = Number(query.get("limit") ?? 1)
        return limit > 1 && limit < 100 ? all.slice(0, -1) : all
      })
    }
  },
  {
    ...base,
    id: "paging.offset-off",
    description: "Answers offset=0 with another object than the first one",
    caughtBy: ["PAGE-012"],
    behaviour: {
      reply: items((all, { query }) => (query.get("offset") === "0" ? all.map(renamed) : all))
    }
  },
  {
    ...base,
    id: "paging.total-of-the-rest",
    description: "Counts in X-Total-Count only what follows the offset",
    caughtBy: ["PAGE-013"],
    behaviour: {
      reply: lists(({ query }, reply) => {
        const rest = Number(headerOf(reply, "X-Total-Count")) - Number(query.get("offset") ?? 0)
        return rest >= 0 ? withHeader(reply, "X-Total-Count", String(rest)) : reply
      })
    }
  },
  {
    ...base,
    id: "paging.limit-exceeded",
    description: "Returns more objects than X-Limit says when many were asked for",
    caughtBy: ["PAGE-014"],
    behaviour: {
      reply: lists((request, reply) => {
        const { length } = objectsIn(objectIn(jsonOf(reply))["data"])
        return Number(request.query.get("limit") ?? 0) >= 1000 && length > 1
          ? withHeader(reply, "X-Limit", String(length - 1))
          : reply
      })
    }
  },
  {
    ...base,
    id: "paging.limit-is-count",
    versions: withRoles,
    description: "Tells in X-Limit how many objects it returned",
    caughtBy: ["PAGE-015"],
    behaviour: {
      reply: lists((_, reply) =>
        withHeader(reply, "X-Limit", String(objectsIn(objectIn(jsonOf(reply))["data"]).length))
      )
    }
  },
  {
    ...base,
    id: "paging.beyond-is-missing",
    strength: "should",
    description: "Answers HTTP 404 to an offset beyond the end",
    caughtBy: ["PAGE-016"],
    behaviour: {
      reply: lists((request, reply) =>
        asks("offset")(request) && objectsIn(objectIn(jsonOf(reply))["data"]).length === 0
          ? refused(reply, 404)
          : reply
      )
    }
  },
  {
    ...base,
    id: "paging.no-number-crashes",
    strength: "should",
    description: "Fails with HTTP 500 on an offset or a limit that is no number",
    caughtBy: ["PAGE-017"],
    behaviour: {
      reply: crash(({ query }) => query.has("offset") || Number(query.get("limit") ?? 0) !== 0)
    }
  },
  {
    ...base,
    id: "paging.limit-zero-crashes",
    strength: "may",
    description: "Fails with HTTP 500 on limit=0",
    caughtBy: ["PAGE-018"],
    behaviour: { reply: crash(({ query }) => query.get("limit") === "0") }
  },
  {
    ...base,
    id: "paging.date-from-excluded",
    versions: withRoles,
    description: "Leaves out what was last updated exactly at date_from",
    caughtBy: ["PAGE-019"],
    behaviour: {
      reply: items((all, request) => all.filter((item) => updated(item) !== instant(request, "date_from")))
    }
  },
  {
    ...base,
    id: "paging.date-to-included",
    versions: withRoles,
    description: "Lists what was last updated exactly at date_to",
    caughtBy: ["PAGE-020"],
    behaviour: { reply: intruder((to) => to) }
  },
  {
    ...base,
    id: "paging.newest-left-out",
    description: "Leaves out the newest object when there is a date_from",
    caughtBy: ["PAGE-021"],
    behaviour: {
      reply: items((all, request) => {
        const newest = Math.max(...all.map(updated))
        // Longer ago than half a year: that is how lists are asked for which need a date_from.
        const recent = (instant(request, "date_from") ?? 0) > Date.parse(request.receivedAt) - 180 * dayMillis
        return recent && all.length > 1 ? all.filter((item) => updated(item) !== newest) : all
      })
    }
  },
  {
    ...base,
    id: "paging.date-to-ignored",
    description: "Lists what was updated after date_to",
    caughtBy: ["PAGE-022"],
    behaviour: { reply: intruder((to) => to + dayMillis) }
  },
  {
    ...base,
    id: "paging.total-unfiltered",
    description: "Counts all objects in X-Total-Count when a filter lets none through",
    caughtBy: ["PAGE-023"],
    behaviour: {
      reply: lists((request, reply) =>
        asks("date_from")(request) && headerOf(reply, "X-Total-Count") === "0"
          ? withHeader(reply, "X-Total-Count", "3")
          : reply
      )
    }
  },
  {
    ...base,
    id: "paging.windows-with-gaps",
    versions: withRoles,
    description: "Leaves out the first object of a window that has both ends",
    caughtBy: ["PAGE-024"],
    behaviour: {
      reply: items((all, request) => (asks("date_from", "date_to")(request) ? all.slice(1) : all))
    }
  },
  {
    ...base,
    id: "paging.no-instant-crashes",
    strength: "should",
    description: "Fails with HTTP 500 on a date_from that is no instant",
    caughtBy: ["PAGE-025"],
    behaviour: {
      reply: crash((request) => asks("date_from")(request) && instant(request, "date_from") === undefined)
    }
  },
  {
    ...base,
    id: "paging.reversed-window-crashes",
    strength: "should",
    description: "Fails with HTTP 500 on a window that ends before it begins",
    caughtBy: ["PAGE-026"],
    behaviour: {
      reply: lists((request, reply) =>
        (instant(request, "date_from") ?? 0) > (instant(request, "date_to") ?? Number.POSITIVE_INFINITY)
          ? refused(reply, 500)
          : reply
      )
    }
  },
  {
    ...base,
    id: "paging.changes-left-out",
    description: "Leaves out what changed within a second after date_from",
    caughtBy: ["PAGE-028"],
    behaviour: {
      reply: items((all, request) => {
        const from = instant(request, "date_from") ?? Number.POSITIVE_INFINITY
        return all.filter((item) => updated(item) <= from || updated(item) > from + 1000)
      })
    }
  },
  {
    ...base,
    id: "paging.objects-of-others",
    versions: withRoles,
    strength: "should",
    description: "Lists objects of a party that its credentials do not name",
    caughtBy: ["PAGE-027"],
    behaviour: {
      reply: items((all) =>
        all.map((item, index) => (index === 0 && "party_id" in item ? { ...item, party_id: "OTH" } : item))
      )
    }
  }
]

/** Some number for a text, the same each time. */
function hash(text: string): number {
  let number = 7
  for (const letter of text) number = (Math.imul(number, 31) + (letter.codePointAt(0) ?? 0)) | 0
  return Math.imul(number ^ (number >>> 15), 0x2c1b3c6d)
}
