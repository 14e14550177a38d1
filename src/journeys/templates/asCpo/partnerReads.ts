import { Schema } from "effect"
import type { Exchange } from "../../../../schema/Exchange.ts"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { wasTaken } from "../../../findings/calledPath.ts"
import { keyText, objectsIn, sameId } from "../../../findings/json.ts"
import { nextLink } from "../../../ocpi/paging.ts"
import { locationWishes } from "../../../party/simulation/driver/scriptedLocations.ts"
import type { PartyObject } from "../../../store/parties/PartyStore.ts"
import type { JourneyStage, JourneyTemplate } from "../../model/JourneyTemplate.ts"
import { isSamePlace } from "../../model/partnerPushes.ts"
import { dataOf, inboundOf, lastOfWaits, type RunHistory } from "../../model/RunHistory.ts"
import { freshId, hiddenPlace, kept, type PlaceKind, placeFor } from "../../stages/asCpo/ourPlace.ts"
import { pushLocation, retirePlace } from "../../stages/asCpo/ourPlaceStages.ts"
import { waitFields } from "../../stages/charge/inputs.ts"

const kind: PlaceKind = { ...hiddenPlace, name: locationWishes.read }

/** The number of our locations: more than fit on a page. */
const places = 3

/** The objects in our lists: locations and their tariff, with a change just now. */
function shown(history: RunHistory, now: string): ReadonlyArray<PartyObject> {
  const { location, tariff } = placeFor(history, kind, { at: Date.parse(now) })
  const more = Array.from({ length: places - 1 }, (_, index) => ({
    ...location,
    id: freshId(history, `L${index + 2}`),
    name: hiddenPlace.name,
    evses: []
  }))
  return [
    ...[location, ...more].map((json) => ({ ...kept("locations", json), lastUpdated: now })),
    ...(tariff === undefined ? [] : [{ ...kept("tariffs", tariff), lastUpdated: now }])
  ]
}

/** The pages of our locations that the partner has read. */
const pages = (history: RunHistory): ReadonlyArray<Exchange> =>
  inboundOf(history).filter(
    (exchange) =>
      exchange.module === "locations" &&
      exchange.request.method === "GET" &&
      exchange.operation === "list" &&
      wasTaken(exchange)
  )

const linkOf = ({ request, response }: Exchange): string | undefined =>
  nextLink(response?.headers["link"] ?? response?.headers["Link"], request.url)

/** The ids of the locations that this run shows. */
const shownIds = (history: RunHistory): ReadonlyArray<string> =>
  shown(history, history.createdAt).flatMap(({ json, module }) =>
    module === "locations" ? [keyText(json["id"])] : []
  )

/** Has the partner got every location of the run, by whatever offsets and limits it asked for? */
const hasAll = (history: RunHistory): boolean => {
  const given = pages(history).flatMap((page) => objectsIn(dataOf(page)))
  return shownIds(history).every((id) => given.some((location) => sameId(location["id"], id)))
}

/** The link to a next page that the partner has not read; undefined: it has read all. */
const unread = (history: RunHistory): string | undefined => {
  if (hasAll(history)) return undefined
  const read = pages(history)
  return read
    .flatMap((page) => linkOf(page) ?? [])
    .find((link) => !read.some(({ request }) => isSamePlace(request.url, link)))
}

/** Why no page was read, with what came instead. */
function whyNotRead(history: RunHistory): string {
  const almost = lastOfWaits(history, "lists-read")?.data
  const misses = almost !== undefined && "nearMisses" in almost ? almost.nearMisses : []
  const instead = misses.length === 0 ? "" : ` (${misses.join("; ")})`
  return `The partner did not read our locations in time${instead}: let its operator start the reading of locations while the stage waits, then run again`
}

const listsRead: JourneyStage = {
  id: "lists-read",
  name: "The partner reads our locations",
  actor: "partner",
  module: "locations",
  description: "The partner reads the list of our locations, and follows the links to the last page.",
  timeoutSeconds: 300,
  act: {
    act: "await",
    instruction: () =>
      "Let your system read our locations that have changed lately, with date_from and a small limit, and follow the Link header to the last page.",
    look: (history) => ({
      found: pages(history).length > 0 && unread(history) === undefined,
      nearMisses: pages(history).map(() => "The partner has read a page, and not yet the next one")
    }),
    expects: (history) => {
      const link = unread(history)
      return link === undefined
        ? {
            method: "GET",
            module: "locations",
            path: [],
            query: { date_from: history.createdAt, limit: "2" }
          }
        : { method: "GET", module: "locations", path: [], url: link }
    },
    keeps: shown
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: [
    {
      id: "lists-read.came",
      title: "The partner reads our locations",
      strength: "must",
      reference: "mod_locations, Sender Interface, GET Method",
      judge: (history) =>
        pages(history).length === 0
          ? // When a partner reads is its own affair: nothing in OCPI asks it to read within this wait.
            {
              unobservable: whyNotRead(history),
              attribution: "operator"
            }
          : undefined
    },
    {
      id: "lists-read.pages",
      title: "The partner reads every page, by the links or by offsets of its own",
      strength: "must",
      reference: "transport_and_format, Pagination",
      judge: (history) => {
        if (pages(history).length === 0) return { notTested: "No page was read" }
        const link = unread(history)
        return link === undefined
          ? undefined
          : {
              message: "The partner did not read a page that we linked to",
              expected: `GET ${link}`,
              actual: "nothing"
            }
      }
    },
    {
      id: "lists-read.delta",
      title: "The partner reads only what has changed, by date_from",
      strength: "should",
      reference: "mod_locations, Sender Interface, GET Method, Request Parameters",
      judge: (history) => {
        const [first] = pages(history)
        if (first === undefined) return { notTested: "No page was read" }
        return new URL(first.request.url, "http://here").searchParams.has("date_from")
          ? undefined
          : {
              message: "The partner read all our locations, changed or not",
              expected: "date_from in the query",
              actual: first.request.url
            }
      }
    }
  ]
}

/** The partner reads our lists page by page, and then only what has changed. We are the CPO. */
export const partnerReads: JourneyTemplate = {
  ...retirePlace,
  id: "partner-reads",
  name: "The partner reads our lists",
  description: "The partner reads our lists, which have more than one page; plugfest checks its requests.",
  outcome: "The partner read all pages of our locations, and asked only for what had changed.",
  ourRole: "CPO",
  supportedVersions: versionNumbers,
  // The partner only reads, so it needs no receiver interface.
  needs: [],
  requiredPlan: "integrate",
  expectedDurationSeconds: 60,
  inputs: Schema.Struct(waitFields),
  stages: [pushLocation(kind), listsRead]
}
