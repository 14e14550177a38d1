/** Faults of pages: how a list answers other limits and offsets. */
import { objectIn, objectsIn } from "../../../findings/json.ts"
import { allVersions, bothRoles, cpo, type Fault, withRoles } from "../Fault.ts"
import { headerOf, jsonOf, answeredLists as lists, refused, withHeader } from "../replies.ts"
import { asks, crash, items, updated } from "./pageEdits.ts"
import { renamed } from "./paging.ts"

const base = { module: "paging", versions: allVersions, roles: bothRoles, strength: "must" } as const

/** Faults in how a list answers limit and offset: order, missing objects, counts, and values that are no numbers. */
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
    id: "paging.by-last-updated",
    // The tokens of a sandbox EMSP do not change by themselves.
    roles: cpo,
    strength: "should",
    description: "Sorts lists by last_updated, the newest first",
    caughtBy: ["PAGE-030"],
    behaviour: {
      reply: items((all, { query }) =>
        query.has("offset") || query.has("limit") ? all : all.toSorted((a, b) => updated(b) - updated(a))
      )
    }
  },
  {
    ...base,
    id: "paging.object-lost-between-pages",
    description: "Leaves the last object out of a page when the limit is more than one",
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
    description: "Answers offset=0 with other objects than no offset",
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
    description: "Returns more objects than X-Limit says when the requested limit is high",
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
    description: "Gives the number of returned objects in X-Limit",
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
  }
]

/** A number that depends on the text only. */
function hash(text: string): number {
  let number = 7
  for (const letter of text) number = (Math.imul(number, 31) + (letter.codePointAt(0) ?? 0)) | 0
  return Math.imul(number ^ (number >>> 15), 0x2c1b3c6d)
}
