import { Schema } from "effect"
import { hourMillis } from "../../../../schema/fields/durations.ts"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import type { JsonObject } from "../../../findings/json.ts"
import { isNoObject } from "../../../findings/objectDifferences.ts"
import type { JourneyStage, JourneyTemplate } from "../../model/JourneyTemplate.ts"
import { answerOf, dataOf, type RunHistory } from "../../model/RunHistory.ts"
import { noAnswerReason, ownError } from "../../model/rulings.ts"
import { ownPath, tariffOf } from "../../stages/asCpo/ourPlace.ts"
import { pushTariff as push, retireTariff, tariffAt } from "../../stages/asCpo/ourPlaceStages.ts"
import { taken } from "../../stages/asCpo/ownObjectRules.ts"
import { readBack, reading, tell } from "../../stages/asCpo/ownObjects.ts"
import { waitFields } from "../../stages/charge/inputs.ts"

/** The tariff an hour later: a higher price, and a text that says that it is a test. */
const dearer = (history: RunHistory): JsonObject => ({
  ...tariffOf(history, 0.5, Date.parse(history.createdAt) - hourMillis),
  tariff_alt_text: [{ language: "en", text: "A test: nobody is billed" }]
})

/** The tariff after that, without the text. */
const last = (history: RunHistory): JsonObject =>
  tariffOf(history, 0.5, Date.parse(history.createdAt) - 1_800_000)

const receiver = (method: string) => `mod_tariffs, Receiver Interface, ${method} Method`

const deleteTariff: JourneyStage = {
  id: "delete-tariff",
  name: "Delete the tariff",
  actor: "us",
  module: "tariffs",
  description: "DELETE the tariff, which no connector names.",
  timeoutSeconds: 30,
  act: {
    act: "exchange",
    sends: "DELETE tariffs",
    call: (history) => ({
      module: "tariffs",
      interfaceRole: "RECEIVER",
      operation: "DELETE tariff",
      method: "DELETE",
      path: [...ownPath(history), ...tariffAt.at(history)]
    }),
    readBack: {
      reads: "GET tariffs",
      call: (history) => reading(tariffAt, history),
      found: (_, __, answer) => (isThere(dataOf(answer)) ? "absent" : "present"),
      proven: () => false,
      patienceSeconds: 0
    }
  },
  writes: true,
  idempotent: false,
  optionalForLater: false,
  expect: [taken("delete-tariff", { title: "The partner deletes the tariff", reference: receiver("DELETE") })]
}

const isThere = (data: unknown): boolean => !isNoObject(data)

const readGone: JourneyStage = {
  id: "read-gone",
  name: "Read the deleted tariff",
  actor: "us",
  module: "tariffs",
  description: "GET the tariff after it was deleted: it must not exist.",
  timeoutSeconds: 30,
  act: {
    act: "exchange",
    sends: "GET tariffs",
    readsStored: true,
    call: (history) => reading(tariffAt, history)
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: [
    {
      id: "read-gone.gone",
      title: "The partner no longer has the tariff",
      strength: "must",
      reference: receiver("DELETE"),
      judge: (history) => {
        const answer = answerOf(history, "read-gone")
        if (answer === undefined) return { notTested: "Nothing was read back" }
        if (answer.response === null) return { message: noAnswerReason(answer) }
        const expected = "HTTP 404, or a status code that says so"
        return answer.response.httpStatus === 200 && isThere(dataOf(answer))
          ? {
              message: "The partner still has the deleted tariff",
              pointer: "/data",
              expected,
              actual: "HTTP 200 with a tariff"
            }
          : ownError(answer, expected)
      }
    }
  ]
}

const whole = (body: typeof dearer) => ({ ...tariffAt, method: "PUT", body, whole: body }) as const

/** The life of a tariff of ours at the partner: created, replaced, deleted. We are the CPO. */
export const pushTariff: JourneyTemplate = {
  ...retireTariff,
  id: "push-tariff",
  packs: ["go-live", "money"],
  name: "Life of a tariff",
  description: "We push a tariff, replace it twice, read back the partner's copy, and delete it.",
  outcome: "The partner accepted every change of the tariff, and no longer has it.",
  ourRole: "CPO",
  supportedVersions: versionNumbers,
  needs: [["tariffs", "RECEIVER"]],
  requiredPlan: "integrate",
  expectedDurationSeconds: 10,
  inputs: Schema.Struct(waitFields),
  stages: [
    { ...push, optionalForLater: false },
    readBack(
      {
        id: "read-tariff",
        name: "Read the tariff back",
        description: "GET the tariff: it must be what we sent."
      },
      tariffAt,
      (history) => tariffOf(history),
      { title: "The partner's copy of the tariff equals ours", reference: receiver("GET") }
    ),
    tell(
      {
        id: "change-price",
        name: "Change the price",
        description: "PUT the tariff with another price and a text.",
        optionalForLater: true
      },
      whole(dearer),
      { title: "The partner accepts a tariff that replaces an older one", reference: receiver("PUT") }
    ),
    tell(
      {
        id: "drop-text",
        name: "Drop the text",
        description: "PUT the tariff without its text, which must then disappear.",
        optionalForLater: true
      },
      whole(last),
      { title: "The partner accepts a tariff with fewer fields", reference: receiver("PUT") }
    ),
    readBack(
      {
        id: "read-changed",
        name: "Read the changed tariff",
        description: "GET the tariff: it must have the new price, and no text."
      },
      tariffAt,
      last,
      {
        title: "The partner's copy of the tariff has the new price",
        reference: receiver("GET"),
        after: ["drop-text"],
        dropped: ["tariff_alt_text"]
      }
    ),
    deleteTariff,
    readGone
  ]
}
