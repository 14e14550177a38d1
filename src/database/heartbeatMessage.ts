/** What Heartbeats.ts and its thread say to each other. */
import type pg from "pg"

/** A statement that is run again and again. Its last parameter is the JSON array of the items that were put. */
export interface BeatStatement {
  readonly text: string
  readonly values: ReadonlyArray<string | number>
}

export type HeartbeatMessage =
  | { readonly type: "start"; readonly beat: string; readonly statement: BeatStatement }
  | { readonly type: "put"; readonly beat: string; readonly key: string; readonly item: unknown }
  | { readonly type: "remove"; readonly beat: string; readonly key: string }
  /** Answered by `stopped`, after which the statement is not running and does not run again. */
  | { readonly type: "stop"; readonly beat: string }
  | { readonly type: "end" }

export type HeartbeatReply =
  | { readonly type: "stopped"; readonly beat: string }
  /** A round of statements failed, after one that did not. It is tried again. */
  | { readonly type: "failed"; readonly message: string }

export interface HeartbeatThreadData {
  readonly connection: pg.ClientConfig
  readonly everyMillis: number
  /** How long the main thread may stand still before its beats end. */
  readonly standstillMillis: number
  /** Two BigInt64: nanoseconds of `process.hrtime` at the main thread's last sign of life, and of the last beat. */
  readonly shared: SharedArrayBuffer
}

/** Positions in `shared`. */
export const mainAlive = 0
export const lastBeat = 1
