/**
 * A state machine as the API shows it: states, transitions, a layout to draw it, and counts of the caller's runs by state. And
 * the processes of the service: which of them works on which run.
 */
import { Schema } from "effect"
import { RunId } from "./Ids.ts"
import { RunKind } from "./RunReport.ts"

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

/** A process of the service on this database. One that ended in order is not listed; one that was lost is, for a day. */
export const ServiceProcess = Schema.Struct({
  /** Made when the process starts. */
  _id: Schema.String,
  startedAt: Schema.String,
  /** Whether it has said within the term of a lease that it is alive, by the database's clock. */
  alive: Schema.Boolean,
  /** When it counts as lost, unless it says before that it is alive; in the past: since when it does. */
  aliveUntil: Schema.String,
  /**
   * By how many milliseconds its event loop was late at most, between the last two times that it said it is alive (a third of a
   * lease apart); measured four times a second. Absent of a process of an earlier release.
   */
  lagMs: Schema.optionalWith(Schema.Int, { exact: true }),
  /** How many of the caller's open runs it holds a lease of. */
  runs: Schema.Int
}).annotations({ identifier: "ServiceProcess" })
export type ServiceProcess = typeof ServiceProcess.Type

/** Who works on an open run. */
export const RunLease = Schema.Struct({
  runId: RunId,
  kind: RunKind,
  /** Grows with each claim, and fences off whoever worked on the run before. */
  epoch: Schema.Int,
  /** The process that claimed it last; null: it gave the run back. */
  processId: Schema.NullOr(Schema.String),
  /** Whether the lease is valid, by the database's clock. False with a process: it was lost. */
  valid: Schema.Boolean,
  /** Until when the lease is valid unless its process says before that it is alive; without a process, when it was given back. */
  until: Schema.String
}).annotations({ identifier: "RunLease" })
export type RunLease = typeof RunLease.Type
