import { Schema } from "effect"
import { hourMillis, minuteMillis } from "../../../../schema/fields/durations.ts"
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { isSuccessCode } from "../../../findings/answers.ts"
import type { JsonObject } from "../../../findings/json.ts"
import { isObject, keyText, objectIn } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import type { JourneyStage, JourneyTemplate } from "../../model/JourneyTemplate.ts"
import { answerOf, dataOf, type RunHistory } from "../../model/RunHistory.ts"
import { noAnswerReason, ownError } from "../../model/rulings.ts"
import { freshId, placeFor } from "../../stages/asCpo/ourPlace.ts"
import {
  evseAt,
  locationAt,
  pushLocation as push,
  pushTariff,
  retirePlace
} from "../../stages/asCpo/ourPlaceStages.ts"
import { afterAccepted } from "../../stages/asCpo/ownObjectRules.ts"
import { readBack, reading, tell } from "../../stages/asCpo/ownObjects.ts"
import { waitFields } from "../../stages/charge/inputs.ts"

/** The time of a change: one each minute, in the hour before the run. */
const minute = ({ createdAt }: RunHistory, number: number): string =>
  dateTimeOf(Date.parse(createdAt) - hourMillis + number * minuteMillis)

const second = (history: RunHistory): string => freshId(history, "E2")
const secondAt = { ...evseAt, at: (history: RunHistory) => [freshId(history, "L"), second(history)] }
const connectorAt = {
  ...evseAt,
  object: "connector",
  at: (history: RunHistory) => [...evseAt.at(history), "1"]
}

const firstEvse = (history: RunHistory): JsonObject => ({
  ...placeFor(history).evse,
  status: "CHARGING",
  last_updated: minute(history, 1)
})
const secondEvse = (history: RunHistory): JsonObject => {
  const { evse } = placeFor(history)
  return {
    ...evse,
    uid: second(history),
    evse_id: `${keyText(evse["evse_id"])}2`,
    last_updated: minute(history, 2)
  }
}
const strongConnector = (history: RunHistory): JsonObject => ({
  ...placeFor(history).connector,
  [history.profile.connectorNames.amperage]: 32,
  last_updated: minute(history, 3)
})
const newName = (history: RunHistory): JsonObject => ({
  name: "plugfest test location, renamed",
  last_updated: minute(history, 4)
})
const removal = (history: RunHistory): JsonObject => ({ status: "REMOVED", last_updated: minute(history, 5) })

/** The location after so many of these changes. */
const after =
  (changes: number) =>
  (history: RunHistory): JsonObject => {
    const { evse, location } = placeFor(history)
    const one = changes >= 1 ? firstEvse(history) : evse
    const strong = { ...one, connectors: [strongConnector(history)], last_updated: minute(history, 3) }
    const two = changes >= 5 ? { ...secondEvse(history), ...removal(history) } : secondEvse(history)
    return {
      ...location,
      ...(changes >= 4 ? newName(history) : {}),
      evses: [changes >= 3 ? strong : one, ...(changes >= 2 ? [two] : [])],
      ...(changes === 0 ? {} : { last_updated: minute(history, changes) })
    }
  }

const receiver = (method: string) => `mod_locations, Receiver Interface, ${method} Method`

