/** Writing tariffs to an EMSP (mod_tariffs, Receiver Interface), each rule by a tariff of its own. */
import { dateTime } from "../../../ocpi/dateTime.ts"
import type { Json } from "../../model/answers.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { Probe, ProbeRequest, ProbeStep } from "../../model/Probe.ts"

/** Fields that the tariff may do without; gone after a PUT that has them not. */
export const optionalFields: ReadonlyArray<string> = ["tariff_alt_text", "min_price"]

/** `seconds` after the start of the run, as `last_updated`. */
const stamp = (evidence: Evidence, seconds: number) =>
  dateTime(Date.parse(evidence.startedAt) + seconds * 1000)

const component = ({ profile }: Evidence, type: string, price: number, step_size: number): Json => ({
  type,
  price,
  ...(profile.tariffTax === "unstated" ? {} : { vat: 21 }),
  step_size
})

/** A tariff of ours with two price components. `name`: the end of its id. */
const testTariff = (evidence: Evidence, name: string, change: Json = {}): Json => {
  const { identity } = evidence.party
  const { ownerFields, price, priceLimitGross, tariffTax } = evidence.profile
  return {
    ...(ownerFields ? { country_code: identity.countryCode, party_id: identity.partyId } : {}),
    id: `${evidence.mark}-${name}`,
    currency: "EUR",
    ...(tariffTax === "unstated" ? {} : { type: "REGULAR" }),
    ...(tariffTax === "tax_included" ? { tax_included: "NO" } : {}),
    tariff_alt_text: [{ language: "en", text: "0.50 euro per kWh, 2.50 euro per hour after charging" }],
    ...(priceLimitGross === null ? {} : { min_price: { [price]: 1, [priceLimitGross]: 1.21 } }),
    elements: [
      {
        price_components: [
          component(evidence, "ENERGY", 0.5, 1),
          component(evidence, "PARKING_TIME", 2.5, 300)
        ]
      }
    ],
    last_updated: stamp(evidence, 0),
    ...change
  }
}

const without = (json: Json, names: ReadonlyArray<string>): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)))

const patchOf = (evidence: Evidence): Json => ({
  elements: [{ price_components: [component(evidence, "ENERGY", 0.7, 1)] }],
  last_updated: stamp(evidence, 1)
})

/** What the steps leave behind. */
export const wrote = {
  put: (evidence: Evidence) => testTariff(evidence, "put"),
  replaced: (evidence: Evidence) =>
    without(
      testTariff(evidence, "put", {
        elements: [{ price_components: [component(evidence, "ENERGY", 0.6, 1)] }],
        last_updated: stamp(evidence, 1)
      }),
      optionalFields
    ),
  patched: (evidence: Evidence) => testTariff(evidence, "patch", patchOf(evidence)),
  rich: (evidence: Evidence) => testTariff(evidence, "rich", { elements: richElements(evidence) }),
  exact: (evidence: Evidence) =>
    testTariff(evidence, "exact", {
      elements: [{ price_components: [component(evidence, "ENERGY", 0.1234, 1)] }]
    })
} as const

/** Every restriction that the version has, spread over several elements. */
function richElements(evidence: Evidence): ReadonlyArray<Json> {
  const later = evidence.profile.reservationSession
  const energy = (price: number, restrictions?: Json): Json => ({
    price_components: [component(evidence, "ENERGY", price, 1)],
    ...(restrictions === undefined ? {} : { restrictions })
  })
  return [
    ...(later
      ? [
          {
            price_components: [component(evidence, "TIME", 3.5, 60)],
            restrictions: { reservation: "RESERVATION" }
          }
        ]
      : []),
    energy(0.5, { start_time: "22:00", end_time: "06:00", day_of_week: ["SATURDAY", "SUNDAY"] }),
    energy(0.6, { start_date: "2030-01-01", end_date: "2030-12-31" }),
    energy(0.7, { min_kwh: 20, max_kwh: 50.5, min_power: 11, max_power: 22 }),
    energy(0.8, {
      min_duration: 600,
      max_duration: 7200,
      ...(later ? { min_current: 6, max_current: 32 } : {})
    }),
    energy(0.9)
  ]
}

