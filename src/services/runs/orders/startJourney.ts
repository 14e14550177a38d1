/** Accepts the order of a journey: what to play, on which connection, and whether that is possible now. */

import { Effect } from "effect"
import type { Caller } from "../../../../schema/Account.ts"
import { Conflict, Invalid, NotFound, Unsupported } from "../../../../schema/Errors.ts"
import { type ConnectionId, PartyId } from "../../../../schema/Ids.ts"
import type { JourneyTemplateView, Pack } from "../../../../schema/Journey.ts"
import type { OcpiVersion } from "../../../../schema/ocpi/OcpiVersion.ts"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { meant } from "../../../findings/nearest.ts"
import type { PlannedTemplate, StartJourney } from "../../../journeys/catalogue/order.ts"
import { partnerRenews, stagesChange } from "../../../journeys/catalogue/registrationStages.ts"
import { JourneyRuns } from "../../../journeys/JourneyRuns.ts"
import { isAnswerFault } from "../../../party/inbound/faultInjection.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import type { PartyToken } from "../../../store/parties/TokenSlot.ts"
import { traced } from "../../../telemetry/traced.ts"
import { Plans } from "../../accounts/Plans.ts"
import { notRegistered } from "../../connections/notRegistered.ts"
import { Sandboxes } from "../../sandboxes/Sandboxes.ts"
import { draftIn, Scenarios } from "../Scenarios.ts"
import { makeOrderedConnection } from "./orderedConnection.ts"
import { makeRunExclusivity } from "./runExclusivity.ts"
import { makeSandboxTarget } from "./sandboxTarget.ts"

/** Why no journey is played in such a connection. */
export const notInProduction =
  "The connection is marked production: no journey is played with it, because journeys write at the partner"

/** One of `connectionId` and `target`, and one of `templateId`, `packId` and `scenarioId`. */
export interface StartOrder {
  readonly connectionId?: ConnectionId
  readonly target?: "sandbox"
  /** Version of the sandbox partner to make; default: the newest that the journey supports. */
  readonly ocpiVersion?: OcpiVersion
  readonly templateId?: string
  readonly packId?: string
  readonly scenarioId?: string
  /** Inputs; for a scenario they override its own inputs of the same name. */
  readonly inputs?: Readonly<Record<string, unknown>>
  readonly planVersion?: string
}

type Orderable = PlannedTemplate | JourneyTemplateView | Pack
/** The state that the connection must be in, where that is not `registered`. */
const beginningOf = (orderable: Orderable) => ("begins" in orderable ? orderable.begins : undefined)

const isTheirTokenA = ({ name, slot }: PartyToken): boolean => slot === "outbound" && name === "tokenA"

type Subject = Pick<StartJourney, "inputs" | "scenario" | "templateId">