/** Stage `read-removed`: the partner answers 404, or the EVSE with status REMOVED. */
const readRemoved: JourneyStage = {
  id: "read-removed",
  name: "Read the removed EVSE",
  actor: "us",
  module: "locations",
  description: "GET the EVSE that was removed: it must have the status REMOVED, or not exist.",
  timeoutSeconds: 30,
  act: {
    act: "exchange",
    sends: "GET locations",
    readsStored: true,
    call: (history) => reading(secondAt, history)
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: [
    {
      id: "read-removed.gone",
      title: "The partner has removed the EVSE, or shows it as REMOVED",
      strength: "must",
      reference: "mod_locations, Status enum",
      judge: afterAccepted(["add-evse", "remove-evse"], (history) => {
        const answer = answerOf(history, "read-removed")
        if (answer === undefined) return { notTested: "Nothing was read back" }
        if (answer.response === null) return { message: noAnswerReason(answer) }
        const broken = ownError(answer, "HTTP 404, or the EVSE as REMOVED")
        if (broken !== undefined) return broken
        if (answer.response.httpStatus === 404 || !isSuccessCode(answer.response.ocpiStatusCode))
          return undefined
        // The stage that reads the EVSE before its removal reports an answer that is no object.
        if (!isObject(dataOf(answer))) return { notTested: "GET of the EVSE returned no object" }
        const { status } = objectIn(dataOf(answer))
        return status === "REMOVED"
          ? undefined
          : {
              message: "The partner shows the removed EVSE with another status than REMOVED",
              pointer: "/data/status",
              expected: "REMOVED",
              actual: inWords(status)
            }
      })
    }
  ]
}

/** The life of a location of ours at the partner: created, changed in each of its parts, and removed. We are the CPO. */
export const pushLocation: JourneyTemplate = {
  ...retirePlace,
  id: "push-location",
  packs: ["go-live"],
  name: "Life of a location",
  description:
    "We push a location, change its EVSEs, a connector and its name, remove an EVSE, and read back the partner's copy.",
  outcome: "The partner accepted every change, and its copy of the location equals ours.",
  ourRole: "CPO",
  supportedVersions: versionNumbers,
  needs: [["locations", "RECEIVER"]],
  requiredPlan: "integrate",
  expectedDurationSeconds: 15,
  inputs: Schema.Struct(waitFields),
  stages: [
    pushTariff,
    push(undefined, { isNeeded: true }),
    readBack(
      {
        id: "read-location",
        name: "Read the location back",
        description: "GET the location: it must be what we sent."
      },
      locationAt,
      after(0),
      { title: "The partner's copy of the location equals ours", reference: receiver("GET") }
    ),
    tell(
      {
        id: "change-status",
        name: "Change a status",
        description: "PATCH the status of the EVSE to CHARGING.",
        optionalForLater: true
      },
      {
        ...evseAt,
        method: "PATCH",
        body: (history) => ({ status: "CHARGING", last_updated: minute(history, 1) }),
        whole: after(1)
      },
      { title: "The partner accepts the status of an EVSE", reference: receiver("PATCH") }
    ),
    readBack(
      {
        id: "read-evse",
        name: "Read the EVSE back",
        description: "GET the EVSE: it must have the new status, and everything else as before."
      },
      evseAt,
      firstEvse,
      {
        title: "A PATCH of the EVSE's status changes nothing else",
        reference: receiver("GET"),
        after: ["change-status"]
      }
    ),
    tell(
      { id: "add-evse", name: "Add an EVSE", description: "PUT a second EVSE.", optionalForLater: true },
      { ...secondAt, method: "PUT", body: secondEvse, whole: after(2) },
      { title: "The partner accepts a new EVSE of an existing location", reference: receiver("PUT") }
    ),
    tell(
      {
        id: "change-connector",
        name: "Change a connector",
        description: "PUT the connector with another amperage.",
        optionalForLater: true
      },
      { ...connectorAt, method: "PUT", body: strongConnector, whole: after(3) },
      { title: "The partner accepts a changed connector", reference: receiver("PUT") }
    ),
    tell(
      {
        id: "rename",
        name: "Rename the location",
        description: "PATCH the name of the location.",
        optionalForLater: true
      },
      { ...locationAt, method: "PATCH", body: newName, whole: after(4) },
      { title: "The partner accepts a change of the location itself", reference: receiver("PATCH") }
    ),
    tell(
      {
        id: "remove-evse",
        name: "Remove an EVSE",
        description: "PATCH the status of the second EVSE to REMOVED.",
        optionalForLater: true
      },
      { ...secondAt, method: "PATCH", body: removal, whole: after(5) },
      { title: "The partner accepts the status REMOVED of an EVSE", reference: receiver("PATCH") }
    ),
    readRemoved,
    readBack(
      {
        id: "read-again",
        name: "Read the location again",
        description: "GET the location after all changes: it must have its new name."
      },
      locationAt,
      (history) => ({ id: freshId(history, "L"), name: newName(history)["name"] }),
      {
        title: "The partner's copy of the location has the change",
        reference: receiver("GET"),
        after: ["rename"]
      }
    )
  ]
}
