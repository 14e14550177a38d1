/**
 * A charging session of a simulated charge point, from its start to its CDR. States, events and invariants: SPEC.md,
 * section simulatedCharge.
 */
import { setup, transition } from "xstate"

/**
 * `update.due`: the next regular update is due. `stop.requested`: the driver or the EMSP has requested the end;
 * `stop.due`: the update that ends the session is next. `limit.reached`: the session has its maximum duration.
 * `evse.freed`: the EVSE is AVAILABLE again, and the partner was sent that. `cdr.sent`: the CDR went out.
 */
export type SimulatedChargeEventType =
  | "update.due"
  | "stop.requested"
  | "stop.due"
  | "limit.reached"
  | "evse.freed"
  | "cdr.sent"

/** An event of a simulated charge; it carries nothing but its type. */
interface SimulatedChargeEvent {
  readonly type: SimulatedChargeEventType
}

/** The states of a simulated charge; `charging` and `stopping` are active, `settled` is final. */
export type SimulatedChargeState = "charging" | "stopping" | "completed" | "billing" | "settled"

/** The machine of a simulated charge. */
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
        // Regular updates that were due before the stop are still sent.
        "update.due": "stopping",
        // A repeated request to stop changes nothing.
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
