/**
 * One conformance run from its present state to its end: the machine asks for a module, the runner gathers and grades
 * it, and every step is in the ledger before the next one is taken.
 */
import { Clock, Effect } from "effect"
import type { Assertion } from "../../schema/Assertion.ts"
import type { AcceptedDeviation, Profile } from "../../schema/Suite.ts"
import type { EventDraft, StaleRun } from "../ledger/Ledger.ts"
import type { Ask, RunLog } from "../ledger/RunLog.ts"
import type { OcpiClient } from "../ocpi/OcpiClient.ts"
import { scrub } from "../ocpi/Scrubber.ts"
import type { PartnerCalls } from "../party/PartnerCalls.ts"
import { type Party, PartyStore } from "../store/PartyStore.ts"
import { inLightOf } from "./accepted.ts"
import type { Check, Scope } from "./Check.ts"
import { type Gathered, makeEvidence, type Seen } from "./Evidence.ts"
import { gather } from "./gather.ts"
import { grade } from "./grade.ts"
import { makeProber, type ProberOptions } from "./Prober.ts"
import { probesOf } from "./probes/catalogue.ts"

export interface SuiteRunOptions {
  readonly log: RunLog
  /** Appends one after the other; shared with whoever cancels. */
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<ReadonlyArray<Ask>, StaleRun>
  readonly scope: Scope
  readonly checks: ReadonlyArray<Check>
  readonly party: Party
  readonly profile: Profile
  readonly accept: ReadonlyArray<AcceptedDeviation>
  /** Why nothing more is to be sent; undefined while the run goes on. */
  readonly stopped: () => string | undefined
  readonly limit: ProberOptions["limit"]
  readonly trustedPrefixes: ReadonlyArray<string>
  /** How the run came to this process: new, given back by another, or left behind by one that was lost. */
  readonly found: "new" | "released" | "lost"
}

/** Inbound calls that are looked at: the latest ones. */
const inboundCap = 50

/** The top-level state of the machine, which is the run's status. */
export const stateOf = (log: RunLog): string => {
  const { value } = log.machine()
  return typeof value === "string" ? value : (Object.keys(value as object)[0] ?? "")
}

/** Runs to a terminal event. Fails only when somebody else owns the run now. */
export const conduct = (
  options: SuiteRunOptions
): Effect.Effect<void, StaleRun, OcpiClient | PartnerCalls | PartyStore> =>
  Effect.gen(function* () {
    const grader = yield* makeGrader(options)
    let asks = yield* begin(options)
    for (;;) {
      const [ask] = asks
      if (ask?.type !== "runModule" || stateOf(options.log) !== "running") break
      asks = yield* grader(String(ask.params["stageId"]))
    }
    if (stateOf(options.log) === "cancelling") yield* endCancelled(options)
    else yield* endCompleted(options)
  })

/** Brings the machine to where it asks for work. */
function begin({ found, log, record }: SuiteRunOptions): Effect.Effect<ReadonlyArray<Ask>, StaleRun> {
  const resumed: EventDraft = { type: "run.resumed", key: `${log.epoch}/run/resumed` }
  switch (stateOf(log)) {
    case "queued":
      return record([{ type: "run.started", key: "run/started" }])
    case "running":
      return record(
        found === "released"
          ? [resumed]
          : [
              {
                type: "run.interrupted",
                key: `${log.epoch}/run/interrupted`,
                data: {
                  reason: "The worker was lost. All checks only read: unfinished modules are graded again."
                }
              },
              resumed
            ]
      )
    case "interrupted":
      return record([resumed])
    default:
      return Effect.succeed([])
  }
}

