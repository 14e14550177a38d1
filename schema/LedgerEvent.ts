/**
 * The events of a run's ledger, one struct per type. The run's machine takes the same events, so replay needs no mapping.
 * Types and keys are a public format: stored lines are never rewritten.
 */
import { Schema } from "effect"
import { Assertion, Attribution } from "./Assertion.ts"
import { Exchange } from "./Exchange.ts"
import { Actor } from "./Journey.ts"
import { Decision, RecoveryOption } from "./Recovery.ts"
import { ExpectedRequest } from "./WaitingFor.ts"

const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.optionalWith(schema, { exact: true })

/** Fields of every event. */
const line = {
  /** From 1, without gaps, per run. */
  sequence: Schema.Int,
  /** ISO 8601 UTC with milliseconds; never decreases within a run. */
  occurredAt: Schema.String,
  assertions: Schema.Array(Assertion),
  /** State value of the run's machine after this event. */
  machine: optional(Schema.Unknown)
}
/** `stageId` is absent on events of the run as a whole. */
const ofStageOrRun = { ...line, stageId: optional(Schema.String) }
const ofStage = { ...line, stageId: Schema.String }

/** The attempt at the stage, from 1; journeys count attempts, suites do not. */
const attempt = optional(Schema.Int)
/** A sentence for people. */
const reason = optional(Schema.String)

const RunCreated = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("run.created"),
  data: Schema.Struct({
    /** Stage ids of a journey or modules of a suite, in order; each is `pending` at first. */
    stages: Schema.Array(Schema.String),
    /**
     * Steps of the run, for `progress.of`; default: the number of stages. A conformance run gives its number of checks,
     * and each assertion counts as done; in a journey each stage that ended counts.
     */
    of: optional(Schema.Int),
    templateId: optional(Schema.String),
    /** The run's plan, which never changes; the same as in its facts. */
    plan: optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
    /** The other facts of the run by name, so that the hashes cover them; absent in runs of earlier releases. */
    facts: optional(Schema.Record({ key: Schema.String, value: Schema.NullOr(Schema.String) }))
  })
})

const RunStarted = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("run.started"),
  data: optional(
    Schema.Struct({
      /** Position in the partner's calls; later calls belong to this conformance run. */
      armedAt: optional(Schema.Number),
      /** The same for the second connection, where a suite uses one. */
      secondArmedAt: optional(Schema.Number)
    })
  )
})

/** The ids of an EVSE of the partner. */
const evse = { locationId: Schema.String, evseUid: Schema.String }

const StageStarted = Schema.Struct({
  ...ofStage,
  type: Schema.Literal("stage.started"),
  data: optional(
    Schema.Struct({
      attempt,
      /** The EVSE of the partner that the run has from here on; absent: the stage needs none, or none was free. */
      place: optional(Schema.Struct({ ...evse, connectorId: optional(Schema.String) })),
      /** EVSEs that other open runs of the connection had at that time. */
      claimed: optional(Schema.Array(Schema.Struct({ ...evse, runId: Schema.String })))
    })
  )
})

/**
 * Why an exchange was made: for the stage itself, to read back a write of unknown outcome, to clean up, to read what the
 * partner may have sent while we were down, or because a fault of a scenario repeats a request.
 */
export const Purpose = Schema.Literal("stage", "verification", "clean-up", "catch-up", "fault")
export type Purpose = typeof Purpose.Type

/** What a read at the partner showed about a write whose answer was lost. */
export const Trace = Schema.Literal("present", "absent", "undecided")
export type Trace = typeof Trace.Type

const exchangeMark = {
  purpose: optional(Purpose),
  attempt,
  /** In a journey stage that sends several requests: its number, from 0. In a suite: `probe#step`. */
  step: optional(Schema.Union(Schema.Int, Schema.String)),
  /** The part of a pack that it belongs to. */
  part: optional(Schema.String),
  /** The connection, where it is not the run's own. */
  connectionId: optional(Schema.String),
  /** In a suite: how to undo this request at the partner. */
  undo: optional(Schema.Unknown),
  /** In a suite: the `probe#step` that this request cleans up after. */
  undoes: optional(Schema.String)
}

/** Written before a request is sent. */
const ExchangeIntended = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("exchange.intended"),
  exchange: Exchange,
  data: optional(Schema.Struct(exchangeMark))
})

const ExchangeCompleted = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("exchange.completed"),
  exchange: Exchange,
  data: optional(
    Schema.Struct({
      ...exchangeMark,
      /** The answer was lost; this is what a read at the partner showed. */
      verified: optional(Trace),
      /** Ids of the exchanges of that read. */
      by: optional(Schema.Array(Schema.String))
    })
  )
})

