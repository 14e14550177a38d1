/** Settles an unregistration during which our service stopped: the partner's state decides about ours. */
import { Effect, Option } from "effect"
import { type ExchangeEvent, isEventOf, type LedgerEventOf } from "../../../schema/LedgerEvent.ts"
import { forgetAfterDelete } from "../../party/wire/tokenSlots.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { unregistrationRequest, withOldToken } from "../model/Act.ts"
import type { JourneyStage } from "../model/JourneyTemplate.ts"
import { completionOf, exchangesOf, purposeOf } from "../model/RunHistory.ts"
import type { RunContext } from "./RunContext.ts"
import { exchangeKey, gapOf } from "./stageRequests.ts"
import { verifyExchange } from "./verifyExchange.ts"

const unregistrationIn = (run: RunContext): LedgerEventOf<"exchange.intended"> | undefined =>
  run.log
    .events()
    .filter(isEventOf("exchange.intended"))
    .findLast((event) => event.exchange.operation === unregistrationRequest && purposeOf(event) === "stage")

/** The recorded completion of the request, if any. */
const endOf = (run: RunContext, { exchange }: ExchangeEvent) => completionOf(run.history(), exchange.id)

/** Is the registration the one from before the request? The partner may have registered anew since. */
const isStillHeld = Effect.fnUntraced(function* (run: RunContext, { exchange }: ExchangeEvent) {
  const party = Option.getOrUndefined(yield* run.services.store.find(run.party.id))
  return party?.registration === "registered" && (party.registeredAt ?? "") <= exchange.startedAt
})

/** Ends the registration on our side if DELETE credentials was answered, whatever the answer, or if a read back shows its effect. */
export const settleUnregistration = Effect.fnUntraced(function* (run: RunContext) {
  const unregistering = unregistrationIn(run)
  if (unregistering === undefined || !(yield* isStillHeld(run, unregistering))) return
  if (endOf(run, unregistering) === undefined)
    yield* verifyExchange(run, unregistering.exchange.id, run.context().recoveryVersion)
  const end = endOf(run, unregistering)
  if (end?.exchange.outcome === "unknown" && end.data?.verified !== "present") return
  yield* run.record([])
  yield* Effect.provideService(forgetAfterDelete(run.party.id), PartyStore, run.services.store)
})

/** Continues an unregister stage after a stop of our service. Returns why the stage cannot be graded, or undefined. */
export const afterUnregistration = Effect.fnUntraced(function* (
  run: RunContext,
  { id }: JourneyStage,
  attempt: number
) {
  const unregistering = unregistrationIn(run)
  const end = unregistering === undefined ? undefined : endOf(run, unregistering)
  const isLost = end?.exchange.outcome === "unknown"
  const isTried = exchangesOf(run.history(), id).some(({ operation }) => operation === withOldToken)
  if (unregistering !== undefined && !isLost && !isTried && (yield* isStillHeld(run, unregistering)))
    yield* run.send({
      call: {
        module: "versions",
        interfaceRole: "SENDER",
        operation: withOldToken,
        method: "GET",
        wrongOnPurpose: { token: "the registration is over" }
      },
      stageId: id,
      key: exchangeKey(id, attempt, 1),
      purpose: "stage",
      attempt,
      step: 1
    })
  yield* settleUnregistration(run)
  return isLost && end !== undefined ? gapOf(end) : undefined
})
