/** Tariffs beside other things: the connectors that name them, the countries where they count, their web pages. */

import { countryCurrencies } from "../../../../schema/ocpi/countryCurrencies.ts"
import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { finding, given, unless } from "../../../findings/finding.ts"
import { objectsIn, sameId, textIn } from "../../../findings/json.ts"
import { type Check, inconclusive } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { isLocalHttp } from "../shared/localHttp.ts"
import { readingOf, tariffs } from "../shared/objects/ListedKind.ts"
import { objectsOf } from "../shared/objects/listedObjects.ts"
import { baseOf, onAll, wrong } from "../shared/objects/objectRules.ts"
import type { Placed } from "../shared/objects/Placed.ts"
import { judgePages } from "../shared/webPages.ts"

const base = baseOf(tariffs)
const withLocations = () => ["tariffs", "locations"].flatMap(readingOf)

/**
 * Judge tariff_alt_url, and tariffs against the connectors that name them (mod_tariffs, Tariff Object; mod_locations,
 * Connector object).
 */
export const tariffLinksChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TAR-019",
    title: "tariff_alt_url: an https URL that answers HTTP 2xx without a token",
    strength: "should",
    reference: "mod_tariffs, Tariff Object",
    sends: "GET each tariff_alt_url, without a token",
    passes: "an https URL that answers with HTTP 2xx",
    hint: "Serve the page over https and without a login: it is for drivers.",
    needs: () => [...base.needs(), "tariffs.alt-url"],
    judge: (evidence) =>
      judgePages(evidence, "tariffs.alt-url", ({ exchange, response }) => {
        const { url } = exchange.request
        const { httpStatus } = response
        return [
          ...unless(url.startsWith("https:") || isLocalHttp(url, evidence.trustedPrefixes), () =>
            finding({ exchange }, "tariff_alt_url is not https", { expected: "https://…", actual: url })
          ),
          ...unless(httpStatus >= 200 && httpStatus < 300, () =>
            finding({ exchange }, `tariff_alt_url answers HTTP ${httpStatus}`, {
              expected: "HTTP 2xx",
              actual: `HTTP ${httpStatus}`
            })
          )
        ]
      })
  },
  {
    ...base,
    id: "TAR-020",
    versions: versionsWhere(({ priceLimitGross }) => priceLimitGross !== null),
    title: "Connector: no tariff that it names is past its end_date_time",
    strength: "should",
    reference: "mod_tariffs, Tariff Object; mod_locations, Connector object",
    sends: "GET tariffs and locations to the last page",
    passes: "no tariff of a connector is past its end_date_time",
    hint: "Give connectors the new tariff before the old one ends.",
    needs: withLocations,
    judge: onAll(tariffs, (items, evidence) => {
      const used = items.filter((item) => countriesOf(item, evidence).length > 0)
      if (used.length === 0) return inconclusive("unobservable", "no connector names a listed tariff")
      const now = Date.parse(evidence.startedAt)
      return used.flatMap((item) => {
        const end = dateTimeMillis(item.json["end_date_time"])
        return unless(end === undefined || end >= now, () =>
          wrong(item, "end_date_time", "a connector names a tariff that is past its end_date_time", {
            expected: `after ${evidence.startedAt}`,
            actual: item.json["end_date_time"]
          })
        )
      })
    })
  },
  {
    ...base,
    id: "TAR-022",
    title: "Tariff: currency is in use in the countries of its locations",
    // OCPI asks for no particular currency: near a border, or for guests, a CPO may price in another one.
    strength: "may",
    reference: "mod_tariffs, Tariff Object",
    sends: "GET tariffs and locations to the last page",
    passes: "recorded: the currency is in use in the countries of the locations that name the tariff",
    hint: "Correct the currency, or check that the tariff belongs to these connectors.",
    needs: withLocations,
    judge: onAll(tariffs, (items, evidence) => {
      const known = items.flatMap((item) => {
        const countries = countriesOf(item, evidence).filter((country) =>
          Object.hasOwn(countryCurrencies, country)
        )
        return countries.length === 0 ? [] : [{ item, countries }]
      })
      if (known.length === 0)
        return inconclusive(
          "unobservable",
          "no tariff is named by a location in a country whose currencies we know"
        )
      return known.flatMap(({ countries, item }) => {
        const currency = textIn(item.json["currency"]) ?? ""
        const foreign = countries.find((country) => !countryCurrencies[country]?.includes(currency))
        return given(foreign, (foreign) =>
          wrong(
            item,
            "currency",
            `a location in ${foreign} names the tariff, but ${currency} is not in use there`,
            {
              expected: countryCurrencies[foreign]?.join(" or ") ?? "",
              actual: currency
            }
          )
        )
      })
    })
  }
]

/** Countries of the locations whose connectors name the tariff. */
function countriesOf({ json }: Placed, evidence: Evidence): ReadonlyArray<string> {
  const { profile } = evidence
  const named = evidence.once("tariffs.countries", () =>
    objectsOf(evidence, "locations").flatMap((location) => {
      const country = textIn(location.json["country"])
      const ids = objectsIn(location.json["evses"])
        .flatMap((evse) => objectsIn(evse["connectors"]))
        .flatMap((connector) => [connector[profile.connectorNames.tariffs]].flat())
      return country === undefined ? [] : [{ country, ids: [...new Set(ids)] }]
    })
  )
  return [
    ...new Set(
      named.flatMap(({ country, ids }) => (ids.some((id) => sameId(id, json["id"])) ? [country] : []))
    )
  ]
}
