/** Faults of a CPO that takes charging profiles. */
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectIn } from "../../../findings/json.ts"
import type { Push } from "../../../party/wire/PartnerQuirks.ts"
import { field, inEach, inside, without } from "../edits.ts"
import { cpo, type Fault } from "../Fault.ts"
import { aboutModule, editData, editEnvelope, when } from "../replies.ts"

const base = {
  module: "chargingprofiles",
  versions: versionsWhere(({ modules }) => modules.includes("chargingprofiles")),
  roles: cpo,
  strength: "must"
} as const

const answer = (edit: (answer: JsonObject) => JsonObject) => ({
  reply: when(
    aboutModule("chargingprofiles"),
    editData((data) => (isObject(data) ? edit(data) : data))
  )
})
/** Results are posted; the active profile is PUT. */
const pushed = (method: Push["method"], edit: (push: Push) => ReadonlyArray<Push>) => ({
  push: (push: Push) => (push.module === "chargingprofiles" && push.method === method ? edit(push) : [push])
})

/** Says ACCEPTED where a request lacks what it needs. */
const acceptedAnyhow = (methods: ReadonlyArray<string>) =>
  when(
    (request) => aboutModule("chargingprofiles")(request) && methods.includes(request.method),
    editEnvelope((envelope) =>
      envelope["status_code"] === ocpiStatus.invalidParameters
        ? { ...envelope, status_code: ocpiStatus.success, data: { result: "ACCEPTED", timeout: 30 } }
        : envelope
    )
  )
/** Changes the word of the result of clearing. */
const cleared = (edit: (word: unknown) => unknown) =>
  pushed("POST", (push) => [
    push.url?.includes("/ClearProfileResult/") === true
      ? { ...push, body: field("result", edit)(objectIn(push.body)) }
      : push
  ])

export const chargingProfilesFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "chargingprofiles.no-timeout",
    description: "Does not say how long the result of setting a profile may take",
    caughtBy: ["CP-001"],
    behaviour: answer(without("timeout"))
  },
  {
    ...base,
    id: "chargingprofiles.unknown-session-accepted",
    description: "Accepts profiles for sessions that it does not know",
    caughtBy: ["CP-003"],
    behaviour: answer(field("result", (word) => (word === "UNKNOWN_SESSION" ? "ACCEPTED" : word)))
  },
  {
    ...base,
    id: "chargingprofiles.no-result",
    description: "Accepts profiles and never sends what became of them",
    caughtBy: ["CP-002"],
    behaviour: pushed("POST", () => [])
  },
  {
    ...base,
    id: "chargingprofiles.enveloped-result",
    description: "Wraps the result of setting a profile in the response envelope",
    caughtBy: ["CP-002"],
    behaviour: pushed("POST", (push) => [{ ...push, body: { data: push.body, status_code: 1000 } }])
  },
  {
    ...base,
    id: "chargingprofiles.result-without-profile",
    description: "Reports that it has read the active profile, and leaves the profile out",
    caughtBy: ["CP-004"],
    behaviour: pushed("POST", (push) => [{ ...push, body: without("profile")(objectIn(push.body)) }])
  },
  {
    ...base,
    id: "chargingprofiles.three-decimals",
    strength: "should",
    description: "Gives the limits of an active profile with three decimals",
    caughtBy: ["CP-012"],
    behaviour: pushed("PUT", (push) => [
      {
        ...push,
        body: inside(
          "charging_profile",
          inEach(
            "charging_profile_period",
            field("limit", (limit) => Number(limit) + 0.123)
          )
        )(objectIn(push.body))
      }
    ])
  },
  {
    ...base,
    id: "chargingprofiles.anything-read",
    description: "Accepts to read and clear profiles without saying where the result is to go",
    caughtBy: ["CP-005"],
    behaviour: { reply: acceptedAnyhow(["GET", "DELETE"]) }
  },
  {
    ...base,
    id: "chargingprofiles.anything-set",
    description: "Accepts profiles that are not valid",
    caughtBy: ["CP-008"],
    behaviour: { reply: acceptedAnyhow(["PUT"]) }
  },
  {
    ...base,
    id: "chargingprofiles.never-cleared",
    description: "Reports that the charge point did not clear the profile",
    caughtBy: ["CP-006"],
    behaviour: cleared((word) => (word === "ACCEPTED" ? "REJECTED" : word))
  },
  {
    ...base,
    id: "chargingprofiles.none-rejected",
    strength: "should",
    description: "Calls it rejected when there is no profile to clear",
    caughtBy: ["CP-007"],
    behaviour: cleared((word) => (word === "UNKNOWN" ? "REJECTED" : word))
  },
  {
    ...base,
    id: "chargingprofiles.set-when-over",
    strength: "should",
    description: "Accepts profiles for sessions that are over",
    caughtBy: ["CP-009"],
    behaviour: answer(field("result", (word) => (word === "REJECTED" ? "ACCEPTED" : word)))
  },
  {
    ...base,
    id: "chargingprofiles.result-of-rejected",
    description: "Rejects to read a profile, and sends it all the same",
    caughtBy: ["CP-010"],
    behaviour: {
      reply: when(
        (request) => aboutModule("chargingprofiles")(request) && request.method === "GET",
        editData((data) =>
          isObject(data) ? field("result", (word) => (word === "ACCEPTED" ? "REJECTED" : word))(data) : data
        )
      )
    }
  },
  {
    ...base,
    id: "chargingprofiles.unknown-unit",
    description: "Tells active profiles in a unit that OCPI does not know",
    caughtBy: ["CP-011"],
    behaviour: pushed("PUT", (push) => [
      {
        ...push,
        body: inside(
          "charging_profile",
          field("charging_rate_unit", () => "KW")
        )(objectIn(push.body))
      }
    ])
  }
]
