/** What comes out of a connector, and where it comes from. */

import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { unless, when } from "../../../findings/finding.ts"
import { isObject, keyText, objectIn, objectsIn } from "../../../findings/json.ts"
import type { Check } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { locations } from "../shared/objects/ListedKind.ts"
import { below, inEntriesOf, inFields, isFlawed, type SchemaFlaw } from "../shared/objects/objectFlaws.ts"
import { wrong } from "../shared/objects/objectRules.ts"
import type { Placed } from "../shared/objects/Placed.ts"
import {
  flawsOfLocation,
  type LocationParts,
  locationsBase,
  locationsChapter,
  onParts
} from "./readLocations.ts"

const percentTolerance = 0.5
const powerTolerance = 1.05
/** Below this a connector's power is more likely in kilowatts. */
const leastWatts = 1000
const green = ["GENERAL_GREEN", "SOLAR", "WIND", "WATER"]

const phases: Readonly<Record<string, number>> = {
  AC_1_PHASE: 1,
  AC_2_PHASE: 2,
  AC_2_PHASE_SPLIT: 2,
  AC_3_PHASE: 3,
  DC: 1
}
const direct = /^CHADEMO$|_COMBO$|^GBT_DC$|^CHAOJI$|^MCS$/
const alternating = /^IEC_62196_T[12]$|^DOMESTIC_|^IEC_60309|^GBT_AC$|^NEMA_/

/** A category or source that is no word of the version is reported with all other words, where the version has a list of them. */
const ofImpact =
  ({ openEnums }: VersionProfile) =>
  (flaw: SchemaFlaw) =>
    inEntriesOf("energy_mix/environ_impact")(flaw) &&
    !inFields("source", ...(openEnums ? [] : ["category"]))(flaw)

const plugs = ({ connectors }: LocationParts) => connectors
const places = ({ locations }: LocationParts) => locations

/**
 * Judge the energy mix of locations and the electrical values of connectors (mod_locations, EnergyMix and
 * EnvironmentalImpact classes, Connector object).
 */
export const locationPowerChecks: ReadonlyArray<Check> = [
  {
    ...locationsBase,
    id: "LOC-028",
    title: "EnergyMix: the percentages add up to 100, and is_green_energy agrees with the sources",
    strength: "should",
    reference: `${locationsChapter}, EnergyMix class`,
    passes: "each percentage is from 0 to 100, their sum is 100; is_green_energy agrees with the sources",
    hint: "Write percentages of the whole: 60 and 40, not 0.6 and 0.4.",
    judge: onParts(places, "has energy_sources", mixFlaws)
  },
  {
    ...locationsBase,
    id: "LOC-029",
    title: "EnvironmentalImpact: each entry has the version's field for its category, and an amount",
    reference: `${locationsChapter}, EnvironmentalImpact class`,
    passes: "each entry of environ_impact has the version's field for its category, and an amount",
    hint: "Use source or category as the version has it: the field was called source at first, and category since then.",
    judge: (evidence) =>
      onParts(places, "has environ_impact", (item) =>
        objectsIn(objectIn(item.json["energy_mix"])["environ_impact"]).length === 0
          ? undefined
          : flawsOfLocation(item, ofImpact(evidence.profile), evidence)
      )(evidence)
  },
  {
    ...locationsBase,
    id: "LOC-030",
    title: "Connector: voltage and amperage are positive, and max_electric_power fits them",
    strength: "should",
    reference: `${locationsChapter}, Connector object`,
    passes:
      "voltage and amperage are positive; max_electric_power is in watts and at most their product over all phases, plus 5 %",
    hint: "Write the voltage between line and neutral in volts, and max_electric_power in watts.",
    judge: onParts(plugs, "has voltage and amperage", (item, { profile }) => electricFlaws(item, profile))
  },
  {
    ...locationsBase,
    id: "LOC-031",
    title: "Connector: standard and power_type agree on AC or DC",
    strength: "should",
    reference: `${locationsChapter}, ConnectorType and PowerType enums`,
    passes:
      "CHAdeMO, Combo, GB/T DC, ChaoJi and MCS with DC; Type 1, Type 2, domestic and industrial plugs with AC",
    hint: "Use IEC_62196_T2_COMBO for a Type 2 connector with DC pins.",
    judge: onParts(plugs, "has a standard for only AC or only DC", (item) => {
      const standard = keyText(item.json["standard"])
      const power = keyText(item.json["power_type"])
      const wanted = direct.test(standard) ? "DC" : alternating.test(standard) ? "AC" : undefined
      if (wanted === undefined || !(power in phases)) return undefined
      return unless(power.startsWith(wanted), () =>
        wrong(item, "power_type", `${standard} does not deliver ${power}`, {
          expected: wanted === "DC" ? "DC" : "AC_1_PHASE or AC_3_PHASE",
          actual: power
        })
      )
    })
  }
]

