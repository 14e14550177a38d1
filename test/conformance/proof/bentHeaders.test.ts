/**
 * One header of what a stranger sends and answers is bent, each in turn and in several ways, in all exchanges of the kind. What the text
 * asks of the header is told by a check of the suite, and by one alone; what it leaves free is told by none.
 */
import { assert, describe, it } from "vitest"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { type Gathered, isWithheld, type Observation } from "../../../src/conformance/model/Evidence.ts"
import { type StrangerRole, strangerRoles, strangerVersions } from "../../strangers/partner/Freedoms.ts"
import { isPlayed, isSampled } from "../../support/sampled.ts"
import { playedRun } from "./support/playedRun.ts"

/** The ways, by what becomes of the value; undefined: the header is left out. */
const bends: Readonly<Record<string, (value: string) => string | undefined>> = {
  "left out": () => undefined,
  empty: () => "",
  "another word": () => "BANANA",
  twice: (value) => `${value}, ${value}`
}

const routing = /^ocpi-(from|to)-/
const messageIds = /^x-(request|correlation)-id$/
/** The headers of which the text says something; a wrong token is refused before anything else is looked at. */
const ruled = /^(content-type|link|location|x-(total-count|limit))$/

/**
 * Is a header that looks so against the text (transport_and_format; mod_cdrs, POST Method)? By this file's own reading. `either`: that
 * depends on other messages.
 */
function isFlaw({ direction, request, response }: Exchange, name: string, way: string): boolean | "either" {
  const isAnswer = direction === "outbound"
  if (routing.test(name)) return !isAnswer || response?.ocpiStatusCode === 1000
  if (messageIds.test(name)) {
    if (isAnswer) return true
    // Ids of calls are chosen freely, another one for each request; calls that belong together share a correlation id.
    return way === "another word" ? "either" : way !== "twice"
  }
  if (name === "content-type" || name === "link") return way !== "twice"
  if (name === "location") return isAnswer && request.method === "POST" && way !== "twice"
  return true
}

/** Answers of which the checks of all answers do not speak. */
const leftAside: ReadonlyArray<(exchange: Exchange) => boolean> = [
  // What answers an unknown path with HTTP 200 is the router in front of OCPI.
  ({ direction, response }) => direction === "outbound" && response?.ocpiStatusCode === 2000,
  // These are posted while the run listens, when the answers of the others have been gathered.
  ({ direction, module, operation, request }) =>
    direction === "outbound" &&
    (operation.startsWith("POST result") ||
      (module === "chargingprofiles" && request.method === "PUT" && /active/.test(operation)))
]

const sent = (one: Observation): Readonly<Record<string, string>> =>
  (one.exchange.direction === "inbound" ? one.exchange.request : one.exchange.response)?.headers ?? {}

/** The exchange as it would be with that header. */
function withHeader(
  one: Observation,
  name: string,
  bend: (value: string) => string | undefined
): Observation {
  const { exchange } = one
  const { [name]: value, ...others } = sent(one)
  if (value === undefined) return one
  const bent = bend(value)
  const headers = bent === undefined ? others : { ...others, [name]: bent }
  const { request, response } = exchange
  return {
    ...one,
    exchange:
      exchange.direction === "inbound"
        ? { ...exchange, request: { ...request, headers } }
        : { ...exchange, response: response === null ? null : { ...response, headers } }
  }
}

/** What the run gathered, by direction, method, operation and HTTP status. */
function kindsIn(
  results: ReadonlyMap<string, Gathered>
): ReadonlyMap<string, ReadonlyMap<string, Observation>> {
  const kinds = new Map<string, Map<string, Observation>>()
  for (const gathered of results.values())
    for (const one of isWithheld(gathered) ? [] : gathered.seen) {
      const { direction, id, module, operation, request, response } = one.exchange
      const [act = ""] = operation.split(", ")
      const name = `${direction} ${request.method} ${module}: ${act}, ${response?.httpStatus} ${response?.ocpiStatusCode}`
      const kind = kinds.get(name) ?? new Map<string, Observation>()
      kinds.set(name, kind.set(id, one))
    }
  return kinds
}

const played = strangerVersions
  .flatMap((version) => strangerRoles.map((role) => ({ version, role })))
  .filter((_, index, { length }) => isPlayed(index, length))

/** Where only a part is played, one of so many bends. */
const bendsAPart = 12

describe("one bent header of what a partner sends and answers", () => {
  it.each(played)(
    "is told by one check: $role in $version",
    { timeout: 1_800_000 },
    async ({ role, version }) => {
      const { bent, found } = await told(role, version)
      assert.isAbove(bent, 50)
      assert.deepStrictEqual(found, [], found.join("\n"))
    }
  )
})

/** How many bends were tried, and which of them nobody tells, or more than one check. */
async function told(role: StrangerRole, version: OcpiVersion) {
  const { judging, results } = await playedRun(role, version, {
    parties: 2,
    bareRouting: false,
    pushes: "put"
  })
  const found: Array<string> = []
  let bent = 0
  for (const [kind, seen] of kindsIn(results)) {
    const all = [...seen.values()]
    if (all.every(({ exchange }) => leftAside.some((fits) => fits(exchange)))) continue
    const off = judging(seen)
    const before = off((one) => one)
    const names = [...new Set(all.flatMap((one) => Object.keys(sent(one))))]
    for (const name of names.filter((one) => [routing, messageIds, ruled].some((rule) => rule.test(one))))
      for (const [way, bend] of Object.entries(bends)) {
        bent += 1
        if (isSampled && !isPlayed(bent, bendsAPart)) continue
        const now = off((one) => withHeader(one, name, bend))
        const tellers = [...now.keys()].filter((id) => before.get(id) !== now.get(id))
        const wrong = isFlaw(all.find((one) => name in sent(one))!.exchange, name, way)
        const [fewest, most] = wrong === "either" ? [0, 1] : wrong ? [1, 1] : [0, 0]
        if (tellers.length < fewest || tellers.length > most)
          found.push(
            `${kind}: ${name} ${way}: ${tellers.map((id) => `${id} (${now.get(id)})`).join(" ") || "nobody tells it"}`
          )
      }
  }
  return { bent, found }
}
