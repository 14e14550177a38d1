/** Probes beside the lists of sessions, CDRs and tariffs: what is read twice, without a filter, or at other addresses. */

import { textIn } from "../../../findings/json.ts"
import { isHttpUrl } from "../../../findings/links.ts"
import { type Probe, withheld } from "../../model/Probe.ts"
import { readAgain } from "../shared/lists.ts"
import { readingOf } from "../shared/objects/ListedKind.ts"
import { objectsOf } from "../shared/objects/listedObjects.ts"

/** Most pages about tariffs that are looked up. */
const pagesCap = 5

const unknownSession = "TST-NO-SUCH-SESSION"

/** Most pages of a list that are read again. */
const againPages = 20

/** As late in the run as possible: what is changed in between is seen. */
const again = (module: "sessions" | "cdrs"): Probe =>
  readAgain(module, `${module}.again`, {
    after: ["inbound", ...readingOf(module)],
    operation: "list, read again",
    most: () => againPages
  })

/** GET sessions again and without date_from, and PUT of charging_preferences of an unknown session. */
export const sessionsProbes: ReadonlyArray<Probe> = [
  again("sessions"),
  {
    id: "sessions.no-date-from",
    asks: () => [
      {
        module: "sessions",
        interfaceRole: "SENDER",
        operation: "list without date_from",
        wrongOnPurpose: { query: "date_from is missing" }
      }
    ]
  },
  {
    id: "sessions.preferences-unknown",
    asks: () => [
      {
        module: "sessions",
        interfaceRole: "SENDER",
        operation: "PUT charging_preferences of an unknown session",
        method: "PUT",
        path: [unknownSession, "charging_preferences"],
        body: { profile_type: "REGULAR" }
      }
    ]
  }
]

/** GET cdrs again. */
export const cdrsProbes: ReadonlyArray<Probe> = [again("cdrs")]

/** GET of each tariff_alt_url, without a token. */
export const tariffsProbes: ReadonlyArray<Probe> = [
  {
    id: "tariffs.alt-url",
    after: ["tariffs.list", "tariffs.crawl"],
    asks: (evidence) => {
      const urls = objectsOf(evidence, "tariffs").flatMap(({ json }) => textIn(json["tariff_alt_url"]) ?? [])
      const usable = [...new Set(urls)].filter(isHttpUrl)
      return usable.length === 0
        ? withheld("not_applicable", "no tariff has a tariff_alt_url that can be fetched")
        : usable.slice(0, pagesCap).map((url) => ({
            module: "tariffs",
            interfaceRole: "SENDER" as const,
            operation: "tariff_alt_url",
            url,
            page: true as const,
            about: url
          }))
    }
  }
]
