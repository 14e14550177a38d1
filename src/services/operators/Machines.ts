/** The state machines for operators: states, transitions, layout, and counts of the caller's runs or connections by state. */
import { Clock, Context, Effect, Layer, Option } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import { NotFound, type Unavailable } from "../../../schema/Errors.ts"
import { PartyId } from "../../../schema/Ids.ts"
import type { MachineSummary, MachineView } from "../../../schema/Machine.ts"
import { isTerminal, type RunKind, RunStatus } from "../../../schema/RunReport.ts"
import { Ledger } from "../../ledger/Ledger.ts"
import { registrationOf } from "../../party/wire/registrationNow.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { ConnectionStore } from "../../store/rows/ConnectionStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { orUnavailable } from "../requests/unavailable.ts"
import { allPages } from "./allPages.ts"
import { type DrawnMachine, drawnMachines } from "./drawnMachines.ts"
import { pathOfValue } from "./machineGraph.ts"

/** Lists and reads the machines with live counts. */
export class Machines extends Context.Tag("services/Machines")<
  Machines,
  {
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<MachineSummary>, Unavailable>
    readonly read: (caller: Caller, id: string) => Effect.Effect<MachineView, NotFound | Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Machines,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const connections = yield* ConnectionStore
      const parties = yield* PartyStore

      /** The machine states of the caller's open runs of that kind. */
      const statesOfRuns = (caller: Caller, kind: RunKind) =>
        Effect.map(
          Effect.forEach(
            RunStatus.literals.filter((status) => !isTerminal(status)),
            (status) =>
              allPages(
                (page) => ledger.list({ ownerId: caller.ownerId, kind, status, ...page }).pipe(orUnavailable),
                ({ facts }) => facts.runId
              )
          ),
          (rows) => rows.flat().map(({ snapshot }) => pathOfValue(snapshot.view.machine.value))
        )

      /** The registration states of all connections of the caller. */
      const statesOfConnections = Effect.fnUntraced(function* (caller: Caller) {
        const rows = yield* allPages(
          (page) => connections.list({ ownerId: caller.ownerId, ...page }),
          ({ id }) => id
        )
        const now = yield* Clock.currentTimeMillis
        const states: Array<string> = []
        for (const { id } of rows) {
          const party = yield* parties.find(PartyId.make(id))
          if (Option.isNone(party)) continue
          states.push(registrationOf(party.value, now).state)
        }
        return states
      })

      const counted = Effect.fnUntraced(function* (caller: Caller, machine: DrawnMachine) {
        const states =
          machine.id === "handshake"
            ? yield* statesOfConnections(caller)
            : yield* statesOfRuns(caller, machine.id === "journeyRun" ? "journey" : "conformance")
        const isLeaf = ({ id }: { readonly id: string }) =>
          !machine.states.some(({ parent }) => parent === id)
        // Only open runs are counted: a count for an ended state would say 0 for ever.
        const isCounted = ({ final }: { readonly final: boolean }) => machine.id === "handshake" || !final
        const leaves = machine.states.filter((one) => isLeaf(one) && isCounted(one)).map(({ id }) => id)
        const counts = leaves.map((id) => [id, states.filter((state) => state === id).length] as const)
        return { ...machine, counts: Object.fromEntries(counts) }
      })

      const list = traced("Machines.list")(function* (caller: Caller) {
        const all = yield* Effect.forEach(drawnMachines(), (machine) => counted(caller, machine))
        return all.map(({ counts, description, id, name }) => ({ id, name, description, counts }))
      })

      const read = traced("Machines.read")(function* (caller: Caller, id: string) {
        const machine = drawnMachines().find((known) => known.id === id)
        if (machine === undefined) {
          return yield* new NotFound({ message: "There is no such machine; GET /machines lists them" })
        }
        return yield* counted(caller, machine)
      })

      return Machines.of({ list, read })
    })
  )
}
