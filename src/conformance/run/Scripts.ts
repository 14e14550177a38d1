/**
 * Runs scripts: a step that the ledger records as done is taken from there, other steps are carried out. After a script
 * the clean-up runs, however the script ended.
 */
import { Effect } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import { requestName } from "../../findings/answers.ts"
import type { StaleRun } from "../../ledger/Ledger.ts"
import { durableStep } from "../../runs/durableStep.ts"
import type { OurFault } from "../../store/parties/Party.ts"
import { type Gathered, isWithheld, type NotGathered, type Observation } from "../model/Evidence.ts"
import { isBlockedLink } from "../model/isBlockedLink.ts"
import { type ProbeRequest, type StepAct, type WritingProbe, withheld, withheldBy } from "../model/Probe.ts"
import { nextAfterSilence } from "./afterSilence.ts"
import { leftovers, stepIn, undoOf } from "./journal.ts"
import { answerSeen } from "./observations.ts"
import type { Prober, SendWhen } from "./Prober.ts"
import { makeScriptWaits, type ScriptWaitOptions, type ScriptWaits } from "./scriptWaits.ts"

/** The run to which the scripts belong, and how their steps send, register, wait and inject faults. */
interface ScriptOptions extends ScriptWaitOptions {
  readonly write: Prober["write"]
  readonly register: Prober["register"]
  /** Injects these faults into our own answers while the work runs, and removes them afterwards in any case. */
  readonly injectFaults: <A, E>(
    faults: ReadonlyArray<OurFault>,
    work: Effect.Effect<A, E>
  ) => Effect.Effect<A, E>
  readonly results: Map<string, Gathered>
  /** Does a check of the run need this step, `probe#step`? */
  readonly isNeeded: (step: string) => boolean
}

/** Runs the scripts of one conformance run. Each method fails with `StaleRun` if another process owns the run. */
interface Scripts {
  /** Runs the steps of the script, then its clean-up. */
  readonly play: (probe: WritingProbe) => Effect.Effect<Gathered, StaleRun>
  /** Sends the outstanding clean-up requests of one script, or of the whole run. */
  readonly cleanUp: (probe?: string) => Effect.Effect<void, StaleRun>
  readonly listen: ScriptWaits["listen"]
}

/** Seconds. */
const longestPause = 120
/** Attempts to clean up after one step. */
const mostTries = 2
/** After so many unanswered clean-up requests in a row, the remaining ones are given up: the partner is taken to hang. */
const mostUnanswered = 2
/** Idempotent methods: sent again when the answer was lost. */
const repeatable: ReadonlyArray<string> = ["GET", "HEAD", "PUT", "DELETE"]

/** Not sent, because a URL of the partner leads elsewhere: that says nothing about the partner's answers to the following steps. */
const isUnsentLink = (seen: Observation): boolean =>
  seen.exchange.outcome === "blocked" && isBlockedLink(seen)

/** The request of a step, as far as it matters when the step was begun before. */
interface StepRequest {
  /** As `ProbeRequest.about`. */
  readonly about?: string
  readonly isRepeatable: boolean
  /** Its name, for people. */
  readonly request: string
}

