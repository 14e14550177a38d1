/** Faults of filters: how a list answers date_from and date_to. */
import { dayMillis } from "../../../../schema/fields/durations.ts"
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { allVersions, bothRoles, cpo, type Fault, withRoles } from "../Fault.ts"
import { headerOf, answeredLists as lists, refused, withHeader } from "../replies.ts"
import { asks, crash, instant, items, updated } from "./pageEdits.ts"
import { renamed } from "./paging.ts"

const base = { module: "paging", versions: allVersions, roles: bothRoles, strength: "must" } as const

/** Adds a copy of the first object whose last_updated is computed from date_to. */
const intruder = (millis: (dateTo: number) => number) =>
  items((all, request) => {
    const to = instant(request, "date_to")
    const [first] = all
    return to === undefined || first === undefined
      ? all
      : [...all, { ...renamed(first), last_updated: dateTimeOf(millis(to)) }]
  })

/** Faults in how a list applies date_from and date_to (transport_and_format, Pagination). */
export const windowsFaults: ReadonlyArray<Fault> = [
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
    description: "Leaves the newest object out when there is a date_from",
    caughtBy: ["PAGE-021"],
    behaviour: {
      reply: items((all, request) => {
        const newest = Math.max(...all.map(updated))
        // A date_from longer ago than half a year only stands for the whole list, where a version requires one.
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
    description: "Counts all objects in X-Total-Count when no object matches the filter",
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
    description: "Leaves out the first object when there are both date_from and date_to",
    caughtBy: ["PAGE-024"],
    behaviour: {
      reply: items((all, request) => (asks("date_from", "date_to")(request) ? all.slice(1) : all))
    }
  },
  {
    ...base,
    id: "paging.no-instant-crashes",
    strength: "should",
    description: "Fails with HTTP 500 on a date_from that is no date",
    caughtBy: ["PAGE-025"],
    behaviour: {
      reply: crash((request) => asks("date_from")(request) && instant(request, "date_from") === undefined)
    }
  },
  {
    ...base,
    id: "paging.reversed-window-crashes",
    strength: "should",
    description: "Fails with HTTP 500 on a date_to before date_from",
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
    roles: cpo,
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