function mixFlaws(item: Placed, evidence: Evidence): ReadonlyArray<Finding> | undefined {
  const mix = item.json["energy_mix"]
  const sources = isObject(mix) ? objectsIn(mix["energy_sources"]) : []
  if (!isObject(mix) || sources.length === 0) return undefined
  if (isFlawed(evidence, locations, item, below("energy_mix/energy_sources", "energy_mix/is_green_energy")))
    return undefined
  const percentOf = ({ percentage }: Readonly<Record<string, unknown>>) =>
    typeof percentage === "number" ? percentage : 0
  const total = sources.reduce((sum, source) => sum + percentOf(source), 0)
  const outside = sources.filter((source) => percentOf(source) < 0 || percentOf(source) > 100)
  const fromGreen = sources
    .filter(({ source }) => green.includes(keyText(source)))
    .reduce((sum, source) => sum + percentOf(source), 0)
  const isGreen = total > 0 && total - fromGreen <= percentTolerance
  return [
    ...outside.map((source) =>
      wrong(item, "energy_mix/energy_sources", "a percentage is out of range", {
        expected: "0 to 100",
        actual: source["percentage"]
      })
    ),
    ...unless(Math.abs(total - 100) <= percentTolerance, () =>
      wrong(item, "energy_mix/energy_sources", "the percentages do not add up to 100", {
        expected: "100",
        actual: Math.round(total * 100) / 100
      })
    ),
    ...when(typeof mix["is_green_energy"] === "boolean" && mix["is_green_energy"] !== isGreen, () =>
      wrong(item, "energy_mix/is_green_energy", "is_green_energy contradicts energy_sources", {
        expected: isGreen ? "true: all sources are regenerative" : "false: not all sources are regenerative",
        actual: mix["is_green_energy"]
      })
    )
  ]
}

function electricFlaws(item: Placed, { connectorNames }: VersionProfile): ReadonlyArray<Finding> | undefined {
  const { amperage, voltage } = connectorNames
  const [volts, amperes, watts] = [voltage, amperage, "max_electric_power"].map((name) => {
    const value = item.json[name]
    return typeof value === "number" ? value : undefined
  })
  if (volts === undefined && amperes === undefined) return undefined
  const lacking = [
    [voltage, volts],
    [amperage, amperes]
  ] as const
  const product = (phases[keyText(item.json["power_type"])] ?? 3) * (volts ?? 0) * (amperes ?? 0)
  const power = (message: string, expected: string) =>
    wrong(item, "max_electric_power", message, { expected, actual: watts })
  return [
    ...lacking.flatMap(([name, value]) =>
      when(value !== undefined && value <= 0, () =>
        wrong(item, name, `${name} is not positive`, { expected: "above 0", actual: value })
      )
    ),
    ...when(watts !== undefined && product > 0 && watts > product * powerTolerance, () =>
      power("max_electric_power is more than voltage and amperage give", `at most ${product} W`)
    ),
    ...when(watts !== undefined && watts > 0 && watts < leastWatts && product >= leastWatts * 2, () =>
      power("max_electric_power looks like kilowatts", `watts, e.g. ${product}`)
    )
  ]
}