/** Gathers and grades one module; the evidence is shared by all modules of the run. */
function makeGrader(options: SuiteRunOptions) {
  return Effect.gen(function* () {
    const { checks, log, party, record, scope } = options
    const store = yield* PartyStore
    let stage = ""
    const results = new Map<string, Gathered>()
    const world = {
      party,
      profile: scope.profile,
      startedAt: new Date(yield* Clock.currentTimeMillis).toISOString(),
      trustedPrefixes: options.trustedPrefixes
    }
    const state = {
      probes: probesOf(scope.profile, scope.role),
      results,
      evidence: makeEvidence(world, results),
      ask: yield* makeProber({ ...options, stageId: () => stage }),
      inbound: latestInbound(store, party)
    }

    return (stageId: string): Effect.Effect<ReadonlyArray<Ask>, StaleRun> =>
      Effect.gen(function* () {
        stage = stageId
        const attempt =
          log.events().filter((event) => event.type === "stage.started" && event.stageId === stageId).length +
          1
        const key = `${stageId}/${attempt}`
        yield* record([{ type: "stage.started", key: `${key}/started`, stageId }])
        const own = checks.filter(({ module }) => module === stageId)
        yield* gather(
          state,
          own.flatMap((check) => check.needs(scope))
        )
        const clean = scrub(yield* store.tokens(party.id))
        const assertions = yield* Effect.forEach(own, (check) =>
          // Judging is plain work: let leases be renewed and streams be served between two checks.
          Effect.zipRight(
            Effect.yieldNow(),
            Effect.sync(() => cleaned(gradeSafely(check, state.evidence, options), clean))
          )
        )
        return yield* record([
          { type: "assertions.recorded", key: `${key}/assertions`, stageId, assertions },
          { type: "stage.completed", key: `${key}/completed`, stageId }
        ])
      })
  })
}

/** A check that breaks is our fault, and the other checks go on. */
function gradeSafely(
  check: Check,
  evidence: ReturnType<typeof makeEvidence>,
  { accept, profile, scope }: SuiteRunOptions
): Assertion {
  try {
    const accepted = accept.find(({ checkId }) => checkId === check.id)
    return inLightOf(grade(check, evidence, scope, profile), accepted, evidence.startedAt)
  } catch (cause) {
    const reason = `our check broke: ${cause instanceof Error ? cause.message : "unknown error"}`
    return { ...unjudged(check), outcome: "error", reason: reason.slice(0, 300) }
  }
}

function unjudged(check: Check) {
  return {
    id: check.id,
    checkId: check.id,
    title: check.title,
    strength: check.strength,
    reference: check.reference,
    module: check.module,
    expected: check.passes
  }
}

/** Assertions quote what a partner wrote, and a partner may write our tokens anywhere. */
function cleaned(assertion: Assertion, clean: (text: string) => string): Assertion {
  return JSON.parse(clean(JSON.stringify(assertion))) as Assertion // the same object with other texts
}

function endCompleted({ record, stopped }: SuiteRunOptions) {
  const reason = stopped()
  return record([
    {
      type: "run.completed",
      key: "run/completed",
      ...(reason === undefined ? {} : { data: { cutShort: true, reason } })
    }
  ])
}

/** What was graded is kept; the rest is named as not tested. */
function endCancelled({ checks, log, record }: SuiteRunOptions) {
  const over = new Set(
    log
      .events()
      .flatMap(({ stageId, type }) => (type === "stage.completed" && stageId !== undefined ? [stageId] : []))
  )
  const open = [...new Set(checks.map(({ module }) => module))].filter((module) => !over.has(module))
  return record([
    ...open.map(
      (stageId): EventDraft => ({
        type: "stage.skipped",
        key: `${stageId}/skipped`,
        stageId,
        assertions: checks
          .filter(({ module }) => module === stageId)
          .map((check) => ({
            ...unjudged(check),
            outcome: "not_tested",
            reason: "the run was cancelled before"
          }))
      })
    ),
    { type: "run.cancelled", key: "run/cancelled", data: { cutShort: true, reason: "cancelled on request" } }
  ])
}

/** The newest calls of the partner; positions are shared by all parties, so a quiet one needs the long look back. */
function latestInbound(store: PartyStore["Type"], party: Party): Effect.Effect<ReadonlyArray<Seen>> {
  const page = 500
  const after = (position: number) => store.inboundAfter(party.id, Math.max(0, position), page)
  return Effect.gen(function* () {
    const recent = yield* after((yield* store.head(party.id)) - page)
    const found = recent.length > 0 ? recent : yield* after(0)
    return found.slice(-inboundCap).map(({ exchange }) => ({ exchange, json: undefined, about: "" }))
  })
}
