/** Runs one stage: its act, its grades, its end. What this attempt has recorded already is not repeated. */
import { Effect } from "effect"
import type { StageParams } from "../../../machines/journeyRunSetup.ts"
import type { Assertion, Attribution } from "../../../schema/Assertion.ts"
import { isEventOf, type LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { EventDraft, StaleRun } from "../../ledger/Ledger.ts"
import { makeEvseClaims } from "../../runs/evseClaims.ts"
import type { EvseClaim } from "../../store/parties/Party.ts"
import { type Gap, gapAfterAbsence, gradeStage } from "../grading/gradeStage.ts"
import { inPart, type JourneyStage } from "../model/JourneyTemplate.ts"
import { type ClaimedEvse, holderOf, keptPlace, type Place } from "../model/Place.ts"
import { completionOf, lastOfWaits, type RunHistory, whyNotBegun } from "../model/RunHistory.ts"
import { registrationEnd } from "../model/registrationEnd.ts"
import { notLookedAtIn } from "../model/rulings.ts"
import { toldOnce } from "../model/toldOnce.ts"
import { awaitPartner, waitOut } from "./awaitPartner.ts"
import { changeRegistration } from "./changeRegistration.ts"
import { askOperator } from "./checkpoint.ts"
import { cleanUpBefore } from "./cleanUp.ts"
import { intentOfAttempt, type RunContext, type Stop } from "./RunContext.ts"
import { sendAgain } from "./sendAgain.ts"
import { serve } from "./serve.ts"
import { exchangeOnce, readMissed, simulate } from "./stageRequests.ts"

type Work<A = void> = Effect.Effect<A, Stop | StaleRun>

/** The stage with this id. Throws if the template has none: then it is not the template of this run. */
export function stageOf(run: RunContext, stageId: string): JourneyStage {
  const stage = run.template.stages.find(({ id }) => id === stageId)
  if (stage === undefined) throw new Error(`Template ${run.template.id} has no stage ${stageId}`)
  return stage
}

/** Runs the stage to its end, or skips it if an earlier stage has ended the main line. */
export const runStage = Effect.fnUntraced(function* (run: RunContext, params: StageParams) {
  yield* run.failIfStopping
  const stage = stageOf(run, params.stageId)
  const over = endOfMainLine(run.log.events(), stage.part)
  if (over !== undefined)
    return yield* run.buffer(
      skipped(run, stage, over.reason, over.attribution ?? attributionOf(run.log.events(), over.stageId))
    )
  yield* cleanUpBefore(run, stage)
  const { lost, ...evses } = yield* evsesAt(run, stage, params.attempt)
  yield* run.buffer([
    {
      type: "stage.started",
      key: `${stage.id}/${params.attempt}/started`,
      stageId: stage.id,
      data: { attempt: params.attempt, ...evses }
    }
  ])
  yield* run.pullInbound(stage.id)
  const before = endOfRegistration(run, stage) ?? lost
  const gap = before ?? (yield* act(run, stage, params.attempt))
  if (before === undefined) yield* sendAgain(run, stage, params.attempt)
  yield* run.pullInbound(stage.id)
  if (gap === undefined) yield* readAgain(run, stage)
  const ended = isCutShort(run, stage, params.attempt, gap) ? endOfRegistration(run, stage) : undefined
  yield* conclude(run, stage, params.attempt, gapAfterAbsence(stage, run.history(), ended ?? gap))
})

/** Reads what the stage asks for before it is judged. A read that was cut short is sent anew when the run goes on. */
const readAgain = Effect.fnUntraced(function* (run: RunContext, stage: JourneyStage) {
  const call = stage.readsAgain?.(run.history())
  if (call === undefined) return
  const key = `${stage.id}/again/${run.log.events().length}`
  yield* run.send({ call, key, purpose: "catch-up", stageId: stage.id })
  yield* run.pullInbound(stage.id)
})

/** What the start of a stage tells of EVSEs: the one that the run has from here on, and those of other open runs. */
interface EvsesAtStart {
  readonly place?: Omit<Place, "connectorId"> & { readonly connectorId?: string }
  readonly claimed?: ReadonlyArray<ClaimedEvse>
  /** The run stood still for so long that another one has taken its EVSE. */
  readonly lost?: Gap
}

const evsesAt = Effect.fnUntraced(function* (
  run: RunContext,
  { claims, looksForEvse, part = "" }: JourneyStage,
  attempt: number
): Effect.fn.Return<EvsesAtStart> {
  const { ledger, store } = run.services
  const evses = makeEvseClaims(ledger, store, run.log)
  if (claims === undefined) {
    const claimed = looksForEvse === true ? yield* evses.ofOthers : []
    return claimed.length > 0 || (looksForEvse === true && attempt > 1) ? { claimed: claimed.map(idsOf) } : {}
  }
  const kept = keptPlace(run.history())
  const placeFor = (byOthers: ReadonlyArray<EvseClaim>) =>
    kept !== undefined && holderOf(kept, byOthers) !== undefined ? undefined : claims(run.history(), byOthers)
  const { others } = yield* evses.claim((byOthers) => {
    const place = placeFor(byOthers)
    return place === undefined || "none" in place ? [] : [{ ...evseOf(place), purpose: part }]
  })
  const place = placeFor(others)
  if (place === undefined || "none" in place) {
    const holder = kept === undefined ? undefined : holderOf(kept, others)
    return { claimed: others.map(idsOf), ...(holder === undefined ? {} : { lost: takenBy(holder) }) }
  }
  const { connectorId } = place
  return { place: { ...evseOf(place), ...(connectorId === undefined ? {} : { connectorId }) } }
})

const takenBy = ({ evseUid, runId }: EvseClaim): Gap => ({
  outcome: "not_tested",
  reason: `Run ${runId} has taken EVSE ${evseUid} while this run stood still. Wait for its end, or cancel it, then run again`,
  attribution: "ours",
  ends: true
})

const evseOf = ({ evseUid, locationId }: Pick<EvseClaim, "evseUid" | "locationId">) => ({
  locationId,
  evseUid
})

const idsOf = (claim: EvseClaim) => ({ ...evseOf(claim), runId: claim.runId })

/** The gap of a stage that the partner has no registration for any more; a stage that only looks back needs none. */
function endOfRegistration(run: RunContext, { act, module }: JourneyStage): Gap | undefined {
  const reason = act.act === "judge" || module === "credentials" ? undefined : registrationEnd(run.history())
  return reason === undefined
    ? undefined
    : { outcome: "not_tested", reason, attribution: "partner", ends: true }
}

/** Did the stage not come to what it is about: its request was not sent or met no token, or its wait was in vain? */
function isCutShort(run: RunContext, stage: JourneyStage, attempt: number, gap: Gap | undefined): boolean {
  if (gap !== undefined || stage.act.act === "wait") return true
  return (
    lastOfWaits(run.history(), stage.id)?.type === "wait.expired" ||
    completionOfStage(run, stage.id, attempt)?.exchange.response?.httpStatus === 401
  )
}

/** The events of a skipped stage: its rules become `not_tested`, by the partner's act unless another one's is named. */
export const skipped = (
  run: RunContext,
  stage: JourneyStage,
  reason: string,
  attribution: Attribution = "partner"
): ReadonlyArray<EventDraft> => [
  {
    type: "assertions.recorded",
    key: `${stage.id}/skipped/assertions`,
    stageId: stage.id,
    assertions: gradeStage(stage, run.history(), { outcome: "not_tested", reason, attribution })
  },
  { type: "stage.skipped", key: `${stage.id}/skipped`, stageId: stage.id, data: { reason } }
]

/** Why all later stages, or those of this part, are skipped, and the stage that ended them; undefined if they are not. */
export function endOfMainLine(
  events: ReadonlyArray<LedgerEvent>,
  part?: string
): { readonly reason: string; readonly stageId: string; readonly attribution?: Attribution } | undefined {
  const end = events
    .filter(isEventOf("stage.failed"))
    .findLast(
      ({ data, stageId }) =>
        data?.endsMainLine !== undefined && (part === undefined || stageId.startsWith(inPart(part)))
    )
  const reason = end?.data?.endsMainLine
  if (end === undefined || reason === undefined) return undefined
  const { attribution } = end.data ?? {}
  return { reason, stageId: end.stageId, ...(attribution === undefined ? {} : { attribution }) }
}

/** Whose act has ended the stage: the partner's if it broke a rule there, else as what could not be graded there says. */
function attributionOf(events: ReadonlyArray<LedgerEvent>, stageId: string): Attribution {
  const assertions = events.filter((event) => event.stageId === stageId).flatMap((event) => event.assertions)
  const isBroken = assertions.some(({ outcome }) => outcome === "failed")
  return (
    (isBroken
      ? undefined
      : assertions.findLast(({ attribution }) => attribution !== undefined)?.attribution) ?? "partner"
  )
}

function act(run: RunContext, stage: JourneyStage, attempt: number): Work<Gap | undefined> {
  switch (stage.act.act) {
    case "exchange":
      return exchangeOnce(run, stage, stage.act, attempt)
    case "simulate":
      return simulate(run, stage, stage.act, attempt)
    case "await":
      return awaitPartner(run, stage, stage.act, attempt)
    case "serve":
      return serve(run, stage, stage.act, attempt)
    case "wait":
      return Effect.as(waitOut(run, stage, stage.act, attempt), undefined)
    case "register":
      return changeRegistration(run, stage, stage.act, attempt)
    case "checkpoint":
      return Effect.as(askOperator(run, stage, stage.act, attempt), undefined)
    case "judge":
      return Effect.as(readMissed(run, stage), undefined)
  }
}

const conclude = Effect.fnUntraced(function* (
  run: RunContext,
  stage: JourneyStage,
  attempt: number,
  gap: Gap | undefined
) {
  const history = run.history()
  const graded = gradeStage(stage, history, gap)
  const assertions = toldOnce(stage, history, graded)
  const isVerified = completionOfStage(run, stage.id, attempt)?.data?.verified === "present"
  const goesOn = isVerified || gap?.goesOn === true
  const reason: StageFailure | undefined =
    gap === undefined
      ? failureOf(stage, history, graded)
      : goesOn
        ? undefined
        : { text: gap.reason, ends: gap.ends === true || !stage.optionalForLater }
  const attribution = reason?.attribution === undefined ? {} : { attribution: reason.attribution }
  const endsMainLine = reason?.ends === true ? { endsMainLine: reason.text, ...attribution } : {}
  const key = `${stage.id}/${attempt}`
  yield* run.buffer([
    { type: "assertions.recorded", key: `${key}/assertions`, stageId: stage.id, assertions },
    reason === undefined
      ? { type: "stage.completed", key: `${key}/ended`, stageId: stage.id, data: { attempt } }
      : {
          type: "stage.failed",
          key: `${key}/ended`,
          stageId: stage.id,
          data: { attempt, reason: reason.text, ...endsMainLine }
        }
  ])
})

function completionOfStage(run: RunContext, stageId: string, attempt: number) {
  const intent = intentOfAttempt(run.log.events(), stageId, attempt)
  return intent === undefined ? undefined : completionOf(run.history(), intent.exchange.id)
}

/** Why a stage fails. */
interface StageFailure {
  readonly text: string
  /** Later stages depend on it. */
  readonly ends: boolean
  /** Undefined: as `attributionOf` says. */
  readonly attribution?: Attribution
}

/** Why a stage that was graded fails, or undefined. Its own `stopsIf` comes before its failed assertions. */
function failureOf(
  stage: JourneyStage,
  history: RunHistory,
  assertions: ReadonlyArray<Assertion>
): StageFailure | undefined {
  const stops = stage.stopsIf?.(history)
  if (typeof stops === "object") return { text: stops.ours, ends: true, attribution: "ours" }
  const unseen = notLookedAtIn(history, stage.id)
  // One that was asked again, and answered, leaves nothing unjudged.
  const isUnjudged = assertions.some(({ reason }) => reason !== undefined && reason === unseen?.reason)
  const whose = isUnjudged && unseen?.attribution !== undefined ? { attribution: unseen.attribution } : {}
  if (stops !== undefined) return { text: stops, ends: true, ...whose }
  const notBegun = whyNotBegun(stage, history)
  if (notBegun !== undefined && assertions.some(({ reason }) => reason === notBegun))
    return { text: notBegun, ends: !stage.optionalForLater, attribution: "operator" }
  const broken = assertions.find(({ outcome }) => outcome === "failed")
  const text =
    broken === undefined ? (isUnjudged ? unseen?.reason : undefined) : (broken.message ?? broken.title)
  if (text === undefined) return undefined
  return {
    text,
    ends: stage.stopsIf === undefined && !stage.optionalForLater,
    ...(broken === undefined ? whose : {})
  }
}
