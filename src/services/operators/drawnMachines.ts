/** The state machines as operators see them, each with its layout. Pure. */
import type { AnyStateMachine } from "xstate"
import { handshake } from "../../../machines/handshake.ts"
import { journeyRun } from "../../../machines/journeyRun.ts"
import { suiteRun } from "../../../machines/suiteRun.ts"
import type { MachineId, MachineView } from "../../../schema/Machine.ts"
import { graphOf } from "./machineGraph.ts"
import { layoutOf } from "./machineLayout.ts"

/** A machine without the counts of anybody's runs. */
export type DrawnMachine = Omit<MachineView, "counts">

/**
 * All machines. They are drawn when this is called first: `.ci/build.mjs` calls it, and the bundle has what it answers in place of
 * this module.
 */
export const drawnMachines = (): ReadonlyArray<DrawnMachine> => {
  drawn ??= [
    draw("journeyRun", "Journey run", journeyRun, "One journey: its stages, waits, interruptions and end."),
    draw("suiteRun", "Conformance run", suiteRun, "One conformance run: its stages and its end."),
    draw("handshake", "Registration", handshake, "One connection's registration, as our side sees it.")
  ]
  return drawn
}
let drawn: ReadonlyArray<DrawnMachine> | undefined

function draw(id: MachineId, name: string, machine: AnyStateMachine, description: string): DrawnMachine {
  const graph = graphOf(machine)
  return { id, name, description, ...graph, layout: layoutOf(graph) }
}
