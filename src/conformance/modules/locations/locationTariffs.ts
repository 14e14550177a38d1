/** Connectors and the tariffs that they name. */

import { Array } from "effect"
import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { unless } from "../../../findings/finding.ts"
import type { JsonObject } from "../../../findings/json.ts"
import { keyText, objectIn, sameId, textIn } from "../../../findings/json.ts"
import { type Check, inconclusive } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { Probe } from "../../model/Probe.ts"
import { allPages, wholeListsOf } from "../shared/lists.ts"
import { locations, readingOf, tariffs } from "../shared/objects/ListedKind.ts"
import { wholeList } from "../shared/objects/listedObjects.ts"
import { wrong } from "../shared/objects/objectRules.ts"
import { type Placed, withId } from "../shared/objects/Placed.ts"
import { referring } from "../shared/readings/rereading.ts"
import { locationsBase, locationsChapter, onLocations, onParts, readLocations } from "./readLocations.ts"

const base = {
  ...locationsBase,
  sends: "GET locations and tariffs to the last page",
  needs: () => ["locations", "tariffs"].flatMap(readingOf)
} as const
const withLists = versionsWhere(({ connectorNames }) => connectorNames.tariffs === "tariff_ids")

const tariffIds = ({ json }: Placed, { profile }: Evidence): ReadonlyArray<string> =>
  [json[profile.connectorNames.tariffs]].flat().flatMap((id) => textIn(id) ?? [])

const tariffsOf = (connector: Placed, evidence: Evidence): ReadonlyArray<JsonObject> => {
  const known = wholeList(evidence, "tariffs") ?? []
  return tariffIds(connector, evidence).flatMap((id) => {
    const found = withId(known, id)
    return found === undefined ? [] : [objectIn(found.json)]
  })
}

const listed = referring({
  name: "connectors",
  from: locations,
  to: tariffs,
  findings: (known, evidence) =>
    readLocations(evidence).connectors.flatMap((connector) =>
      tariffIds(connector, evidence)
        .filter((id) => withId(known, id) === undefined)
        .map((id) =>
          wrong(
            connector,
            evidence.profile.connectorNames.tariffs,
            "the connector names a tariff that is not listed",
            { expected: "the id of a listed tariff", actual: id }
          )
        )
    )
})

/** Reads tariffs again where connectors name what their list did not have. */
export const locationTariffsProbes: ReadonlyArray<Probe> = [listed.probe]

/** Types of tariffs that charging preferences can choose: REGULAR, PROFILE_…, or no type, which counts as REGULAR. */
const forPreferences = ({ type }: JsonObject) =>
  type === undefined || type === null || type === "REGULAR" || keyText(type).startsWith("PROFILE_")

/** Judge the tariffs that connectors name (mod_locations, Connector object; mod_tariffs, Tariff object). */
export const locationTariffsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "LOC-019",
    consequenceOf: ["TAR-003", "TAR-031"],
    title: "Connector: each tariff that it names is in the list of tariffs",
    // The text wishes for it before a tariff is deleted, and lets a server leave objects out of a list.
    strength: "should",
    reference: `${locationsChapter}, Connector object; mod_tariffs, DELETE Method`,
    passes: "each tariff of a connector is in the list of tariffs",
    hint: "List a tariff before a connector names it, and keep it listed as long as a connector does.",
    requires: wholeListsOf(allPages("locations"), allPages("tariffs")),
    needs: () => listed.needs,
    judge: (evidence) => {
      const findings = listed.findings(evidence)
      if (findings === undefined)
        return inconclusive("not_tested", "the list of tariffs could not be read to its end")
      const placeOf = (exchangeId: string, pointer: string) => `${exchangeId} ${pointer}`
      const byPlace = Array.groupBy(findings, ({ exchangeId = "", pointer = "" }) =>
        placeOf(exchangeId, pointer)
      )
      const field = evidence.profile.connectorNames.tariffs
      return onParts(
        ({ connectors }) => connectors,
        "names a tariff",
        (connector) => {
          const place = placeOf(connector.seen.exchange.id, `${connector.pointer}/${field}`)
          return tariffIds(connector, evidence).length === 0 ? undefined : (byPlace[place] ?? [])
        }
      )(evidence)
    }
  },
  {
    ...base,
    id: "LOC-020",
    versions: withLists,
    title: "Connector: tariff_ids names at most one tariff of each type at a time",
    reference: `${locationsChapter}, Connector object; mod_tariffs, TariffType enum`,
    passes: "tariffs of one type at one connector do not overlap in time",
    hint: "Set end_date_time of the old tariff to when the new one of the same type begins.",
    judge: onParts(
      ({ connectors }) => connectors,
      "names several tariffs that are listed",
      (connector, evidence) => {
        const tariffs = tariffsOf(connector, evidence)
        return tariffs.length < 2 ? undefined : overlaps(connector, tariffs)
      }
    )
  },
  {
    ...base,
    id: "LOC-021",
    versions: withLists,
    title: "Connector: CHARGING_PREFERENCES_CAPABLE requires a tariff of type REGULAR or PROFILE_…",
    strength: "should",
    reference: `${locationsChapter}, Capability enum; mod_sessions, Set: Charging Preferences`,
    passes:
      "a connector of an EVSE with CHARGING_PREFERENCES_CAPABLE names a tariff of type REGULAR or PROFILE_…",
    hint: "Give the connector one tariff for each profile_type that it offers: drivers choose a profile by its price.",
    judge: onLocations(({ connectors }, evidence) => {
      const able = connectors.filter(({ evse }) =>
        [evse.json["capabilities"]].flat().includes("CHARGING_PREFERENCES_CAPABLE")
      )
      if (able.length === 0) return inconclusive("unobservable", "no EVSE takes charging preferences")
      return able.flatMap((connector): ReadonlyArray<Finding> => {
        const ids = tariffIds(connector, evidence)
        const tariffs = tariffsOf(connector, evidence)
        // A tariff that is not listed may be of any type: another check reports it.
        return unless(tariffs.some(forPreferences) || ids.length > tariffs.length, () =>
          wrong(connector, "tariff_ids", "the connector names no tariff for charging preferences", {
            expected: "a tariff of type REGULAR or PROFILE_…",
            actual: tariffs.length === 0 ? undefined : tariffs.map(({ type }) => type)
          })
        )
      })
    })
  }
]

function overlaps(connector: Placed, tariffs: ReadonlyArray<JsonObject>): ReadonlyArray<Finding> {
  const spans = tariffs.map((tariff) => ({
    tariff,
    type: textIn(tariff["type"]) ?? "none",
    from: dateTimeMillis(tariff["start_date_time"]) ?? Number.NEGATIVE_INFINITY,
    to: dateTimeMillis(tariff["end_date_time"]) ?? Number.POSITIVE_INFINITY
  }))
  return spans.flatMap((one, index) =>
    spans
      .slice(index + 1)
      .filter(
        (other) =>
          other.type === one.type &&
          !sameId(other.tariff["id"], one.tariff["id"]) &&
          other.from < one.to &&
          one.from < other.to
      )
      .map((other) =>
        wrong(connector, "tariff_ids", `two tariffs of type ${one.type} are valid at the same time`, {
          expected: "at most one at a time",
          actual: [one.tariff["id"], other.tariff["id"]]
        })
      )
  )
}