/** The scripts of one run. Progress is kept in the ledger, evidence of each step in `results`. */
export const makeScripts = (options: ScriptOptions): Scripts => {
  const { injectFaults, events, evidence, isNeeded, register, results, write } = options
  const { listen, wait } = makeScriptWaits(options)

  /** Does the work of a step, unless it was done before, or its answer was lost and it is not to be done twice. */
  const once = (
    step: string,
    { about = "", isRepeatable, request }: StepRequest,
    work: Effect.Effect<Observation | NotGathered, StaleRun>
  ): Effect.Effect<Gathered, StaleRun> =>
    durableStep<Gathered, Exchange, StaleRun, never>(
      {
        before: stepIn(events(), step),
        isRepeatable,
        onDone: (completion) => ({ seen: [answerSeen(completion, about)] }),
        onLost: () =>
          withheld(
            "not_tested",
            `our worker ended before the answer to ${request} was recorded, and it is not sent twice`,
            "ours"
          )
      },
      Effect.map(work, (seen) => ("withheld" in seen ? seen : { seen: [seen] }))
    )

  const send = (
    step: string,
    { send: asking, undo }: Extract<StepAct, { readonly send: ProbeRequest }>,
    undoes: string | undefined,
    when: SendWhen
  ): Effect.Effect<Gathered, StaleRun> => {
    const { about = "", method = "GET", module, registration } = asking
    const mark = {
      step,
      ...(undo === undefined ? {} : { undo }),
      ...(undoes === undefined ? {} : { undoes })
    }
    const isRepeatable = repeatable.includes(method) && registration === undefined
    const sent = Effect.map(write(asking, mark, when), (seen) =>
      "withheld" in seen ? seen : { ...seen, about }
    )
    return once(step, { about, isRepeatable, request: `${method} ${module}` }, sent)
  }

  const perform = (
    probe: WritingProbe,
    step: string,
    act: StepAct,
    when: SendWhen
  ): Effect.Effect<Gathered, StaleRun> => {
    const faults = "ourFaults" in act ? (act.ourFaults ?? []) : []
    const work = acted(probe, step, act, when)
    return faults.length === 0 ? work : injectFaults(faults, work)
  }

  const acted = (
    probe: WritingProbe,
    step: string,
    act: StepAct,
    when: SendWhen
  ): Effect.Effect<Gathered, StaleRun> => {
    if ("send" in act)
      return send(step, act, act.undoes === undefined ? undefined : `${probe.id}#${act.undoes}`, when)
    if ("wait" in act) return wait(step, act.wait)
    if ("register" in act) {
      const sent = register({ step }, act.version, when)
      return once(step, { isRepeatable: false, request: "the registration's credentials" }, sent)
    }
    return Effect.as(listen(step, Math.min(Math.max(act.pause, 0), longestPause), act.instruction), {
      seen: []
    } as Gathered)
  }

  const steps = Effect.fnUntraced(function* (probe: WritingProbe): Effect.fn.Return<Gathered, StaleRun> {
    const seen: Array<Observation> = []
    let over: NotGathered | undefined
    let isCut = false
    for (const step of probe.steps) {
      const id = `${probe.id}#${step.id}`
      if (step.forChecks === true && !isNeeded(id)) continue
      const act = step.always === true ? step.act(evidence) : (over ?? step.act(evidence))
      if (act === undefined) continue
      if ("leftOut" in act) {
        results.set(
          id,
          typeof act.leftOut === "string" ? withheld("not_tested", act.leftOut) : withheldBy(act.leftOut)
        )
        continue
      }
      if ("withheld" in act) {
        over = act
        results.set(id, act)
        continue
      }
      const gathered = yield* perform(probe, id, act, step.always === true ? "always" : "unless stopped")
      results.set(id, gathered)
      if (isWithheld(gathered)) {
        isCut ||= gathered.cutShort === true
        // A wait that saw nothing leaves the following steps meaningful; a request that was not sent does not.
        if (!("wait" in act) || gathered.withheld !== "unobservable") over = gathered
        continue
      }
      seen.push(...gathered.seen)
      const silent = gathered.seen.find((one) => one.exchange.response === null && !isUnsentLink(one))
      if (silent !== undefined)
        over = withheld(
          "not_tested",
          `${requestName(silent.exchange)} before it was not answered; ${nextAfterSilence(silent.exchange)}`,
          "network"
        )
    }
    return { seen, ...(isCut ? { stopped: "run" as const } : {}) }
  })

  const cleanUp: Scripts["cleanUp"] = Effect.fnUntraced(function* (probe) {
    let unanswered = 0
    for (const { step, tries, undo } of leftovers(events(), probe)) {
      if (tries >= mostTries || unanswered >= mostUnanswered) continue
      const seen = yield* write(undo, { step: undoOf(step), undoes: step }, "always")
      unanswered = "withheld" in seen || seen.exchange.response !== null ? 0 : unanswered + 1
    }
  })

  return {
    play: (probe) =>
      Effect.tap(steps(probe), () => (probe.lasting === true ? Effect.void : cleanUp(probe.id))),
    cleanUp,
    listen
  }
}
