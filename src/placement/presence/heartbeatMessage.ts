/** Messages between Heartbeats.ts and its thread. */
import type pg from "pg"

/**
 * A statement that is run again and again. Its last parameter, beside its values, is how late the event loop was at most since the
 * last round, in whole milliseconds.
 */
export interface BeatStatement {
  readonly text: string
  readonly values: ReadonlyArray<string | number>
}

/** From the main thread to the heartbeat thread. `beat` names a statement. */
export type HeartbeatMessage =
  | { readonly type: "start"; readonly beat: string; readonly statement: BeatStatement }
  /** Answered by `stopped`, once the statement is not running and will not run again. */
  | { readonly type: "stop"; readonly beat: string }
  | { readonly type: "end" }

/** From the heartbeat thread to the main thread. */
export type HeartbeatReply =
  | { readonly type: "stopped"; readonly beat: string }
  /** A round of statements failed, after one that succeeded. It is retried. */
  | { readonly type: "failed"; readonly message: string }

/** The `workerData` of the heartbeat thread. */
export interface HeartbeatThreadData {
  readonly connection: pg.ClientConfig
  readonly everyMillis: number
  /** How long the main thread may be blocked before its statements stop. */
  readonly standstillMillis: number
  /** Three BigInt64 values, at the positions `mainAlive`, `lastBeat` and `mostLate`. */
  readonly shared: SharedArrayBuffer
}

/** Position in `shared`: `process.hrtime` when the main thread's event loop last turned, in nanoseconds. */
export const mainAlive = 0
/** Position in `shared`: `process.hrtime` when the last successful round of statements began, in nanoseconds. */
export const lastBeat = 1
/** Position in `shared`: how late the event loop was at most since the thread last took it, in nanoseconds. */
export const mostLate = 2

/** How often the main thread notes that its event loop turns. */
export const aliveMillis = 250

/** How late the event loop is when that many nanoseconds have passed since it last turned. */
export const lateness = (since: bigint): bigint => {
  const late = since - BigInt(aliveMillis) * 1_000_000n
  return late > 0n ? late : 0n
}
