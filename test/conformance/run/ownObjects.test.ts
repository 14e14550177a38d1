/** Scripts run beside each other, and clean up after themselves: what one of them writes is nobody else's. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isEventOf, type LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { bothRoles } from "../../../src/sandbox/faults/Fault.ts"
import { gradedQuickly } from "../../support/parties/quickWorld.ts"

/** The objects that more than one script has written, each with these scripts. */
const sharedIn = (events: ReadonlyArray<LedgerEvent>): ReadonlyArray<string> => {
  const writers = new Map<string, Set<string>>()
  for (const { data, exchange } of events.filter(isEventOf("exchange.intended"))) {
    const { method, url } = exchange.request
    const [script] = `${data?.step ?? ""}`.split("#")
    const { pathname } = new URL(url)
    if (script === undefined || script === "" || !["PUT", "PATCH"].includes(method)) continue
    // Case is no part of an id since 2.2.
    const place = pathname.toLowerCase().match(/.*\/tst-[^/]*/)?.[0]
    if (place !== undefined) writers.set(place, (writers.get(place) ?? new Set()).add(script))
  }
  return [...writers].flatMap(([place, scripts]) =>
    scripts.size > 1 ? [`${place.split("/").slice(-4).join("/")}: ${[...scripts].join(", ")}`] : []
  )
}

describe("a full suite", () => {
  it.live.each(
    bothRoles.flatMap((role) => [{ role, version: "2.1.1" } as const, { role, version: "2.3.0" } as const])
  )(
    "writes no object from two scripts, at a $role in $version",
    ({ role, version }) =>
      Effect.map(gradedQuickly({ role, version, speed: 1 }), ({ events }) =>
        assert.deepStrictEqual(sharedIn(events), [])
      ),
    300_000
  )
})
