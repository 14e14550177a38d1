/** Tidying up at the partner: after a run, and between the parts of one that is a pack. */
import { Effect } from "effect"
import { newId } from "../../database/newId.ts"
import { nowIso } from "../../party/wire/instants.ts"
import { awaySince } from "../model/absence.ts"
import { cleanUpsOf, type JourneyStage, type Tidying } from "../model/JourneyTemplate.ts"
import { catchUp } from "./catchUp.ts"
import { endParting } from "./parting.ts"
import type { RunDesk } from "./RunDesk.ts"
import { goBack } from "./registering.ts"

/** Sends what brings the partner back to a neutral state, when there is anything. Best effort: its answer is recorded. */
export const cleanUp = Effect.fnUntraced(function* (desk: RunDesk, decided: boolean) {
  yield* desk.pullInbound(undefined)
  yield* endParting(desk)
  const { parts } = desk.template
  if (parts === undefined) return yield* tidy(desk, desk.template, "clean-up", decided)
  for (const part of parts) yield* tidy(desk, part, `clean-up/${part.id}`, decided)
})

/**
 * Before the first stage of a later part: what the parts before it left behind is put right, so that they do not get in
 * its way. Not again once that stage has begun.
 */
export const tidyBefore = Effect.fnUntraced(function* (desk: RunDesk, stage: JourneyStage) {
  const { parts = [], stages } = desk.template
  const begins = stages.find(({ part }) => part === stage.part)?.id === stage.id
  const begun = desk.log
    .events()
    .some(({ stageId, type }) => type === "stage.started" && stageId === stage.id)
  if (stage.part === undefined || !begins || begun) return
  const earlier = parts.slice(
    0,
    parts.findIndex(({ id }) => id === stage.part)
  )
  if (earlier.length > 0) yield* desk.pullInbound(undefined)
  for (const part of earlier) yield* tidy(desk, part, `tidy/${stage.part}/${part.id}`, false)
})

const tidy = Effect.fnUntraced(function* (
  desk: RunDesk,
  tidying: Tidying & { readonly id?: string },
  name: string,
  decided: boolean
) {
  const { catchUp: known, id: part } = tidying
  if (known !== undefined && awaySince(desk.memory(), known.setOffBy) !== undefined) {
    yield* catchUp(desk, known, { key: name, again: true })
  }
  for (const [index, one] of cleanUpsOf(tidying, desk.memory(), decided).entries()) {
    const key = [name, desk.log.epoch, ...(index === 0 ? [] : [index])].join("/")
    if ("goBackTo" in one) {
      yield* goBack(desk, one.goBackTo, key)
      continue
    }
    const { call, command } = one
    const responseUrl =
      command === undefined
        ? ""
        : yield* desk.crew.calls.expectResult(desk.party, command, yield* newId("command"))
    yield* desk.send({
      call: call(responseUrl, yield* nowIso),
      key,
      purpose: "clean-up",
      ...(desk.template.parts === undefined || part === undefined ? {} : { part })
    })
  }
})
