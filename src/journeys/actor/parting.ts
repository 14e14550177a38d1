/** The end of a registration during which our service stopped: the partner's side of it decides about ours. */
import { Effect, Option } from "effect"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { forgetTokens } from "../../party/wire/tokenSlots.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { partingRequest, withOldToken } from "../model/Act.ts"
import type { JourneyStage } from "../model/JourneyTemplate.ts"
import { completionOf, exchangesOf, purposeOf } from "../model/Memory.ts"
import { exchangeKey, gapOf } from "./exchangeWork.ts"
import type { RunDesk } from "./RunDesk.ts"
import { verify } from "./verifying.ts"

const partingIn = (desk: RunDesk): LedgerEvent | undefined =>
  desk.log
    .events()
    .findLast(
      (event) =>
        event.type === "exchange.intended" &&
        event.exchange?.operation === partingRequest &&
        purposeOf(event) === "stage"
    )

/** How the request ended, as far as the ledger says. */
const endOf = (desk: RunDesk, { exchange }: LedgerEvent): LedgerEvent | undefined =>
  exchange === undefined ? undefined : completionOf(desk.memory(), exchange.id)

/** Are we still registered as we were when the request left? A partner may have come anew since. */
const isStillHeld = Effect.fnUntraced(function* (desk: RunDesk, { exchange }: LedgerEvent) {
  const party = Option.getOrUndefined(yield* desk.crew.store.find(desk.party.id))
  return (
    party?.registration === "registered" &&
    exchange !== undefined &&
    (party.registeredAt ?? "") <= exchange.startedAt
  )
})

/** A request that was answered ends it on our side whatever the answer; one whose answer was lost, where a read says so. */
export const endParting = Effect.fnUntraced(function* (desk: RunDesk) {
  const parting = partingIn(desk)
  if (parting?.exchange === undefined || !(yield* isStillHeld(desk, parting))) return
  if (endOf(desk, parting) === undefined)
    yield* verify(desk, parting.exchange.id, desk.context().recoveryVersion)
  const end = endOf(desk, parting)
  if (end?.exchange?.outcome === "unknown" && end.data?.["verified"] !== "present") return
  yield* Effect.provideService(forgetTokens(desk.party.id), PartyStore, desk.crew.store)
})

/** Goes on with the stage after a stop of our service. Answers why nothing can be said, if so. */
export const afterParting = Effect.fnUntraced(function* (
  desk: RunDesk,
  { id }: JourneyStage,
  attempt: number
) {
  const parting = partingIn(desk)
  const end = parting === undefined ? undefined : endOf(desk, parting)
  const isLost = end?.exchange?.outcome === "unknown"
  const isTried = exchangesOf(desk.memory(), id).some(({ operation }) => operation === withOldToken)
  if (parting !== undefined && !isLost && !isTried && (yield* isStillHeld(desk, parting)))
    yield* desk.send({
      call: { module: "versions", interfaceRole: "SENDER", operation: withOldToken, method: "GET" },
      stageId: id,
      key: exchangeKey(id, attempt, 1),
      purpose: "stage",
      attempt,
      step: 1
    })
  yield* endParting(desk)
  return isLost && end !== undefined ? gapOf(end) : undefined
})
