/** Probes beside the list of locations: single objects of it, objects in the wrong place, and the URLs that it names. */

import { objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { isHttpUrl } from "../../../findings/links.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { type Probe, type ProbeRequest, withheld } from "../../model/Probe.ts"
import type { Placed } from "../shared/objects/Placed.ts"
import { readLocations } from "./readLocations.ts"

/** Locations that are read by their ids. */
const sampleSize = 3
const urlsCap = 10

interface Sample {
  readonly about: string
  readonly path: ReadonlyArray<string>
  readonly item: Placed
}

/** The listed objects that are read by their ids: some locations, and of each an EVSE and a connector. */
export const sampled = (
  evidence: Evidence
): Readonly<Record<"location" | "evse" | "connector", ReadonlyArray<Sample>>> =>
  evidence.once("locations.sampled", () => {
    const { connectors, evses, locations } = readLocations(evidence)
    const sample = (item: Placed, ...ids: ReadonlyArray<unknown>): ReadonlyArray<Sample> => {
      const path = ids.flatMap((id) => textIn(id) ?? [])
      return path.length === ids.length ? [{ about: path.join(" / "), path, item }] : []
    }
    const chosen = locations.filter(({ json }) => objectsIn(json["evses"]).length > 0)
    const ids = locations.map(({ json }) => json["id"])
    const some = (chosen.length > 0 ? chosen : locations)
      // What is listed twice under one id cannot be told apart by it.
      .filter(({ json }) => ids.indexOf(json["id"]) === ids.lastIndexOf(json["id"]))
      .slice(0, sampleSize)
    const inThem = some.flatMap((location) => {
      const evse = evses.find((one) => one.location === location)
      return evse === undefined ? [] : [evse]
    })
    const plugs = inThem.flatMap((evse) => {
      const connector = connectors.find((one) => one.evse === evse)
      return connector === undefined ? [] : [{ connector, evse }]
    })
    return {
      location: some.flatMap((item) => sample(item, item.json["id"])),
      evse: inThem.flatMap((item) => sample(item, item.location.json["id"], item.json["uid"])),
      connector: plugs.flatMap(({ connector, evse }) =>
        sample(connector, evse.location.json["id"], evse.json["uid"], connector.json["id"])
      )
    }
  })

const after = ["locations.list", "locations.crawl"]
const get = (operation: string, path: ReadonlyArray<string>, about: string): ProbeRequest => ({
  module: "locations",
  interfaceRole: "SENDER",
  operation,
  path,
  about
})

const byIds = (level: "location" | "evse" | "connector"): Probe => ({
  id: `locations.${level}`,
  after,
  asks: (evidence) => {
    const samples = sampled(evidence)[level]
    return samples.length === 0
      ? withheld("unobservable", `the partner lists no ${level === "evse" ? "EVSE" : level} to look at`)
      : samples.map(({ about, path }) => get(`GET ${level}`, path, about))
  }
})

/** Parts below parents that they do not have. */
const misplaced = (evidence: Evidence): ReadonlyArray<ProbeRequest> => {
  const { connectors, evses } = readLocations(evidence)
  const [place] = sampled(evidence).evse
  const [location, uid] = place?.path ?? []
  if (location === undefined || uid === undefined) return []
  const foreign = evses.find(
    ({ json, location: other }) =>
      !sameId(other.json["id"], location) &&
      !evses.some((own) => sameId(own.location.json["id"], location) && sameId(own.json["uid"], json["uid"]))
  )
  const own = connectors.filter(({ evse }) => sameId(evse.json["uid"], uid))
  const plug = connectors.find(({ json }) => !own.some((one) => sameId(one.json["id"], json["id"])))
  const foreignUid = textIn(foreign?.json["uid"])
  const plugId = textIn(plug?.json["id"])
  return [
    get("GET evse", [location, "TST-does-not-exist"], "unknown EVSE"),
    ...(foreignUid === undefined
      ? []
      : [get("GET evse", [location, foreignUid], "EVSE of another location")]),
    ...(plugId === undefined
      ? []
      : [get("GET connector", [location, uid, plugId], "connector of another EVSE")])
  ]
}

interface Link {
  readonly url: unknown
  readonly type: string
}

const links = (evidence: Evidence): ReadonlyArray<Link> => {
  const { connectors, evses, locations } = readLocations(evidence)
  return [
    ...[...locations, ...evses].flatMap(({ json }) =>
      objectsIn(json["images"]).map(({ type, url }) => ({ url, type: textIn(type) ?? "" }))
    ),
    ...connectors.map(({ json }) => ({ url: json["terms_and_conditions"], type: "" }))
  ]
}

/** Of a CPO that serves locations. */
export const locationsProbes: ReadonlyArray<Probe> = [
  byIds("location"),
  byIds("evse"),
  byIds("connector"),
  {
    id: "locations.misplaced",
    after,
    asks: (evidence) => {
      const asks = misplaced(evidence)
      return asks.length === 0 ? withheld("unobservable", "the partner lists no EVSE to ask about") : asks
    }
  },
  {
    id: "locations.urls",
    after,
    asks: (evidence) => {
      const usable = new Map(
        links(evidence).flatMap(({ type, url }) => (isHttpUrl(url) ? [[url, type]] : []))
      )
      return usable.size === 0
        ? withheld("not_applicable", "no location has images or terms that can be fetched")
        : [...usable].slice(0, urlsCap).map(([url, type]) => ({
            ...get("image or terms", [], type),
            url,
            page: true as const
          }))
    }
  }
]
