/**
 * A line of a run's ledger: one struct for each type, with what it says. A ledger event type is also the machine's event
 * type: replay needs no mapping. Types and keys are a public format: lines that were written stay as they are.
 */
import { Schema } from "effect"
import { Assertion } from "./Assertion.ts"
import { Exchange } from "./Exchange.ts"
import { Actor } from "./Journey.ts"
import { ExpectedRequest } from "./JourneyRun.ts"
import { Decision, RecoveryOption } from "./Recovery.ts"

const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.optionalWith(schema, { exact: true })

/** What every line has. */
const line = {
  /** From 1, without gaps, per run. */
  sequence: Schema.Int,
  /** ISO 8601 UTC with milliseconds; never decreases within a run. */
  occurredAt: Schema.String,
  assertions: Schema.Array(Assertion),
  /** State value of the run's machine after this event. */
  machine: optional(Schema.Unknown)
}
/** Absent on events of the run as a whole. */
const ofStageOrRun = { ...line, stageId: optional(Schema.String) }
const ofStage = { ...line, stageId: Schema.String }

/** Which try of a stage it belongs to, from 1. Journeys count them, suites do not. */
const attempt = optional(Schema.Int)
/** In words, for people. */
const reason = optional(Schema.String)

const RunCreated = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("run.created"),
  data: Schema.Struct({
    /** Stage ids of a journey or modules of a suite, in order: each begins as `pending`. */
    stages: Schema.Array(Schema.String),
    /**
     * Steps of the run, for `progress.of`; default: the number of stages. A conformance run gives its number of checks
     * and counts assertions as done; a journey counts stages that ended.
     */
    of: optional(Schema.Int),
    templateId: optional(Schema.String),
    /** The run's constant plan, as its facts have it. */
    plan: optional(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
  })
})

const RunStarted = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("run.started"),
  data: optional(
    Schema.Struct({
      /** Position in the partner's calls from which on they belong to a conformance run. */
      armedAt: optional(Schema.Number),
      /** The same of the second connection, where a suite uses one. */
      secondArmedAt: optional(Schema.Number)
    })
  )
})

const StageStarted = Schema.Struct({
  ...ofStage,
  type: Schema.Literal("stage.started"),
  data: optional(Schema.Struct({ attempt }))
})

/**
 * Why an exchange was made: for the stage itself, to read back an unknown write, to tidy up, to read what the partner may
 * have sent while we were away, or because a scenario wants a request sent once more.
 */
export const Purpose = Schema.Literal("stage", "verification", "clean-up", "catch-up", "fault")
export type Purpose = typeof Purpose.Type

/** What a read at the partner says about a write whose answer was lost. */
export const Trace = Schema.Literal("present", "absent", "undecided")
export type Trace = typeof Trace.Type

const exchangeMark = {
  purpose: optional(Purpose),
  attempt,
  /** Of a stage that sends several requests: which one, from 0. Of a suite's script: `probe#step`. */
  step: optional(Schema.Union(Schema.Int, Schema.String)),
  /** The part of a pack that it belongs to. */
  part: optional(Schema.String),
  /** Another connection than the run's. */
  connectionId: optional(Schema.String),
  /** Of a suite's script: how the partner is brought back to neutral. */
  undo: optional(Schema.Unknown),
  /** Of a suite's script: `probe#step` that this request cleans up after. */
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
      /** The answer was lost, and this is what a read at the partner said. */
      verified: optional(Trace),
      /** Ids of the exchanges that read it. */
      by: optional(Schema.Array(Schema.String))
    })
  )
})

/**
 * How a call stands to the run, where it is not simply a part of it. `late`: what it brings was awaited, and is no longer.
 * `duplicate`: the same was sent before. `foreign`: it is about something that this run has nothing to do with.
 */
export const Relation = Schema.Literal("late", "duplicate", "foreign")
export type Relation = typeof Relation.Type

