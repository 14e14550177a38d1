/** Faults of a CPO that receives commands. */
import { Redacted } from "effect"
import { isObject, objectIn } from "../../../findings/json.ts"
import type { OcpiCall } from "../../../ocpi/OcpiClient.ts"
import type { Push } from "../../../party/wire/PartnerQuirks.ts"
import { allVersions, cpo, type Fault, withRoles } from "../Fault.ts"
import { type EditPush, hidden, isResult, never } from "../pushes.ts"
import { aboutCommand, aboutModule, editData, when } from "../replies.ts"

const base = { module: "commands", versions: allVersions, roles: cpo, strength: "must" } as const

/** How much later than promised a late result is sent, and the timeout that the partner promises. */
const lateMillis = 6_000
const promisedSeconds = 2

const result =
  (edit: (push: Push) => ReadonlyArray<Push>): EditPush =>
  (push) =>
    isResult(push) ? edit(push) : [push]

/** Suppresses the pushes of a charge: its session, its CDR and the status of its EVSE. */
const notCharged: EditPush = (push) =>
  push.operation === "PATCH evse" ? [] : never("sessions", "cdrs")(push)

/** Sends the request with the other token of the registration: the one that the partner issued itself. */
function withOwnToken(call: OcpiCall): OcpiCall {
  const { authorization, secrets } = call
  if (authorization === undefined) return call
  const theirs = Redacted.value(authorization.token)
  const own = secrets.find(({ value }) => Redacted.value(value) !== theirs)
  return own === undefined ? call : { ...call, authorization: { ...authorization, token: own.value } }
}

/**
 * Faults in whether, when and with which token a CPO sends the results of commands, and whether it carries the commands
 * out.
 */
export const commandsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "commands.no-result",
    description: "Accepts commands and never sends their result",
    caughtBy: ["CMD-004"],
    behaviour: { push: result(() => []) }
  },
  {
    ...base,
    id: "commands.late-result",
    versions: withRoles,
    strength: "should",
    description: `Promises a command's result within ${promisedSeconds} s and sends it ${lateMillis / 1000} s after that`,
    caughtBy: ["CMD-005"],
    behaviour: {
      reply: when(
        aboutModule("commands"),
        editData((data) =>
          isObject(data) && "timeout" in data ? { ...data, timeout: promisedSeconds } : data
        )
      ),
      push: result((push) => [
        { ...push, delayMillis: push.delayMillis + promisedSeconds * 1000 + lateMillis }
      ])
    }
  },
  {
    ...base,
    id: "commands.result-twice",
    strength: "should",
    description: "Sends each command's result twice",
    caughtBy: ["CMD-009"],
    behaviour: { push: result((push) => [push, { ...push, delayMillis: push.delayMillis + 200 }]) }
  },
  {
    ...base,
    id: "commands.result-with-own-token",
    description: "Sends command results with the token that it issued itself",
    caughtBy: ["CMD-008"],
    behaviour: { call: (call) => (call.operation === "command-result" ? withOwnToken(call) : call) }
  },
  {
    ...base,
    id: "commands.enveloped-result-of-stop",
    description: "Wraps the result of STOP_SESSION in the response envelope",
    caughtBy: ["CMD-007"],
    behaviour: {
      push: result((push) =>
        push.url?.includes("STOP_SESSION") === true
          ? [{ ...push, body: { data: push.body, status_code: 1000 } }]
          : [push]
      )
    }
  },
  {
    ...base,
    id: "commands.enveloped-result",
    description: "Wraps a command's result in the response envelope",
    caughtBy: ["CMD-007"],
    behaviour: {
      push: result((push) => [{ ...push, body: { data: push.body, status_code: 1000 } }])
    }
  },
  {
    ...base,
    id: "commands.result-failed",
    versions: withRoles,
    description: "Accepts commands, reports FAILED, and charges nothing",
    caughtBy: ["CMD-020", "JRN-002"],
    behaviour: {
      reply: hidden("sessions"),
      push: (push) =>
        isResult(push) ? [{ ...push, body: { ...objectIn(push.body), result: "FAILED" } }] : notCharged(push)
    }
  },
  {
    ...base,
    id: "commands.start-rejected",
    description: "Rejects every START_SESSION",
    caughtBy: ["JRN-002"],
    behaviour: {
      reply: (request, reply) =>
        hidden("sessions")(
          request,
          when(
            aboutCommand("START_SESSION"),
            editData((data) => (isObject(data) ? { ...data, result: "REJECTED" } : data))
          )(request, reply)
        ),
      push: (push) => (push.command === "START_SESSION" ? [] : notCharged(push))
    }
  }
]
