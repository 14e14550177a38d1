/**
 * What each fault changes on the wire, in every version and role that it names, and what it leaves alone. Faults that show
 * only in the course of a registration or of a run of checks are not in the table; test/conformance/ shows them.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { bothRoles, type Fault } from "../../../src/sandbox/faults/Fault.ts"
import { faultLibrary, faultsById } from "../../../src/sandbox/faults/faultLibrary.ts"
import { changes } from "../support/changes.ts"
import { changesOf } from "../support/difference.ts"
import { recordWire, type Wire } from "../support/wire.ts"

class Wires extends Context.Tag("test/Wires")<Wires, ReadonlyArray<Wire>>() {
  static readonly layer = Layer.effect(
    Wires,
    Effect.forEach(versionNumbers, (version) =>
      Effect.forEach(bothRoles, (role) => recordWire(version, role), { concurrency: 2 })
    ).pipe(Effect.map((wires) => wires.flat()))
  )
}

const wiresOf = (fault: Fault) =>
  Effect.map(Wires, (wires) =>
    wires.filter(({ role, version }) => fault.versions.includes(version) && fault.roles.includes(role))
  )

/** Of no module in particular: they act on all. */
const ofAllModules: ReadonlySet<string> = new Set(["transport", "paging", "credentials"])

/** What else does not happen when something has not happened. */
const consequences: Readonly<Record<string, ReadonlyArray<string>>> = {
  "commands.result-failed": ["sessions", "cdrs", "locations"],
  "commands.start-rejected": ["sessions", "cdrs", "locations"],
  "sessions.never-active": ["cdrs"],
  "sessions.never-completed": ["cdrs"],
  // What a CPO does with a card shows in the sessions that it tells of.
  "tokens.charges-card-numbers": ["sessions"],
  "tokens.offline-as-asked": ["sessions"],
  // Behind a hub every module is routed.
  "hubclientinfo.answers-itself": ["locations", "sessions", "cdrs", "tariffs", "tokens"],
  "hubclientinfo.broadcasts-refused": ["tokens", "locations", "sessions", "cdrs", "tariffs"],
  // A hub announces its list of parties.
  "hubclientinfo.status-unknown": ["versions"],
  "hubclientinfo.client-twice": ["versions"],
  "hubclientinfo.pages-uncounted": ["versions"],
  "hubclientinfo.dates-ignored": ["versions"]
}

describe("the fault library", () => {
  layer(Wires.layer, { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect.each(faultLibrary.filter(({ module }) => !ofAllModules.has(module)))(
      "leaves the other modules alone: $id",
      (fault) =>
        Effect.gen(function* () {
          const own = [fault.module, ...(consequences[fault.id] ?? [])]
          for (const wire of yield* wiresOf(fault))
            for (const { module } of changesOf(wire, fault.behaviour)) assert.include(own, module)
        })
    )

    it.effect.each(Object.entries(changes))(
      "shows wherever it is offered, and as one change: %s",
      ([id, expected]) =>
        Effect.gen(function* () {
          const fault = faultsById.get(id)!
          const seen = (yield* wiresOf(fault)).map((wire) => {
            const whats = changesOf(wire, fault.behaviour).map(({ what }) => what)
            assert.isNotEmpty(whats, `${wire.role} in ${wire.version}`)
            return whats
          })
          assert.deepStrictEqual([...new Set(seen.flat())].sort(), [...expected].sort())
        })
    )
  })
})
