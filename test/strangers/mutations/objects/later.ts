/** Faults that show when a list is read again, and in what objects link to. */
import type { Bend } from "../../partner/Bend.ts"
import type { Json } from "../../partner/objects/validity.ts"
import type { Call } from "../../partner/wire.ts"
import { afterwards, change, every, isList, lastOf, page, second, set, withinAll } from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"

const stamp = (now: number) => `${new Date(now).toISOString().slice(0, 19)}Z`
const stampedAnew = (listed: string): Bend => ({
  shows: (json, name, _, now) => (name === listed ? { ...json, last_updated: stamp(now) } : json)
})
const times = {
  order: { part: "full", listenSeconds: 900 },
  needs: { objects: 6, changesEach: 0, optionals: "all" }
} as const

/** Rows of objects that are read twice. */
export const laterFaults: ReadonlyArray<Mutation> = withAll(times, [
  fault("later.session-changes", "SESS-017", afterwards(second("Session", set({ meter_id: "OTHER" })))),
  fault("later.cdr-changes", "CDR-028", afterwards(second("CDR", set({ remark: "other" }))), {
    order: { part: "full", listenSeconds: 4000 }
  }),
  fault(
    "later.evse-vanishes",
    "LOC-046",
    afterwards(
      second(
        "Location",
        change("evses", (all: ReadonlyArray<Json>) => all.slice(1))
      )
    ),
    {
      follows: "LOC-049 LOC-018 LOC-002 TRANS-048 SESS-010 CDR-024"
    }
  ),
  fault(
    "later.other-uids",
    "LOC-047",
    afterwards(
      second(
        "Location",
        withinAll(
          "evses",
          change("uid", (uid: string) => `${uid}-new`.slice(-30))
        )
      )
    ),
    {
      follows: "SESS-010 CDR-024"
    }
  ),
  fault(
    "later.location-vanishes",
    "LOC-048",
    afterwards({
      lists: (all, module) => (module === "locations" ? all.filter((_, index) => index !== 1) : all)
    }),
    {
      follows: "LOC-046 SESS-010 CDR-024"
    }
  ),
  // The run itself charges at the first ones, which get another stamp by that.
  fault(
    "later.location-without-stamp",
    "LOC-049",
    afterwards(lastOf("Location", set({ address: "Elsewhere 1" })))
  ),
  fault("later.locations-stamped-anew", "LOC-050", afterwards(stampedAnew("Location"))),
  fault(
    "later.tariff-without-stamp",
    "TAR-034",
    afterwards(second("Tariff", set({ tariff_alt_url: "https://other.example/" })))
  ),
  fault("later.tariffs-stamped-anew", "TAR-035", afterwards(stampedAnew("Tariff"))),
  fault("later.token-without-stamp", "TOK-030", afterwards(second("Token", set({ visual_number: "other" })))),
  fault("later.tokens-stamped-anew", "TOK-031", afterwards(stampedAnew("Token"))),
  fault(
    "later.changes-left-out",
    "PAGE-028",
    page(
      (all, said, { url }) =>
        url.searchParams.has("date_from")
          ? { ...said, data: all.filter((one) => String(one["last_updated"]) < "2026-06-01T12:00:00") }
          : said,
      isList
    ),
    {
      needs: { pushes: "put" },
      // PAGE-028 is about what is pushed by PUT and PATCH; these look for CDRs, and for sessions that are over.
      follows: "JRN-009 SESS-031 CDR-037"
    }
  )
])

/** A page of its own that needs a login. */
const behindLogin = (listed: string, edit: (url: string) => Json) => (): Bend => {
  let origin = ""
  return {
    arrives: (asked) => {
      origin = asked.url.origin
      return asked
    },
    shows: (json, name, place) =>
      name === listed && place === 1 ? { ...json, ...edit(`${origin}/page`) } : json
  }
}

/** Rows of links. */
export const linkFaults: ReadonlyArray<Mutation> = withAll({ needs: { objects: 6 } }, [
  fault(
    "links.picture-behind-a-login",
    "LOC-033",
    behindLogin("Location", (url) => ({ images: [{ url: `${url}.png`, category: "LOCATION", type: "png" }] }))
  ),
  fault(
    "links.page-behind-a-login",
    "TAR-019",
    behindLogin("Tariff", (url) => ({ tariff_alt_url: url }))
  )
])