/** Makes the function that accepts an order; its errors are those of `Journeys.start`. */
export const makeJourneyOrders = Effect.gen(function* () {
  const journeys = yield* JourneyRuns
  const sandboxTarget = yield* makeSandboxTarget
  const orderedConnection = yield* makeOrderedConnection
  const sandboxes = yield* Sandboxes
  const scenarios = yield* Scenarios
  const plans = yield* Plans
  const requireExclusive = yield* makeRunExclusivity
  const parties = yield* PartyStore

  const orderable = (id: string, party: Party | null): Orderable | undefined =>
    journeys.catalogue(party, {}).find((one) => one.id === id) ??
    journeys.packs(party, {}).find((one) => one.id === id)

  const subjectOf = Effect.fnUntraced(function* (caller: Caller, order: StartOrder) {
    const { packId, scenarioId, templateId } = order
    const given = [templateId, packId, scenarioId].filter((id) => id !== undefined)
    if (given.length !== 1) {
      return yield* new Invalid({ message: "templateId: give one of templateId, packId and scenarioId" })
    }
    const inputs = order.inputs ?? {}
    if (scenarioId !== undefined) {
      const saved = yield* scenarios.read(caller, scenarioId)
      const { inputs: own, templateId, ...changes } = draftIn(saved)
      const scenario = { id: saved.id, version: saved.version, ...changes }
      return { templateId, inputs: { ...own, ...inputs }, scenario } satisfies Subject
    }
    const pack = journeys.packs(null, {}).find(({ id }) => id === packId)
    if (pack !== undefined) {
      const { faults, id, name } = pack
      const scenario = faults.length === 0 ? {} : { scenario: { id: null, name, version: 0, faults } }
      return { templateId: id, inputs, ...scenario } satisfies Subject
    }
    const template = journeys.catalogue(null, {}).find(({ id }) => id === templateId)
    if (template !== undefined) return { templateId: template.id, inputs } satisfies Subject
    const [what, wanted, all] =
      packId === undefined
        ? (["journey", templateId ?? "", journeys.catalogue(null, {})] as const)
        : (["pack", packId, journeys.packs(null, {})] as const)
    const ids = all.map(({ id }) => id)
    return yield* new NotFound({
      message: `There is no such ${what}; GET /testing/journeys lists them${meant(wanted, ids)}`
    })
  })

  const sandboxConnection = Effect.fnUntraced(function* (
    caller: Caller,
    subject: Orderable,
    wanted: OcpiVersion | undefined
  ) {
    const { id, ourRole, supportedVersions } = subject
    const ocpiVersion = supportedVersions
      .filter((version) => wanted === undefined || version === wanted)
      .toSorted((a, b) => profileOf(a).rank - profileOf(b).rank)
      .at(-1)
    if (ocpiVersion === undefined) {
      return yield* new Unsupported({ message: `The journey ${id} is for ${supportedVersions.join(", ")}` })
    }
    const begins = beginningOf(subject)
    return yield* sandboxTarget(caller, {
      theirRole: ourRole === "CPO" ? "EMSP" : "CPO",
      ocpiVersion,
      state: begins ?? "registered"
    })
  })

  const requirePlanVersion = (given: string | undefined, now: string) =>
    given === undefined || given === now
      ? Effect.void
      : new Conflict({ message: `planVersion ${JSON.stringify(given)} is stale; it is ${now} now` })

  const modulesOf = (orderable: Orderable) =>
    "stages" in orderable ? orderable.stages.map(({ module }) => module) : []

  /** What to start on the connection that the order names, or that was made for it; fails where it cannot be played there. */
  const onConnection = Effect.fnUntraced(function* (
    caller: Caller,
    {
      general,
      id,
      order,
      subject
    }: {
      readonly order: StartOrder
      readonly subject: Subject
      readonly general: Orderable
      readonly id: ConnectionId
    }
  ) {
    const { scenario, templateId } = subject
    const { party, row, target, view } = yield* orderedConnection(caller, id)
    yield* plans.require(caller, "journeys", target)
    yield* plans.requireModules(caller, modulesOf(general), target)
    const faults = scenario?.faults ?? []
    if (faults.length > 0) yield* plans.require(caller, "fault_packs", target)
    if (row.environment === "production") {
      return yield* new Unsupported({
        message: notInProduction
      })
    }
    const planned = orderable(templateId, party)
    if (planned === undefined) {
      return yield* new Unsupported({
        message: `The journey ${templateId} is not for this target; GET /testing/journeys?connectionId=${id} lists those that are`
      })
    }
    if (order.target === undefined) yield* requirePlanVersion(order.planVersion, planned.planVersion)
    const begins = beginningOf(planned)
    if (begins === undefined && view.status !== "registered") {
      return yield* new Unsupported({ message: notRegistered(view, yield* parties.tokens(party.id)) })
    }
    if (!planned.runnable) return yield* new Unsupported({ message: planned.reasons.join("; ") })
    if (begins === "unregistered" && !(yield* parties.tokens(party.id)).some(isTheirTokenA)) {
      return yield* new Unsupported({
        message: `The journey ${templateId} needs the partner's Token A, and the connection has none; make a connection with a new one`
      })
    }
    const disturbing = {
      injectsFaults: faults.some(({ fault }) => isAnswerFault(fault)),
      changesRegistration: "stages" in planned && stagesChange(planned.stages)
    }
    const accepted: StartJourney = {
      ownerId: caller.ownerId,
      partyId: PartyId.make(id),
      connectionLabel: row.label,
      ...subject
    }
    return {
      accepted,
      notExcluded: requireExclusive(party, disturbing),
      isToRenew: "stages" in planned && partnerRenews(planned)
    }
  })

  /**
   * Validates the order and returns what to start; for a sandbox target it makes the partner and the connection first.
   * `notExcluded` fails while another run excludes this one; run it under the lock of `OwnedRuns.withinQuota`. `afterStart` is to be
   * run once the run has started, and `undo` if it cannot be started.
   */
  return traced("Journeys.accept")(function* (caller: Caller, order: StartOrder) {
    if ((order.connectionId === undefined) === (order.target === undefined)) {
      return yield* new Invalid({
        message: 'connectionId: give either connectionId or "target": "sandbox"'
      })
    }
    const subject: Subject = yield* subjectOf(caller, order)
    const { templateId } = subject
    const general = orderable(templateId, null)
    if (general === undefined) {
      return yield* new Unsupported({ message: `This release knows no journey ${templateId}` })
    }
    if (order.target === "sandbox") {
      yield* plans.require(caller, "journeys", "sandbox")
      yield* requirePlanVersion(order.planVersion, general.planVersion)
    }
    const { id, partnerId, undo } =
      order.connectionId === undefined
        ? yield* sandboxConnection(caller, general, order.ocpiVersion)
        : { id: order.connectionId, partnerId: undefined, undo: Effect.void }
    const { isToRenew, ...accepted } = yield* onConnection(caller, { order, subject, general, id }).pipe(
      Effect.onError(() => undo)
    )
    const afterStart =
      partnerId === undefined || !isToRenew ? Effect.void : sandboxes.renewSoon(caller, partnerId)
    return { ...accepted, afterStart, undo }
  })
})
