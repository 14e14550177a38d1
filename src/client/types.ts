/** Types of the operations, derived from the generated contract: what goes in, and what comes out of the envelope. */
import type { operations } from "./contract.ts"
import type { operationTable } from "./operations.ts"

/** Ids of the operations below `/api/v1`, e.g. `testing.startRun`. */
export type OperationId = keyof typeof operationTable

type Json<Content> = Content extends { readonly "application/json": infer Body } ? Body : never
type Good<Responses> = Responses[keyof Responses & (200 | 201 | 202)]
type Body<Answer> = Answer extends { readonly content: infer Content } ? Content : never

/** `data` of the operation's envelope; for an operation that answers a document, its text. */
export type Data<Id extends OperationId> =
  Json<Body<Good<operations[Id]["responses"]>>> extends { readonly success: true; readonly data: infer D }
    ? D
    : string

type Part<Name extends string, Value> = [Value] extends [never]
  ? object
  : Partial<Value> extends Value
    ? { readonly [name in Name]?: Value }
    : { readonly [name in Name]: Value }

type Parameters<Id extends OperationId, Place extends "path" | "query"> = Exclude<
  operations[Id]["parameters"][Place & keyof operations[Id]["parameters"]],
  undefined
>
type RequestBody<Id extends OperationId> =
  Exclude<operations[Id]["requestBody" & keyof operations[Id]], undefined> extends {
    readonly content: infer Content
  }
    ? Json<Content>
    : never

/** What an operation takes: `path` and `query` with its parameters, and `body`. */
export type Input<Id extends OperationId> = Part<"path", Parameters<Id, "path">> &
  Part<"query", Parameters<Id, "query">> &
  Part<"body", RequestBody<Id>>

/** How one request is sent. */
export interface RequestOptions {
  /** Ends the request, its repetitions, or the following of a run. */
  readonly signal?: AbortSignal
  /** Sent with a POST in place of a random key: the same key has the same result, within 24 hours. */
  readonly idempotencyKey?: string
}

/** An operation as a function. Fails with `PlugfestError`. */
export type Operation<Id extends OperationId> =
  Partial<Input<Id>> extends Input<Id>
    ? (input?: Input<Id>, options?: RequestOptions) => Promise<Data<Id>>
    : (input: Input<Id>, options?: RequestOptions) => Promise<Data<Id>>

type GroupOf<Id> = Id extends `${infer Group}.${string}` ? Group : never

/** All operations by group and name, as the contract names them: `testing.startRun` is `client.testing.startRun`. */
export type Operations = {
  readonly [Group in GroupOf<OperationId>]: {
    readonly [Id in OperationId as Id extends `${Group}.${infer Name}` ? Name : never]: Operation<Id>
  }
}

/** The state of a run, with its verdict once it has one. */
export type RunReport = Data<"testing.run">

/** A graded check of a run. */
export type Assertion = Data<"testing.checks">[number]

/** A line of a run's ledger; `sequence` counts from 1 without a gap. */
export type LedgerEvent = Data<"journeyRuns.events">[number]

/** Where to begin, and when to end before the run does. */
export interface FollowOptions {
  /** Sequence number of the last event that is known already; default 0. */
  readonly after?: number
  readonly signal?: AbortSignal
  /** Told when the stream is open, and each time that it is lost and will be resumed. */
  readonly onStream?: (state: "open" | "lost") => void
}

/** The operations by group, e.g. `client.testing.startRun({ body })`, and what goes over several requests. */
export interface PlugfestClient extends Operations {
  /** The events of a run, each once and in order, until its end; over dropped connections. */
  readonly followRun: (runId: string, options?: FollowOptions) => AsyncGenerator<LedgerEvent, void, void>
  /** The report of a run once it has a verdict, or is over without one. `id`: of the run or of its report. */
  readonly endOfRun: (id: string, options?: Pick<RequestOptions, "signal">) => Promise<RunReport>
}
