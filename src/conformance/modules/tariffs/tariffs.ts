/** Tariffs for themselves: form, words, numbers and limits. */

import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { unless, when } from "../../../findings/finding.ts"
import { keyText, objectIn, objectsIn, textIn } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import type { Check } from "../../model/Check.ts"
import { tariffs } from "../shared/objects/ListedKind.ts"
import { anyOf, below, inFields, type SchemaFlaw } from "../shared/objects/objectFlaws.ts"
import { onEach, onFlaws, onForm, onList, onUnique, wrong } from "../shared/objects/objectRules.ts"
import type { Placed } from "../shared/objects/Placed.ts"
import {
  currency,
  limits,
  steps,
  tariffClause,
  tariffsBase,
  taxIncluded,
  withLimits
} from "./tariffObjects.ts"
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

/**
 * Judge the list of tariffs, and the schema, ids, enums, bounds and restrictions of its objects (mod_tariffs, Sender
 * Interface, Tariff Object and TariffRestrictions class).
 */
export const tariffsChecks: ReadonlyArray<Check> = [
  {
    ...tariffsBase,
    id: "TAR-001",
    title: "GET tariffs: HTTP 200, status_code 1000 and an array",
    reference: "mod_tariffs, Sender Interface, GET Method",
    sends: "GET tariffs",
    passes: "HTTP 200, status_code 1000, data is an array",
    hint: "Answer an empty array when there are no tariffs.",
    ...onList(tariffs)
  },
  {
    ...tariffsBase,
    id: "TAR-002",
    title: "Tariff: each conforms to the version's schema",
    reference: `${tariffClause}; TariffElement, PriceComponent and TariffRestrictions classes`,
    passes: "each Tariff conforms to the version's schema",
    hint: "Compare the field at the pointer with the table of the Tariff object of this version.",
    judge: onForm(
      tariffs,
      anyOf(currency, structure, words, steps, taxIncluded, limits, restricted, languages)
    )
  },
  {
    ...tariffsBase,
    id: "TAR-003",
    title: "Tariff: id is unique within a party",
    reference: tariffClause,
    passes: "no two tariffs of one party share an id",
    hint: "Keep the id of a tariff when it changes, and give it to no other tariff.",
    judge: onUnique(tariffs, "id", (json) => [json["country_code"], json["party_id"], json["id"]])
  },
  {
    ...tariffsBase,
    id: "TAR-005",
    title: "Tariff: at least one element, each with at least one price component",
    reference: "mod_tariffs, Tariff Object, TariffElement class",
    passes: "at least one element, each with at least one price component",
    hint: "Give every tariff an element with a price component; a free tariff has a FLAT component of price 0.",
    judge: onFlaws(tariffs, structure)
  },
  {
    ...tariffsBase,
    id: "TAR-006",
    title: "Tariff: types, day_of_week and reservation have values of the version's enums",
    reference: "mod_tariffs, TariffDimensionType, DayOfWeek, TariffType and ReservationRestrictionType enums",
    passes: "type, price component type, day_of_week and reservation are values of the version",
    hint: "Use TariffDimensionType in price components: CdrDimensionType has other values.",
    judge: onFlaws(tariffs, words)
  },
  {
    ...tariffsBase,
    id: "TAR-011",
    versions: withLimits,
    title: "Tariff: start_date_time is before end_date_time, and min_price is at most max_price",
    strength: "should",
    reference: tariffClause,
    passes: "start_date_time < end_date_time; min_price <= max_price, before and after tax",
    hint: "Check both pairs: a tariff that is never valid, or whose limits exclude each other, cannot be applied.",
    judge: onEach(tariffs, "has bounds of time or price", bounds)
  },
  {
    ...tariffsBase,
    id: "TAR-013",
    title: "TariffRestrictions: times are HH:MM and dates are YYYY-MM-DD",
    reference: "mod_tariffs, TariffRestrictions class",
    passes: "HH:MM from 00:00 to 23:59, and YYYY-MM-DD of the calendar",
    hint: "Write local times with 24 hours, two digits each.",
    judge: onFlaws(tariffs, restricted)
  },
  {
    ...tariffsBase,
    id: "TAR-014",
    title:
      "TariffRestrictions: each min is below its max, start_date before end_date, start_time not end_time",
    strength: "should",
    reference: "mod_tariffs, TariffRestrictions class",
    passes:
      "min below max for kwh, power, current and duration; start_date before end_date; start_time other than end_time",
    hint: "Raise the maximum: min is included and max is not, so that with equal values the element never applies.",
    judge: onEach(tariffs, "has restrictions", restrictionPairs)
  },
  {
    ...tariffsBase,
    id: "TAR-021",
    title: "Tariff: tariff_alt_text has one text for each language",
    strength: "should",
    reference: "mod_tariffs, Tariff Object; types, DisplayText class",
    passes: "one text for each language, languages by ISO 639-1",
    hint: "Write language with two letters, like en; join the texts of one language into one.",
    judge: onFlaws(tariffs, languages, (item) => {
      const met = new Set<string>()
      return objectsIn(item.json["tariff_alt_text"]).flatMap(({ language }, index) => {
        const key = keyText(language).toLowerCase()
        const again = met.has(key)
        met.add(key)
        return when(again, () =>
          wrong(item, `tariff_alt_text/${index}/language`, "tariff_alt_text has two texts in one language", {
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
      wrong(item, "end_date_time", "end_date_time is not after start_date_time", {
        expected: `after ${inWords(json["start_date_time"])}`,
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
    ...pair(item, { at, restrictions }, "date", (from, to) => from < to),
    ...pair(item, { at, restrictions }, "time", (from, to) => from !== to)
  ])
}

function pair(
  item: Placed,
  { at, restrictions }: ReturnType<typeof restrictionsOf>[number],
  name: "date" | "time",
  fits: (from: string, to: string) => boolean
): ReadonlyArray<Finding> {
  const [from, to] = [textIn(restrictions[`start_${name}`]), textIn(restrictions[`end_${name}`])]
  return unless(from === undefined || to === undefined || fits(from, to), () =>
    wrong(item, `${at}/end_${name}`, `no time lies between start_${name} and end_${name}`, {
      expected: `after ${from}`,
      actual: to
    })
  )
}
