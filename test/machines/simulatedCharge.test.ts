import { assert, describe, it } from "vitest"
import {
  type SimulatedChargeEventType,
  type SimulatedChargeState,
  simulatedCharge,
  simulatedChargeAfter
} from "../../machines/simulatedCharge.ts"

const none: Record<SimulatedChargeState, SimulatedChargeState | undefined> = {
  charging: undefined,
  stopping: undefined,
  completed: undefined,
  billing: undefined,
  settled: undefined
}

/** A new event, or a new state, does not compile until it has its place here. */
const table: Record<
  SimulatedChargeEventType,
  Record<SimulatedChargeState, SimulatedChargeState | undefined>
> = {
  "update.due": { ...none, charging: "charging", stopping: "stopping" },
  "stop.requested": { ...none, charging: "stopping", stopping: "stopping" },
  "stop.due": { ...none, stopping: "completed" },
  "limit.reached": { ...none, charging: "completed", stopping: "completed" },
  "evse.freed": { ...none, completed: "billing" },
  "cdr.sent": { ...none, billing: "settled" }
}

const states = Object.keys(none) as ReadonlyArray<SimulatedChargeState>
const events = Object.keys(table) as ReadonlyArray<SimulatedChargeEventType>

describe("simulatedCharge", () => {
  for (const type of events) {
    it(`takes ${type} where the table says, and nowhere else`, () => {
      const found = Object.fromEntries(states.map((from) => [from, simulatedChargeAfter(from, type)]))
      assert.deepStrictEqual(found, table[type])
    })
  }

  it("sends one CDR, after the end, and is over then", () => {
    const takers = states.filter((state) => simulatedChargeAfter(state, "cdr.sent") !== undefined)
    assert.deepStrictEqual(takers, ["billing"])
    assert.isTrue(simulatedCharge.resolveState({ value: "settled" }).hasTag("terminal"))
    assert.deepStrictEqual(
      events.filter((type) => simulatedChargeAfter("settled", type) !== undefined),
      []
    )
  })
})
