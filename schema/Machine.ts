/** A state machine as operators see it: what it is made of, how to draw it, and how many of theirs are in each state. */
import { Schema } from "effect"

export const MachineId = Schema.Literal("journeyRun", "suiteRun", "handshake").annotations({
  identifier: "MachineId"
})
export type MachineId = typeof MachineId.Type

export const MachineNode = Schema.Struct({
  /** The path of the state, e.g. `waiting.partner`. */
  id: Schema.String,
  /** The state that it lies within. */
  parent: Schema.NullOr(Schema.String),
  initial: Schema.Boolean,
  final: Schema.Boolean,
  tags: Schema.Array(Schema.String)
})
export type MachineNode = typeof MachineNode.Type

export const MachineTransition = Schema.Struct({
  id: Schema.String,
  from: Schema.String,
  /** The state itself where the event only changes what the machine knows. */
  to: Schema.String,
  /** The type of the event; empty: taken at once. */
  event: Schema.String,
  /** Names the condition under which it is taken; null: always. */
  guard: Schema.NullOr(Schema.String),
  /** Of a decision: what it is called, and what it means. */
  label: Schema.optionalWith(Schema.String, { exact: true }),
  description: Schema.optionalWith(Schema.String, { exact: true })
})
export type MachineTransition = typeof MachineTransition.Type

/** Of a drawing, in its own units; y grows downwards. */
export const Point = Schema.Struct({ x: Schema.Number, y: Schema.Number })
export type Point = typeof Point.Type

export const MachineLayout = Schema.Struct({
  width: Schema.Number,
  height: Schema.Number,
  /** `x`, `y`: the upper left corner. A state with states within encloses them. */
  nodes: Schema.Array(
    Schema.Struct({ id: Schema.String, ...Point.fields, width: Schema.Number, height: Schema.Number })
  ),
  /** One for each pair of states with transitions between them, from border to border. */
  edges: Schema.Array(
    Schema.Struct({
      from: Schema.String,
      to: Schema.String,
      transitions: Schema.Array(Schema.String),
      points: Schema.Array(Point)
    })
  )
})
export type MachineLayout = typeof MachineLayout.Type

/** How many of the caller's are in each state now: open runs, or connections. */
const counts = Schema.Record({ key: Schema.String, value: Schema.Int })

export const MachineSummary = Schema.Struct({
  id: MachineId,
  name: Schema.String,
  description: Schema.String,
  counts
}).annotations({ identifier: "MachineSummary" })
export type MachineSummary = typeof MachineSummary.Type

export const MachineView = Schema.Struct({
  ...MachineSummary.fields,
  states: Schema.Array(MachineNode),
  transitions: Schema.Array(MachineTransition),
  layout: MachineLayout
}).annotations({ identifier: "Machine" })
export type MachineView = typeof MachineView.Type
