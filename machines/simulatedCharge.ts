/**
 * A charging session of a simulated charge point, from its begin to its CDR. States, events and invariants: SPEC.md,
 * section simulatedCharge.
 */
import { setup, transition } from "xstate"

/**
 * `update.due`: the time of the next regular update has come. `stop.requested`: the driver or the EMSP wants the end;
 * `stop.due`: the update that ends the session is next. `limit.reached`: the longest simulated session is over.
 * `evse.freed`: the EVSE is AVAILABLE again, and the partner was sent that. `cdr.sent`: the CDR went out.
 */
export type SimulatedChargeEventType =
  | "update.due"
  | "stop.requested"
  | "stop.due"
  | "limit.reached"
  | "evse.freed"
  | "cdr.sent"

export interface SimulatedChargeEvent {
  readonly type: SimulatedChargeEventType
}

export type SimulatedChargeState = "charging" | "stopping" | "completed" | "billing" | "settled"

export const simulatedCharge = setup({
  types: {
    // XState takes its types as values.
    events: {} as SimulatedChargeEvent,
    tags: {} as "active" | "terminal"
  }
}).createMachine({
  id: "simulatedCharge",
  initial: "charging",
  states: {
    charging: {
      tags: "active",
      on: {
        "update.due": "charging",
        "stop.requested": "stopping",
        "limit.reached": "completed"
      }
    },
    stopping: {
      tags: "active",
      on: {
        // Regular updates that were due before the stop are made up for.
        "update.due": "stopping",
        // The first request counts.
        "stop.requested": "stopping",
        "stop.due": "completed",
        "limit.reached": "completed"
      }
    },
    completed: { on: { "evse.freed": "billing" } },
    billing: { on: { "cdr.sent": "settled" } },
    settled: { tags: "terminal" }
  }
})

/** The state that the event leads to; undefined where the state does not take it. */
export const simulatedChargeAfter = (
  state: SimulatedChargeState,
  type: SimulatedChargeEventType
): SimulatedChargeState | undefined => {
  const before = simulatedCharge.resolveState({ value: state })
  return before.can({ type }) ? transition(simulatedCharge, before, { type })[0].value : undefined
}
