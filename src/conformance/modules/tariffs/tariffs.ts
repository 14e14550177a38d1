/** Tariffs for themselves: form, words, numbers and limits. */

import type { Finding } from "../../../findings/Flaw.ts"
import { unless, when } from "../../../findings/finding.ts"
import { objectIn, objectsIn, textIn } from "../../../findings/json.ts"
import { dateTimeMillis } from "../../../ocpi/dateTime.ts"
import type { Check } from "../../model/Check.ts"
import {
  anyOf,
  below,
  inFields,
  onEach,
  onFlaws,
  onForm,
  onList,
  onUnique,
  type Placed,
  type SchemaFlaw,
  tariffs,
  wrong
} from "../shared/readObjects.ts"
import { base, currency, limits, object, steps, taxIncluded, withLimits } from "./tariffObjects.ts"
import { restrictionsOf } from "./tariffParts.ts"

const structure = ({ pointer }: SchemaFlaw) => /^\/elements(\/\d+\/price_components)?$/.test(pointer)

const words = ({ field, pointer, present }: SchemaFlaw) =>
  present &&
  (pointer === "/type" ||
    /^\/elements\/\d+\/price_components\/\d+\/type$/.test(pointer) ||
    field === "day_of_week" ||
    field === "reservation")

const formats = inFields("start_time", "end_time", "start_date", "end_date")

const restricted = (flaw: SchemaFlaw) => flaw.pointer.includes("/restrictions/") && formats(flaw)

const languages = (flaw: SchemaFlaw) => below("tariff_alt_text")(flaw) && inFields("language")(flaw)

export const tariffsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TAR-001",
    title: "Serves the list of tariffs",
    reference: "mod_tariffs, Sender Interface, GET Method",
    sends: "GET tariffs",
    passes: "HTTP 200, status_code 1000, data is an array",
    hint: "Answer an empty list when there are no tariffs.",
    needs: () => ["tariffs.list"],
    judge: onList(tariffs)
  },
  {
    ...base,
    id: "TAR-002",
    title: "Every tariff has the form of the version",
    reference: `${object}; TariffElement, PriceComponent and TariffRestrictions classes`,
    passes: "each Tariff conforms to the version's schema",
    hint: "Compare the field at the pointer with the table of the Tariff object of this version.",
    judge: onForm(
      tariffs,
      anyOf(currency, structure, words, steps, taxIncluded, limits, restricted, languages)
    )
  },
  {
    ...base,
    id: "TAR-003",
    title: "Tariff ids are unique",
    reference: object,
    passes: "no two tariffs of one party share an id",
    hint: "A changed tariff keeps its id and replaces the former one.",
    judge: onUnique(tariffs, "id", (json) => [json["country_code"], json["party_id"], json["id"]])
  },
  {
    ...base,
    id: "TAR-005",
    title: "Has elements, and they have price components",
    reference: "mod_tariffs, Tariff Object, TariffElement class",
    passes: "at least one element, each with at least one price component",
    hint: "A free tariff has an element with a FLAT price of 0.",
    judge: onFlaws(tariffs, structure)
  },
  {
    ...base,
    id: "TAR-006",
    title: "Uses the words of the version",
    reference: "mod_tariffs, TariffDimensionType, DayOfWeek, TariffType and ReservationRestrictionType enums",
    passes: "types, weekdays and kinds of reservation are values of the version",
    hint: "The words of sessions' dimensions are not those of tariffs.",
    judge: onFlaws(tariffs, words)
  },
  {
    ...base,
    id: "TAR-011",
    versions: withLimits,
    title: "Tariff: start_date_time is before end_date_time, and min_price not above max_price",
    strength: "should",
    reference: object,
    passes: "start_date_time < end_date_time; min_price <= max_price, before and after tax",
    hint: "A tariff that never counts, or whose limits exclude each other, cannot be applied.",
    judge: onEach(tariffs, "has bounds of time or price", bounds)
  },
  {
    ...base,
    id: "TAR-013",
    title: "Writes times and dates of restrictions in their form",
    reference: "mod_tariffs, TariffRestrictions class",
    passes: "HH:MM from 00:00 to 23:59, and YYYY-MM-DD of the calendar",
    hint: "24 hours, local time, two digits each.",
    judge: onFlaws(tariffs, restricted)
  },
  {
    ...base,
    id: "TAR-014",
    title: "Restrictions: each minimum is below its maximum, and dates and times differ",
    strength: "should",
    reference: "mod_tariffs, TariffRestrictions class",
    passes: "min below max for energy, power, current and duration; dates and times that differ",
    hint: "min is included and max is not: with the same value in both the element never counts.",
    judge: onEach(tariffs, "has restrictions", restrictionPairs)
  },
  {
    ...base,
    id: "TAR-021",
    title: "Describes itself once in each language",
    strength: "should",
    reference: "mod_tariffs, Tariff Object; types, DisplayText class",
    passes: "one text for each language, languages by ISO 639-1",
    hint: "Two letters, like en; put everything of one language into one text.",
    judge: onFlaws(tariffs, languages, (item) => {
      const met = new Set<string>()
      return objectsIn(item.json["tariff_alt_text"]).flatMap(({ language }, index) => {
        const key = String(language).toLowerCase()
        const again = met.has(key)
        met.add(key)
        return when(again, () =>
          wrong(item, `tariff_alt_text/${index}/language`, "there are two texts in one language", {
            expected: "each language once",
            actual: language
          })
        )
      })
    })
  }
]

