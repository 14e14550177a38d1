/** Stages that push a place of ours to the partner: when it appears, when its status changes, and when it is removed. */
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import type { CleanUp, CleanUpPlan, JourneyStage } from "../../model/JourneyTemplate.ts"
import { answerOf, intentOf, type RunHistory } from "../../model/RunHistory.ts"
import { freshId, hiddenPlace, ownPath, type PlaceKind, placeFor, tariffOf } from "./ourPlace.ts"
import { wasTold } from "./ownObjectRules.ts"
import { tell } from "./ownObjects.ts"

const tariffStage = "push-tariff"
const locationStage = "push-location"

/** Our tariff's module and path. */
export const tariffAt = {
  module: "tariffs",
  object: "tariff",
  at: (history: RunHistory) => [freshId(history, "T")]
} as const
/** Our location's module and path. */
export const locationAt = {
  module: "locations",
  object: "location",
  at: (history: RunHistory) => [freshId(history, "L")]
} as const
/** Our EVSE's module and path. */
export const evseAt = {
  module: "locations",
  object: "evse",
  at: (history: RunHistory) => [freshId(history, "L"), freshId(history, "E")]
} as const

/**
 * Stage that PUTs the tariff, before the location that names it. A run can do without it, if the partner accepts no
 * tariffs.
 */
export const pushTariff: JourneyStage = tell(
  {
    id: tariffStage,
    name: "Push the tariff",
    description: "PUT a tariff of ours, made for this run: two cents per kWh.",
    optionalForLater: true
  },
  { ...tariffAt, method: "PUT", body: (history) => tariffOf(history), whole: (history) => tariffOf(history) },
  { title: "The partner accepts our tariff", reference: "mod_tariffs, Receiver Interface, PUT Method" }
)

/** Stage that PUTs our location. `isNeeded`: the run cannot go on without it. */
export const pushLocation = (
  kind: PlaceKind = hiddenPlace,
  { isNeeded = false }: { readonly isNeeded?: boolean } = {}
): JourneyStage => {
  const location = (history: RunHistory) => placeFor(history, kind).location
  return tell(
    {
      id: locationStage,
      name: "Push the location",
      description: `PUT a location of ours, made for this run, with one free EVSE: ${kind.name}.`,
      optionalForLater: !isNeeded
    },
    { ...locationAt, method: "PUT", body: location, whole: location },
    { title: "The partner accepts our location", reference: "mod_locations, Receiver Interface, PUT Method" }
  )
}

/** Stage that PATCHes our EVSE's status. `at`: when it changed, in epoch milliseconds. */
export const showStatus = (
  stage: Pick<JourneyStage, "id" | "name">,
  status: string,
  at: (history: RunHistory) => number,
  kind: PlaceKind = hiddenPlace
): JourneyStage =>
  tell(
    { ...stage, description: `PATCH the status of our EVSE: ${status}.`, optionalForLater: true },
    {
      ...evseAt,
      method: "PATCH",
      body: (history) => ({ status, last_updated: dateTimeOf(at(history)) }),
      whole: (history) => placeFor(history, kind, { status, at: at(history) }).location,
      without: (history) =>
        wasTold(history, locationStage)
          ? undefined
          : "The partner does not have the location, as far as we know"
    },
    {
      title: `The partner accepts the status ${status} of our EVSE`,
      reference: "mod_locations, Receiver Interface, PATCH Method"
    }
  )

/** Was the stage's write sent and not refused, so that the partner may have the object? */
const mayHave = (history: RunHistory, stageId: string): boolean =>
  intentOf(history, stageId) !== undefined && (answerOf(history, stageId)?.response?.httpStatus ?? 200) < 300

const isGone = (history: RunHistory, operation: string): boolean =>
  history.events.some(
    (event) =>
      event.type === "exchange.completed" &&
      event.exchange.operation === operation &&
      (event.exchange.response?.httpStatus ?? 500) < 300
  )

/** A clean-up that deletes our tariff. */
export const retireTariff: CleanUpPlan = {
  cleanUp: (history) =>
    mayHave(history, tariffStage) && !isGone(history, "DELETE tariff") ? deleteTariff(history) : undefined
}

/** A clean-up of our place: sets the EVSE to REMOVED (OCPI cannot delete a location), and deletes the tariff. */
export const retirePlace: CleanUpPlan = {
  cleanUp: (history, occasion) => [
    ...(mayHave(history, locationStage) && !isGone(history, "remove evse") ? [removeEvse(history)] : []),
    ...[retireTariff.cleanUp?.(history, occasion) ?? []].flat()
  ],
  remains: (history) =>
    mayHave(history, locationStage) ? [`location ${freshId(history, "L")}, with an EVSE that is REMOVED`] : []
}

const removeEvse = (history: RunHistory): CleanUp => ({
  sends: "PATCH locations",
  call: (_, now) => ({
    module: "locations",
    interfaceRole: "RECEIVER",
    operation: "remove evse",
    method: "PATCH",
    path: [...ownPath(history), ...evseAt.at(history)],
    body: { status: "REMOVED", last_updated: dateTimeOf(Date.parse(now)) }
  })
})

const deleteTariff = (history: RunHistory): CleanUp => ({
  sends: "DELETE tariffs",
  call: () => ({
    module: "tariffs",
    interfaceRole: "RECEIVER",
    operation: "DELETE tariff",
    method: "DELETE",
    path: [...ownPath(history), ...tariffAt.at(history)]
  })
})