/** A call of the partner. */
const InboundReceived = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("inbound.received"),
  exchange: Exchange,
  data: optional(
    Schema.Struct({
      /** In the calls of this partner. */
      position: optional(Schema.Number),
      /** It came while the run waited and almost fit: what was off, in one sentence. */
      nearMiss: optional(Schema.String),
      relation: optional(Relation),
      /** Of a late one: the stage that had waited for it. */
      lateFor: optional(Schema.String),
      /** Another connection than the run's. */
      connectionId: optional(Schema.String)
    })
  )
})

const AssertionsRecorded = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("assertions.recorded")
})

/** Somebody else must act. Ends with `wait.satisfied` or `wait.expired`. */
const WaitStarted = Schema.Struct({
  ...ofStage,
  type: Schema.Literal("wait.started"),
  data: Schema.Struct({
    attempt,
    party: Actor,
    /** Who must do what, in words a newcomer can follow. */
    instruction: Schema.String,
    /** ISO 8601 UTC. */
    deadline: Schema.String,
    /** A request that would do. */
    expects: optional(ExpectedRequest),
    /** What almost fits of what came before. */
    nearMisses: optional(Schema.Array(Schema.String)),
    /** Of a suite's script: `probe#step`. */
    step: optional(Schema.String)
  })
})

const waitEnd = {
  attempt,
  /** Of a suite's script: `probe#step`. */
  step: optional(Schema.String),
  /** The call that ended it. */
  exchangeId: optional(Schema.String)
}

const WaitSatisfied = Schema.Struct({
  ...ofStage,
  type: Schema.Literal("wait.satisfied"),
  data: optional(Schema.Struct(waitEnd))
})

/** Its time is over; of a question to an operator, too. */
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
    /** One of the answers that were to choose from. */
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
      /** Why later stages are left out, where they are. */
      endsMainLine: optional(Schema.String)
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
    /** Why, in words: a lost lease, a write whose outcome is unknown, storage. */
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
    /** The version that was decided upon. */
    version: Schema.Int,
    /** `restart_as_new`: the run that goes on instead. */
    successorRunId: optional(Schema.String)
  })
})

const RunResumed = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("run.resumed"),
  data: optional(
    Schema.Struct({
      /** Of a caller; absent: the run was taken up without one. */
      decision: optional(Decision),
      reason
    })
  )
})

const CancelRequested = Schema.Struct({ ...ofStageOrRun, type: Schema.Literal("cancel.requested") })

/** The verdict is settled with the last line. */
const ending = {
  reason,
  /**
   * Not everything that was planned was done: without a failure the verdict is then `inconclusive`.
   * Always so for `run.cancelled` and `run.failed`.
   */
  cutShort: optional(Schema.Boolean),
  /** What may still stand at the partner, as requests in words. */
  leftBehind: optional(Schema.Array(Schema.String))
}

const RunCancelled = Schema.Struct({
  ...ofStageOrRun,
  type: Schema.Literal("run.cancelled"),
  data: optional(
    Schema.Struct({
      ...ending,
      /** By `restart_as_new`: the run that goes on instead; null: it could not be started. */
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

/** Closed in v1; clients ignore what they do not know. */
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

/** What an event says, before or without its number and its time: what a writer writes, and what a machine hears. */
export type UnnumberedEvent = Unnumbered<LedgerEvent>

/** An event with a request and its answer: ours, or the partner's. */
export type ExchangeEvent = LedgerEventOf<"exchange.intended" | "exchange.completed" | "inbound.received">

export const isExchangeEvent = (event: LedgerEvent): event is ExchangeEvent => "exchange" in event

/** What the event carries, or undefined. */
export const exchangeIn = (event: LedgerEvent): Exchange | undefined =>
  isExchangeEvent(event) ? event.exchange : undefined

/** Is it of one of these types? */
export const isOf =
  <Type extends LedgerEventType>(...types: ReadonlyArray<Type>) =>
  (event: LedgerEvent): event is LedgerEventOf<Type> =>
    (types as ReadonlyArray<LedgerEventType>).includes(event.type)

/** The types after which a run says nothing more. */
export const terminalTypes = ["run.completed", "run.cancelled", "run.failed"] as const

/** The last line of a run. */
export const isEnding = isOf(...terminalTypes)
