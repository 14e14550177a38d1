/** Telling the partner of a place of ours: that it is there, how it stands, and that it is gone. */
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import type { CleanUp, JourneyStage, Tidying } from "../../model/JourneyTemplate.ts"
import { answerOf, intentOf, type Memory } from "../../model/Memory.ts"
import { freshId, hiddenPlace, ownPath, type PlaceKind, placeFor, tariffOf } from "./ourPlace.ts"
import { tell, wasTold } from "./ownObjects.ts"

const tariffStage = "push-tariff"
const locationStage = "push-location"

export const tariffAt = {
  module: "tariffs",
  object: "tariff",
  at: (memory: Memory) => [freshId(memory, "T")]
} as const
export const locationAt = {
  module: "locations",
  object: "location",
  at: (memory: Memory) => [freshId(memory, "L")]
} as const
export const evseAt = {
  module: "locations",
  object: "evse",
  at: (memory: Memory) => [freshId(memory, "L"), freshId(memory, "E")]
} as const

/** Before the location that names it. A partner that takes no tariffs can do without. */
export const pushTariff: JourneyStage = tell(
  {
    id: tariffStage,
    name: "Push the tariff",
    description: "PUT a tariff of ours, made for this run: two cents for a kWh.",
    optionalForLater: true
  },
  { ...tariffAt, method: "PUT", body: (memory) => tariffOf(memory), whole: (memory) => tariffOf(memory) },
  { title: "The partner takes our tariff", reference: "mod_tariffs, Receiver Interface PUT" }
)

/** `isNeeded`: without it the run makes no sense. */
export const pushLocation = (kind: PlaceKind = hiddenPlace, isNeeded = false): JourneyStage => {
  const location = (memory: Memory) => placeFor(memory, kind).location
  return tell(
    {
      id: locationStage,
      name: "Push the location",
      description: `PUT a location of ours, made for this run, with one free EVSE: ${kind.name}.`,
      optionalForLater: !isNeeded
    },
    { ...locationAt, method: "PUT", body: location, whole: location },
    { title: "The partner takes our location", reference: "mod_locations, Receiver Interface PUT" }
  )
}

/** PATCH of the EVSE's status. `at`: when it changed, in milliseconds. */
export const showStatus = (
  stage: Pick<JourneyStage, "id" | "name">,
  status: string,
  at: (memory: Memory) => number,
  kind: PlaceKind = hiddenPlace
): JourneyStage =>
  tell(
    { ...stage, description: `PATCH the status of our EVSE: ${status}.`, optionalForLater: true },
    {
      ...evseAt,
      method: "PATCH",
      body: (memory) => ({ status, last_updated: dateTimeOf(at(memory)) }),
      whole: (memory) => placeFor(memory, kind, { status, at: at(memory) }).location,
      without: (memory) =>
        wasTold(memory, locationStage)
          ? undefined
          : "The partner does not have the location, as far as we know"
    },
    {
      title: `The partner takes that our EVSE is ${status}`,
      reference: "mod_locations, Receiver Interface PATCH"
    }
  )

/** Sent, and not refused: the partner may have it. */
const mayHave = (memory: Memory, stageId: string): boolean =>
  intentOf(memory, stageId) !== undefined && (answerOf(memory, stageId)?.response?.httpStatus ?? 200) < 300

const isGone = (memory: Memory, operation: string): boolean =>
  memory.events.some(
    ({ exchange, type }) =>
      type === "exchange.completed" &&
      exchange?.operation === operation &&
      (exchange.response?.httpStatus ?? 500) < 300
  )

/** Takes the tariff away again. */
export const retireTariff: Tidying = {
  cleanUp: (memory) =>
    mayHave(memory, tariffStage) && !isGone(memory, "DELETE tariff") ? deleteTariff(memory) : undefined
}

/** Takes the place away again: an EVSE that is REMOVED (a location cannot be deleted), and no tariff. */
export const retirePlace: Tidying = {
  cleanUp: (memory, decided) => [
    ...(mayHave(memory, locationStage) && !isGone(memory, "remove evse") ? [removeEvse(memory)] : []),
    ...[retireTariff.cleanUp?.(memory, decided) ?? []].flat()
  ],
  remains: (memory) =>
    mayHave(memory, locationStage) ? [`location ${freshId(memory, "L")}, with an EVSE that is REMOVED`] : []
}

const removeEvse = (memory: Memory): CleanUp => ({
  sends: "PATCH locations",
  call: (_, now) => ({
    module: "locations",
    interfaceRole: "RECEIVER",
    operation: "remove evse",
    method: "PATCH",
    path: [...ownPath(memory), ...evseAt.at(memory)],
    body: { status: "REMOVED", last_updated: dateTimeOf(Date.parse(now)) }
  })
})

const deleteTariff = (memory: Memory): CleanUp => ({
  sends: "DELETE tariffs",
  call: () => ({
    module: "tariffs",
    interfaceRole: "RECEIVER",
    operation: "DELETE tariff",
    method: "DELETE",
    path: [...ownPath(memory), ...tariffAt.at(memory)]
  })
})