/**
 * Why a call of the partner is not an ordinary part of the run. `late`: a wait for it has ended already. `duplicate`: the
 * partner sent the same before. `foreign`: it concerns something that does not belong to this run.
 */
const Relation = Schema.Literal("late", "duplicate", "foreign")

/** A call of the partner. */
const InboundReceived = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("inbound.received"),
  exchange: Exchange,
  data: optional(
    Schema.Struct({
      /** Its position in the calls of this partner. */
      position: optional(Schema.Number),
      /** It almost satisfied a wait: one sentence that says what did not fit. */
      nearMiss: optional(Schema.String),
      relation: optional(Relation),
      /** For a `late` call: the stage that had waited for it. */
      lateFor: optional(Schema.String),
      /** The connection, where it is not the run's own. */
      connectionId: optional(Schema.String)
    })
  )
})

const AssertionsRecorded = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("assertions.recorded")
})

/** The partner, an operator or the clock must act. Ends with `wait.satisfied` or `wait.expired`. */
const WaitStarted = Schema.Struct({
  ...ofStage,
  type: Schema.Literal("wait.started"),
  data: Schema.Struct({
    attempt,
    party: Actor,
    /** What has to happen, as one sentence with the party that has to do it as its subject. */
    instruction: Schema.String,
    /** ISO 8601 UTC. */
    deadline: Schema.String,
    /** A request that would satisfy the wait. */
    expects: optional(ExpectedRequest),
    /** One sentence for each earlier call that almost fits. */
    nearMisses: optional(Schema.Array(Schema.String)),
    /** When the wait began; ISO 8601 UTC. */
    since: optional(Schema.String),
    /** In a suite: `probe#step`. */
    step: optional(Schema.String),
    /** In a suite: what is awaited, where silence counts. */
    kind: optional(Schema.String),
    /** In a suite: why the wait is shorter than a partner may ask for. */
    shortBecause: optional(Schema.String)
  })
})

const waitEnd = {
  attempt,
  /** In a suite: `probe#step`. */
  step: optional(Schema.String),
  /** Id of the partner's call that ended the wait. */
  exchangeId: optional(Schema.String)
}

const WaitSatisfied = Schema.Struct({
  ...ofStage,
  type: Schema.Literal("wait.satisfied"),
  data: optional(Schema.Struct(waitEnd))
})

/** The deadline of a wait, or of a question to an operator, has passed. */
const WaitExpired = Schema.Struct({
  ...ofStage,
  type: Schema.Literal("wait.expired"),
  data: optional(
    Schema.Struct({
      ...waitEnd,
      nearMisses: optional(Schema.Array(Schema.String)),
      /** When we did not serve a call that may have been the awaited one; ISO 8601 UTC. */
      turnedAwayAt: optional(Schema.String)
    })
  )
})

/** An operator must answer. Ends with `checkpoint.answered` or `wait.expired`. */
const CheckpointRequested = Schema.Struct({
  ...ofStage,
  type: Schema.Literal("checkpoint.requested"),
  data: Schema.Struct({
    attempt,
    instruction: Schema.String,
    /** ISO 8601 UTC. */
    deadline: Schema.String,
    answers: Schema.Array(Schema.String),
    /** How to answer. */
    expects: optional(ExpectedRequest)
  })
})

const CheckpointAnswered = Schema.Struct({
  ...ofStage,
  type: Schema.Literal("checkpoint.answered"),
  data: Schema.Struct({
    attempt,
    /** One of `answers` of the request. */
    answer: Schema.String,
    note: optional(Schema.String)
  })
})

const StageCompleted = Schema.Struct({
  ...ofStage,
  type: Schema.Literal("stage.completed"),
  data: optional(Schema.Struct({ attempt }))
})

const StageFailed = Schema.Struct({
  ...ofStage,
  type: Schema.Literal("stage.failed"),
  data: optional(
    Schema.Struct({
      attempt,
      reason,
      /** Why later stages are skipped, where they are. */
      endsMainLine: optional(Schema.String),
      /** Whose act that is, where the assertions of the stage do not say it. */
      attribution: optional(Attribution)
    })
  )
})

const StageSkipped = Schema.Struct({
  ...ofStage,
  type: Schema.Literal("stage.skipped"),
  data: optional(Schema.Struct({ reason }))
})

const RunInterrupted = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("run.interrupted"),
  data: Schema.Struct({
    /** A sentence for people: a lost lease, a write whose outcome is unknown, a loss of storage. */
    reason: Schema.String,
    /** Ids of exchanges that were intended and never completed. */
    unknown: optional(Schema.Array(Schema.String))
  })
})