const request = (
  evidence: Evidence,
  method: NonNullable<ProbeRequest["method"]>,
  name: string,
  more: { readonly body?: unknown; readonly about?: string } = {}
): ProbeRequest => {
  const { countryCode, partyId } = evidence.party.identity
  return {
    module: "tariffs",
    interfaceRole: "RECEIVER",
    operation: `${method} tariff`,
    method,
    path: [countryCode, partyId, `${evidence.mark}-${name}`],
    ...more
  }
}

type Make = (evidence: Evidence) => Json

const put = (name: string, make: Make, id = "put"): ProbeStep => ({
  id,
  act: (evidence) => ({
    send: request(evidence, "PUT", name, { body: make(evidence), about: id }),
    undo: request(evidence, "DELETE", name)
  })
})
const read = (name: string, id = "read back"): ProbeStep => ({
  id,
  act: (evidence) => ({ send: request(evidence, "GET", name, { about: id }) })
})

/** Bodies that a receiver has to refuse, by what is wrong with them; undefined: the version has no such field. */
const wrong: ReadonlyArray<readonly [string, (tariff: Json, evidence: Evidence) => Json | undefined]> = [
  ["no-elements", (tariff) => without(tariff, ["elements"])],
  [
    "no-step",
    (tariff, evidence) => withComponent(tariff, without(component(evidence, "ENERGY", 0.5, 1), ["step_size"]))
  ],
  ["dimension", (tariff, evidence) => withComponent(tariff, component(evidence, "KWH", 0.5, 1))],
  ["no-tax", (tariff) => ("tax_included" in tariff ? without(tariff, ["tax_included"]) : undefined)]
]
const withComponent = (tariff: Json, one: Json): Json => ({
  ...tariff,
  elements: [{ price_components: [one] }]
})

/** The steps that put what is wrong in that version. */
export const wrongTariffSteps = (hasTaxIncluded: boolean): ReadonlyArray<string> =>
  wrong.flatMap(([name]) => (name === "no-tax" && !hasTaxIncluded ? [] : [`tariffs.wrong#${name}`]))

export const tariffWriteProbes: ReadonlyArray<Probe> = [
  {
    id: "tariffs.write",
    steps: [
      put("put", wrote.put),
      read("put"),
      put("put", wrote.replaced, "replace"),
      read("put", "read replaced")
    ]
  },
  {
    id: "tariffs.delete",
    steps: [
      put("delete", (evidence) => testTariff(evidence, "delete")),
      {
        id: "delete",
        act: (evidence) => ({ send: request(evidence, "DELETE", "delete"), undoes: "put" })
      },
      read("delete", "read deleted")
    ]
  },
  {
    id: "tariffs.unknown",
    steps: [{ id: "delete", act: (evidence) => ({ send: request(evidence, "DELETE", "unknown") }) }]
  },
  {
    id: "tariffs.patch",
    steps: [
      put("patch", (evidence) => testTariff(evidence, "patch")),
      {
        id: "patch",
        act: (evidence) => ({ send: request(evidence, "PATCH", "patch", { body: patchOf(evidence) }) })
      },
      read("patch", "read patched")
    ]
  },
  {
    id: "tariffs.wrong",
    steps: wrong.map(([name, spoil]) => ({
      id: name,
      act: (evidence) => {
        const body = spoil(testTariff(evidence, name), evidence)
        return body === undefined ? undefined : put(name, () => body, name).act(evidence)
      }
    }))
  },
  { id: "tariffs.rich", steps: [put("rich", wrote.rich), read("rich")] },
  { id: "tariffs.exact", steps: [put("exact", wrote.exact), read("exact")] }
]
