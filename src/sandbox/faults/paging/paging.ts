/** Faults of paging: counts, limits and links, in every list. */

import { isObject, type JsonObject } from "../../../findings/json.ts"
import { nextLink, nextLinkHeader } from "../../../ocpi/paging.ts"
import { allVersions, bothRoles, type Fault } from "../Fault.ts"
import { type EditReply, editData, headerOf, answeredLists as lists, when, withHeader } from "../replies.ts"

const base = { module: "paging", versions: allVersions, roles: bothRoles, strength: "must" } as const

/** Faults in X-Total-Count, X-Limit and the Link header of every list (transport_and_format, Pagination). */
export const pagingFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "transport.plain-next-page",
    module: "transport",
    description: "Announces the next page of a list at a plain-HTTP URL",
    caughtBy: ["TRANS-010"],
    behaviour: {
      reply: lists((_, reply) =>
        withHeader(reply, "Link", headerOf(reply, "Link")?.replace(/<https:/i, "<http:"))
      )
    }
  },
  {
    ...base,
    id: "paging.no-total",
    description: "Sends no X-Total-Count",
    caughtBy: ["PAGE-001"],
    behaviour: { reply: lists((_, reply) => withHeader(reply, "X-Total-Count", undefined)) }
  },
  {
    ...base,
    id: "paging.no-limit",
    description: "Sends no X-Limit",
    caughtBy: ["PAGE-002"],
    behaviour: { reply: lists((_, reply) => withHeader(reply, "X-Limit", undefined)) }
  },
  {
    ...base,
    id: "paging.limit-overrun",
    description: "Returns two objects for limit=1",
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
    ...base,
    id: "paging.no-link",
    description: "Sends no Link to the next page",
    caughtBy: ["PAGE-004"],
    behaviour: { reply: lists((_, reply) => withHeader(reply, "Link", undefined)) }
  },
  {
    ...base,
    id: "paging.link-on-last-page",
    strength: "should",
    description: "Sends a Link to a next page that does not exist",
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
    ...base,
    id: "paging.bare-link",
    description: "Writes the next page's URL into Link without angle brackets",
    caughtBy: ["PAGE-006"],
    behaviour: { reply: lists(editLink((url) => `${url}; rel="next"`)) }
  },
  {
    ...base,
    id: "paging.link-without-filters",
    strength: "should",
    description: "Drops date_from and date_to from the Link to the next page",
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
    ...base,
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
    ...base,
    id: "paging.endless",
    description: "Links every page to itself",
    caughtBy: ["PAGE-008"],
    behaviour: {
      reply: lists((request, reply) => withHeader(reply, "Link", nextLinkHeader(request.url)))
    }
  },
  {
    ...base,
    id: "paging.object-twice",
    description: "Repeats the first object of a page in place of the second",
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

/** A copy of the object under another id or uid. */
export function renamed(object: JsonObject): JsonObject {
  const key = "id" in object ? "id" : "uid"
  return { ...object, [key]: `${String(object[key])}-B` }
}

function editLink(edit: (url: string) => string): EditReply {
  return (request, reply) => {
    const url = nextLink(headerOf(reply, "Link"), request.url)
    return url === undefined ? reply : withHeader(reply, "Link", edit(url))
  }
}