/** What a caller may decide about an interrupted run. */
const RecoveryOffered = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("recovery.offered"),
  data: Schema.Struct({
    version: Schema.Int,
    /** Recommended first. */
    options: Schema.Array(RecoveryOption)
  })
})

const RecoveryApplied = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("recovery.applied"),
  data: Schema.Struct({
    decision: Decision,
    /** The `recoveryVersion` of the offer that was decided upon. */
    version: Schema.Int,
    /** `restart_as_new`: the run that replaces this one. */
    successorRunId: optional(Schema.String)
  })
})

const RunResumed = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("run.resumed"),
  data: optional(
    Schema.Struct({
      /** The caller's decision; absent: the run was resumed without one. */
      decision: optional(Decision),
      reason
    })
  )
})

const CancelRequested = Schema.Struct({ ...ofStageOrRun, type: Schema.Literal("cancel.requested") })

/** Fields of the events that end a run; the verdict is final with them. */
const ending = {
  reason,
  /**
   * The run ended before its plan was done: without a failure the verdict is then `inconclusive`. Implied by
   * `run.cancelled` and `run.failed`.
   */
  cutShort: optional(Schema.Boolean),
  /** What the run may have left at the partner: the requests that would undo it, e.g. `DELETE tariffs NL/PLG/T1`. */
  leftBehind: optional(Schema.Array(Schema.String))
}

const RunCancelled = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("run.cancelled"),
  data: optional(
    Schema.Struct({
      ...ending,
      /** By `restart_as_new`: the run that replaces this one; null: it could not be started. */
      successorRunId: optional(Schema.NullOr(Schema.String))
    })
  )
})

const RunCompleted = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("run.completed"),
  data: optional(Schema.Struct(ending))
})

const RunFailed = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("run.failed"),
  data: optional(Schema.Struct(ending))
})

/** One event of a run, as stored, streamed and replayed. */
export const LedgerEvent = Schema.Union(
  RunCreated,
  RunStarted,
  StageStarted,
  ExchangeIntended,
  ExchangeCompleted,
  InboundReceived,
  AssertionsRecorded,
  WaitStarted,
  WaitSatisfied,
  WaitExpired,
  CheckpointRequested,
  CheckpointAnswered,
  StageCompleted,
  StageFailed,
  StageSkipped,
  RunInterrupted,
  RecoveryOffered,
  RecoveryApplied,
  RunResumed,
  CancelRequested,
  RunCancelled,
  RunCompleted,
  RunFailed
).annotations({ identifier: "LedgerEvent" })
export type LedgerEvent = typeof LedgerEvent.Type

/** Every event type. The list is closed in v1; clients should ignore types that they do not know. */
export const LedgerEventType = Schema.Literal(
  ...(LedgerEvent.members.map(({ fields }) => fields.type.literals[0]) as unknown as readonly [
    LedgerEvent["type"],
    ...Array<LedgerEvent["type"]>
  ])
).annotations({ identifier: "LedgerEventType" })
export type LedgerEventType = LedgerEvent["type"]

/** The event of that type. */
export type LedgerEventOf<Type extends LedgerEventType> = Extract<LedgerEvent, { readonly type: Type }>

type Unnumbered<Event> = Event extends LedgerEvent
  ? Omit<Event, "sequence" | "occurredAt" | "machine" | "assertions"> & {
      readonly assertions?: Event["assertions"]
    }
  : never

/** An event without its number and time: what a writer appends and a machine receives. */
export type UnnumberedEvent = Unnumbered<LedgerEvent>

/** An event with a request and its answer: ours, or the partner's. */
export type ExchangeEvent = LedgerEventOf<"exchange.intended" | "exchange.completed" | "inbound.received">

/** Narrows an event to one that carries an exchange. */
export const isExchangeEvent = (event: LedgerEvent): event is ExchangeEvent => "exchange" in event

/** The exchange of the event, or undefined. */
export const exchangeIn = (event: LedgerEvent): Exchange | undefined =>
  isExchangeEvent(event) ? event.exchange : undefined

/** Narrows an event to one of these types. */
export const isEventOf =
  <Type extends LedgerEventType>(...types: ReadonlyArray<Type>) =>
  (event: LedgerEvent): event is LedgerEventOf<Type> =>
    (types as ReadonlyArray<LedgerEventType>).includes(event.type)

/** The types that end a run; no event follows them. */
export const terminalTypes = ["run.completed", "run.cancelled", "run.failed"] as const

/** Narrows an event to one that ends its run. */
export const isEnding = isEventOf(...terminalTypes)
