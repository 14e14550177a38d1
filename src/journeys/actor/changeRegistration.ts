/** A stage that changes our registration by the party's own handshake, with each request recorded in the run's ledger. */
import { Effect, Option } from "effect"
import type { LedgerEventOf } from "../../../schema/LedgerEvent.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { StaleRun } from "../../ledger/Ledger.ts"
import { OcpiClient } from "../../ocpi/OcpiClient.ts"
import { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import { performCall } from "../../party/outbound/performCall.ts"
import { durableRegistration } from "../../runs/durableRegistration.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import type { PartyToken } from "../../store/parties/TokenSlot.ts"
import type { Gap } from "../grading/gradeStage.ts"
import { type RegisterAct, withNewToken, withOldToken } from "../model/Act.ts"
import type { JourneyStage } from "../model/JourneyTemplate.ts"
import { exchangesOf } from "../model/RunHistory.ts"
import { intentOfAttempt, type RunContext } from "./RunContext.ts"
import { exchangeKey } from "./stageRequests.ts"
import { afterUnregistration } from "./unregistration.ts"

/** Makes the change once per attempt. Returns why the stage cannot be graded, or undefined. */
export const changeRegistration = Effect.fnUntraced(function* (
  run: RunContext,
  stage: JourneyStage,
  act: RegisterAct,
  attempt: number
) {
  const notTested = (reason: string): Gap => ({ outcome: "not_tested", reason })
  // A change that this attempt has begun is not begun again.
  if (intentOfAttempt(run.log.events(), stage.id, attempt) !== undefined)
    return act.change === "unregister"
      ? yield* afterUnregistration(run, stage, attempt)
      : afterStop(run, stage)
  const version = act.version?.(run.history())
  if (typeof version === "object") return notTested(version.unmet)
  yield* run.failIfStopping
  const { handshake, store } = run.services
  const former = (yield* store.tokens(run.party.id)).find(({ slot }) => slot === "outbound")
  const change =
    act.change === "unregister"
      ? Effect.map(handshake.unregister(run.party.id), ({ message, told }) => ({
          done: told,
          message: told ? undefined : message
        }))
      : Effect.map(handshake.run(run.party.id, version === undefined ? {} : { version }), (result) => ({
          done: result.ok,
          message: result.ok ? undefined : result.error
        }))
  const changed = yield* recorded(
    run,
    {
      key: (step) => exchangeKey(stage.id, attempt, step),
      stageId: stage.id,
      data: { purpose: "stage", attempt }
    },
    Effect.tap(change, ({ done }) => (done ? tryTokens(run, act, former) : Effect.void))
  )
  yield* run.pullInbound(stage.id)
  const sent = intentOfAttempt(run.log.events(), stage.id, attempt) !== undefined
  return sent ? undefined : notTested(changed.message ?? "Nothing was sent")
})

/** After a stop of our service during the change: unless the new token was tried, it may be lost. */
function afterStop(run: RunContext, { id }: JourneyStage): Gap | undefined {
  return exchangesOf(run.history(), id).some(({ operation }) => operation === withNewToken)
    ? undefined
    : {
        outcome: "unobservable",
        reason: "Our service stopped while the registration was being changed, and the new tokens may be lost"
      }
}

/** Tries which tokens the partner accepts now: first the new one, then the old one, since both may work until the new one is used. */
const tryTokens = Effect.fnUntraced(function* (
  run: RunContext,
  { change }: RegisterAct,
  former: PartyToken | undefined
) {
  const party = Option.getOrElse(yield* run.services.store.find(run.party.id), () => run.party)
  const asked = { interfaceRole: "SENDER", method: "GET", correlationId: run.plan.runId } as const
  if (change === "register") {
    const answer = yield* performCall(party, {
      ...asked,
      module: "credentials",
      operation: withNewToken
    })
    if ((answer.exchange.response?.httpStatus ?? 500) >= 300) return
  }
  // After a rotation the old token may be accepted for a while; Token A, and any token after unregistration, may not.
  if (former === undefined || (change === "register" && former.name !== "tokenA")) return
  yield* performCall(party, {
    ...asked,
    module: "versions",
    operation: withOldToken,
    wrongOnPurpose: { token: "it was replaced, or the registration is over" },
    authorization: { name: former.name, token: former.value }
  })
})

/** Changes the registration back to this version after a run that ends in another one. Best effort: the exchanges are recorded. */
export const goBack = (run: RunContext, version: OcpiVersion, key: string) =>
  Effect.asVoid(
    recorded(
      run,
      { key: (step) => `${key}/${step}`, data: { purpose: "clean-up" } },
      run.services.handshake.run(run.party.id, { version })
    )
  )

/** How the events of the change's requests are recorded. */
interface Lines {
  readonly key: (step: number) => string
  readonly stageId?: string
  readonly data: Pick<NonNullable<LedgerEventOf<"exchange.intended">["data"]>, "purpose" | "attempt">
}

/** Runs the work, and records every request that it makes for our party. */
function recorded<A, E>(
  run: RunContext,
  { data, key, stageId }: Lines,
  work: Effect.Effect<A, E, OcpiClient | PartnerCalls | PartyStore>
): Effect.Effect<A, StaleRun> {
  const { calls, client, store } = run.services
  return durableRegistration(
    {
      partyId: run.party.id,
      record: run.record,
      lineOf: (step, end) => ({
        key: `${key(step)}/${end}`,
        ...(stageId === undefined ? {} : { stageId }),
        data: { ...data, step }
      })
    },
    Effect.orDie(work)
  ).pipe(
    Effect.map(({ done }) => done),
    Effect.provideService(OcpiClient, client),
    Effect.provideService(PartnerCalls, calls),
    Effect.provideService(PartyStore, store)
  )
}