const pushedTariff = (call: Call, method: string, edit: (one: Json) => Json = (one) => one): Call => {
  const [, base, country, party] = /^(.*\/)locations(?:\/([^/?]+)\/([^/?]+))/.exec(call.url) ?? []
  const tariff = {
    country_code: country,
    party_id: party,
    id: "PUSHED",
    currency: "EUR",
    elements: [{ price_components: [{ type: "ENERGY", price: 0.3, step_size: 1 }] }],
    tax_included: "NO",
    last_updated: "2026-06-01T12:00:00Z"
  }
  return {
    ...call,
    method,
    url: `${base}tariffs/${country}/${party}/PUSHED`,
    json: method === "DELETE" ? undefined : edit(tariff)
  }
}
const besides = (...make: ReadonlyArray<(call: Call) => Call>): Bend => ({
  sends: (call, module) =>
    module === "locations" && /locations\//.test(call.url) ? [call, ...make.map((one) => one(call))] : [call]
})
const used: NonNullable<Bend["shows"]> = (json, name) =>
  name === "Location"
    ? withinAll("evses", withinAll("connectors", set({ tariff_ids: ["PUSHED"] })))(json)
    : json

/** With the first EVSE its location is pushed as a whole, which names a tariff that comes with the next one. */
const tariffLate = (): Bend => {
  const shown = new Map<unknown, Json>()
  let pushes = 0
  return {
    shows: (json, name, ...rest) => {
      const location = used(json, name, ...rest)
      if (name === "Location") shown.set(location["id"], location)
      return location
    },
    sends: (call, module) => {
      const [, url, id = ""] = /^(.*\/locations\/[^/]+\/[^/]+\/([^/?]+))\//.exec(call.url) ?? []
      const location = shown.get(decodeURIComponent(id))
      if (module !== "locations" || url === undefined || location === undefined) return [call]
      pushes += 1
      if (pushes === 1) return [call, { ...call, url, json: location }]
      return pushes === 2 ? [call, pushedTariff(call, "PUT")] : [call]
    }
  }
}

/** Rows of tariffs that are pushed beside the changes of EVSEs. */
export const tariffPushFaults: ReadonlyArray<Mutation> = withAll(
  { versions: "2.2+", needs: { pushes: "put", objects: 6 } },
  [
    fault(
      "pushes.tariff-in-part",
      "TAR-030",
      besides((call) => pushedTariff(call, "PUT", ({ elements: _, ...rest }) => rest)),
      {
        follows: "TAR-032 PAGE-028"
      }
    ),
    fault(
      "pushes.tariff-not-listed",
      "TAR-032",
      besides((call) => pushedTariff(call, "PUT")),
      { follows: "PAGE-028" }
    ),
    fault(
      "pushes.tariff-deleted-while-used",
      "TAR-031",
      {
        ...besides(
          (call) => pushedTariff(call, "PUT"),
          (call) => pushedTariff(call, "DELETE")
        ),
        shows: used
      },
      {
        follows: "LOC-019"
      }
    ),
    fault("pushes.tariff-late", "TAR-033", tariffLate, { follows: "TAR-032 LOC-019 PAGE-028" })
  ]
)

/** Rows of the types of fields. */
export const typeFaults: ReadonlyArray<Mutation> = withAll({ needs: { objects: 6 } }, [
  fault(
    "types.number-as-text",
    "TRANS-047",
    second("Tariff", (one) => ({
      ...one,
      elements: [{ price_components: [{ type: "ENERGY", price: "0.3", step_size: 1 }] }]
    })),
    { roles: ["CPO"], follows: "TAR-002 TAR-008" }
  ),
  fault("types.boolean-as-text", "TRANS-047", second("Token", set({ valid: "true" })), {
    roles: ["EMSP"],
    follows: "TOK-002"
  }),
  fault(
    "types.required-left-out",
    "TRANS-048",
    every("Tariff", ({ currency: _, ...rest }) => rest),
    {
      roles: ["CPO"],
      follows: "TAR-002 TAR-004 TAR-022 CDR-015"
    }
  ),
  fault("types.required-empty", "TRANS-048", second("Token", set({ issuer: null })), {
    roles: ["EMSP"],
    follows: "TOK-002"
  })
])
