/** Cleans up at the partner: after a run, and between the parts of a pack. */
import { Effect } from "effect"
import { newId } from "../../database/newId.ts"
import { nowIso } from "../../party/wire/instants.ts"
import { awaySince } from "../model/absence.ts"
import {
  type CleanUpOccasion,
  type CleanUpPlan,
  cleanUpsOf,
  type JourneyStage
} from "../model/JourneyTemplate.ts"
import { catchUp } from "./catchUp.ts"
import { goBack } from "./changeRegistration.ts"
import type { RunContext } from "./RunContext.ts"
import { settleUnregistration } from "./unregistration.ts"

/** Sends the requests that undo at the partner what the run has left there. Best effort: the answers are recorded. */
export const cleanUp = Effect.fnUntraced(function* (run: RunContext, occasion: CleanUpOccasion) {
  yield* run.pullInbound(undefined)
  yield* settleUnregistration(run)
  const { parts } = run.template
  if (parts === undefined) return yield* cleanUpAfter(run, run.template, "clean-up", occasion)
  for (const part of parts) yield* cleanUpAfter(run, part, `clean-up/${part.id}`, occasion)
})

/** Before the first stage of a later part of a pack: cleans up after the parts before it. Once that stage has begun, does nothing. */
export const cleanUpBefore = Effect.fnUntraced(function* (run: RunContext, stage: JourneyStage) {
  const { parts = [], stages } = run.template
  const begins = stages.find(({ part }) => part === stage.part)?.id === stage.id
  const begun = run.log.events().some(({ stageId, type }) => type === "stage.started" && stageId === stage.id)
  if (stage.part === undefined || !begins || begun) return
  const earlier = parts.slice(
    0,
    parts.findIndex(({ id }) => id === stage.part)
  )
  if (earlier.length > 0) yield* run.pullInbound(undefined)
  for (const part of earlier) yield* cleanUpAfter(run, part, `tidy/${stage.part}/${part.id}`, "end")
})

const cleanUpAfter = Effect.fnUntraced(function* (
  run: RunContext,
  plan: CleanUpPlan & { readonly id?: string },
  name: string,
  occasion: CleanUpOccasion
) {
  const { catchUp: known, id: part } = plan
  if (known !== undefined && awaySince(run.history(), known.setOffBy) !== undefined) {
    yield* catchUp(run, known, { key: name, again: true })
  }
  for (const [index, one] of cleanUpsOf(plan, run.history(), occasion).entries()) {
    const key = [name, run.log.epoch, ...(index === 0 ? [] : [index])].join("/")
    if ("goBackTo" in one) {
      yield* goBack(run, one.goBackTo, key)
      continue
    }
    const { call, command } = one
    const responseUrl =
      command === undefined
        ? ""
        : yield* run.services.calls.expectResult(run.party, command, yield* newId("command"))
    yield* run.send({
      call: call(responseUrl, yield* nowIso),
      key,
      purpose: "clean-up",
      ...(run.template.parts === undefined || part === undefined ? {} : { part })
    })
  }
})