function bounds(
  item: Placed,
  { profile }: Parameters<Check["judge"]>[0]
): ReadonlyArray<Finding> | undefined {
  const { json } = item
  const [from, to] = [dateTimeMillis(json["start_date_time"]), dateTimeMillis(json["end_date_time"])]
  const [least, most] = [objectIn(json["min_price"]), objectIn(json["max_price"])]
  const fields = [profile.price, ...(profile.priceLimitGross === null ? [] : [profile.priceLimitGross])]
  const pairs = fields.flatMap((field) => {
    const [min, max] = [least[field], most[field]]
    return typeof min === "number" && typeof max === "number" ? [{ field, min, max }] : []
  })
  if (pairs.length === 0 && (from === undefined || to === undefined)) return undefined
  return [
    ...when(from !== undefined && to !== undefined && from >= to, () =>
      wrong(item, "end_date_time", "the tariff ends before it begins", {
        expected: `after ${String(json["start_date_time"])}`,
        actual: json["end_date_time"]
      })
    ),
    ...pairs
      .filter(({ max, min }) => min > max)
      .map(({ field, max, min }) =>
        wrong(item, `max_price/${field}`, "max_price is below min_price", {
          expected: `at least ${min}`,
          actual: max
        })
      )
  ]
}

function restrictionPairs(item: Placed): ReadonlyArray<Finding> | undefined {
  const all = restrictionsOf(item)
  if (all.length === 0) return undefined
  return all.flatMap(({ at, restrictions }) => [
    ...["kwh", "power", "current", "duration"].flatMap((name) => {
      const [min, max] = [restrictions[`min_${name}`], restrictions[`max_${name}`]]
      return unless(typeof min !== "number" || typeof max !== "number" || min < max, () =>
        wrong(item, `${at}/max_${name}`, `max_${name} is not above min_${name}`, {
          expected: `above ${min}`,
          actual: max
        })
      )
    }),
    ...pair(item, at, restrictions, "date", (from, to) => from < to),
    ...pair(item, at, restrictions, "time", (from, to) => from !== to)
  ])
}

function pair(
  item: Placed,
  at: string,
  restrictions: Readonly<Record<string, unknown>>,
  name: string,
  fits: (from: string, to: string) => boolean
): ReadonlyArray<Finding> {
  const [from, to] = [textIn(restrictions[`start_${name}`]), textIn(restrictions[`end_${name}`])]
  return unless(from === undefined || to === undefined || fits(from, to), () =>
    wrong(item, `${at}/end_${name}`, `nothing lies between start_${name} and end_${name}`, {
      expected: `after ${from}`,
      actual: to
    })
  )
}
