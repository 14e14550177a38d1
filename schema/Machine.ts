/** A state machine as the API shows it: states, transitions, a layout to draw it, and counts of the caller's runs by state. */
import { Schema } from "effect"

/** The machines in `machines/` that the API shows; `handshake` is the registration of a connection. */
export const MachineId = Schema.Literal("journeyRun", "suiteRun", "handshake").annotations({
  identifier: "MachineId"
})
export type MachineId = typeof MachineId.Type

/** A state of a machine. */
export const MachineNode = Schema.Struct({
  /** The path of the state, e.g. `waiting.partner`. */
  id: Schema.String,
  /** Id of the parent state; null at the top. */
  parent: Schema.NullOr(Schema.String),
  initial: Schema.Boolean,
  final: Schema.Boolean,
  tags: Schema.Array(Schema.String)
})
export type MachineNode = typeof MachineNode.Type

/** A transition of a machine. */
export const MachineTransition = Schema.Struct({
  id: Schema.String,
  from: Schema.String,
  /** Equal to `from` where the event only changes the machine's context. */
  to: Schema.String,
  /** The type of the event; empty: an eventless transition. */
  event: Schema.String,
  /** Name of the guard; null: none. */
  guard: Schema.NullOr(Schema.String),
  /** For a recovery decision: its name for people; `description` says what it does. */
  label: Schema.optionalWith(Schema.String, { exact: true }),
  description: Schema.optionalWith(Schema.String, { exact: true })
})
export type MachineTransition = typeof MachineTransition.Type

/** A point of a drawing, in the units of its layout; y grows downwards. */
export const Point = Schema.Struct({ x: Schema.Number, y: Schema.Number })
export type Point = typeof Point.Type

/** Where to draw each state and transition; `width` and `height` bound the drawing. */
export const MachineLayout = Schema.Struct({
  width: Schema.Number,
  height: Schema.Number,
  /** `x`, `y`: the upper left corner. A parent state encloses its children. */
  nodes: Schema.Array(
    Schema.Struct({ id: Schema.String, ...Point.fields, width: Schema.Number, height: Schema.Number })
  ),
  /** One edge for each pair of states with transitions, drawn from border to border. */
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

/** The caller's open runs, or connections, in each state now; ended runs are not counted, and their states are absent. */
const counts = Schema.Record({ key: Schema.String, value: Schema.Int })

/** An entry of `GET /machines`; `counts` by id of a state without children. */
export const MachineSummary = Schema.Struct({
  id: MachineId,
  name: Schema.String,
  description: Schema.String,
  counts
}).annotations({ identifier: "MachineSummary" })
export type MachineSummary = typeof MachineSummary.Type

/** Answer to `GET /machines/{id}`. */
export const MachineView = Schema.Struct({
  ...MachineSummary.fields,
  states: Schema.Array(MachineNode),
  transitions: Schema.Array(MachineTransition),
  layout: MachineLayout
}).annotations({ identifier: "Machine" })
export type MachineView = typeof MachineView.Type
