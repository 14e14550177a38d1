/** Faults of a CPO that does not check what a command refers to: locations, tokens, times, and required fields. */
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectIn } from "../../../findings/json.ts"
import type { Push } from "../../../party/wire/PartnerQuirks.ts"
import type { OcpiRequest } from "../../../party/wire/Request.ts"
import { field } from "../edits.ts"
import { allVersions, cpo, type Fault, withRoles } from "../Fault.ts"
import { isResult } from "../pushes.ts"
import {
  aboutCommand,
  aboutModule,
  type EditReply,
  editData,
  editEnvelope,
  jsonOf,
  when
} from "../replies.ts"

const base = { module: "commands", versions: allVersions, roles: cpo, strength: "must" } as const

const accepted = { status_code: ocpiStatus.success, data: { result: "ACCEPTED", timeout: 30 } }
const taken: EditReply = (request, reply) => ({
  ...editEnvelope((envelope) => ({ ...envelope, ...accepted }))(request, reply),
  httpStatus: 200
})
const bodyOf = ({ body }: OcpiRequest): JsonObject =>
  objectIn(jsonOf({ httpStatus: 200, headers: {}, body: body === "" ? null : body }))

/** Answers ACCEPTED where the honest CPO answers this result. */
const acceptedFor = (command: string, word: string): EditReply =>
  when(
    aboutCommand(command),
    editData((data) =>
      isObject(data) ? field("result", (one) => (one === word ? "ACCEPTED" : one))(data) : data
    )
  )
const refusedCode =
  (status: number, lacks: (body: JsonObject) => boolean): EditReply =>
  (request, reply) =>
    aboutModule("commands")(request) &&
    request.method === "POST" &&
    objectIn(jsonOf(reply))["status_code"] === status &&
    lacks(bodyOf(request))
      ? taken(request, reply)
      : reply

const result = (command: string, edit: (push: Push) => ReadonlyArray<Push>) => ({
  push: (push: Push) => (isResult(push) && push.command === command ? edit(push) : [push])
})
const word = (command: string, from: ReadonlyArray<string>, to: string) =>
  result(command, (push) => [
    { ...push, body: field("result", (one) => (from.includes(String(one)) ? to : one))(objectIn(push.body)) }
  ])

const lacksEvse = (body: JsonObject) => body["connector_id"] !== undefined && body["evse_uid"] === undefined

/**
 * Faults of a CPO that accepts commands it must refuse, refuses or re-authorizes valid ones, or mishandles their
 * results.
 */
export const commandCareFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "commands.url-without-query",
    description: "Posts the result to the response_url without its query",
    caughtBy: ["CMD-006"],
    behaviour: {
      push: (push) =>
        isResult(push) && push.url !== undefined ? [{ ...push, url: push.url.replace(/\?.*$/, "") }] : [push]
    }
  },
  {
    ...base,
    id: "commands.result-of-rejected",
    description: "Rejects UNLOCK_CONNECTOR and sends a result all the same",
    caughtBy: ["CMD-010"],
    behaviour: {
      reply: when(
        aboutCommand("UNLOCK_CONNECTOR"),
        editData((data) =>
          isObject(data) ? field("result", (one) => (one === "ACCEPTED" ? "REJECTED" : one))(data) : data
        )
      )
    }
  },
  {
    ...base,
    id: "commands.session-by-case",
    versions: withRoles,
    strength: "should",
    description: "Does not find the session of STOP_SESSION when its id is written in the other case",
    caughtBy: ["CMD-041"],
    behaviour: { quirks: ["minds the case of session ids"] }
  },
  {
    ...base,
    id: "commands.any-place",
    strength: "should",
    description: "Accepts START_SESSION at EVSEs that it does not have and sends nothing further",
    caughtBy: ["CMD-012"],
    behaviour: { reply: acceptedFor("START_SESSION", "REJECTED") }
  },
  {
    ...base,
    id: "commands.any-name",
    description: "Accepts commands that OCPI does not know",
    caughtBy: ["CMD-014"],
    behaviour: {
      reply: (request, reply) =>
        aboutModule("commands")(request) && request.method === "POST" && reply.httpStatus === 404
          ? taken(request, reply)
          : reply
    }
  },
  {
    ...base,
    id: "commands.anything-accepted",
    description: "Accepts commands without their required fields",
    caughtBy: ["CMD-015"],
    behaviour: { reply: refusedCode(ocpiStatus.invalidParameters, (body) => !lacksEvse(body)) }
  },
  {
    ...base,
    id: "commands.connector-of-any-evse",
    versions: versionsWhere(({ startSessionConnector }) => startSessionConnector),
    strength: "should",
    description: "Accepts a connector_id without evse_uid",
    caughtBy: ["CMD-016"],
    behaviour: { reply: refusedCode(ocpiStatus.invalidParameters, lacksEvse) }
  },
  {
    ...base,
    id: "commands.starts-twice",
    strength: "should",
    description: "Reports that it started a second session at an EVSE that is charging",
    caughtBy: ["CMD-018"],
    behaviour: word("START_SESSION", ["EVSE_OCCUPIED", "REJECTED"], "ACCEPTED")
  },
  {
    ...base,
    id: "commands.late-start",
    description: "Reports that a start timed out and starts the session all the same",
    caughtBy: ["JRN-008"],
    behaviour: { quirks: ["starts after a time-out"] }
  },
  {
    ...base,
    id: "commands.known-tokens-only",
    versions: withRoles,
    description: "Rejects START_SESSION with a token that was never pushed to it",
    caughtBy: ["CMD-023"],
    behaviour: {
      reply: when(
        (request) => aboutCommand("START_SESSION")(request) && request.body.includes("APP_USER"),
        editData((data) => (isObject(data) ? { ...data, result: "REJECTED" } : data))
      )
    }
  },
  {
    ...base,
    id: "commands.asks-anyhow",
    versions: withRoles,
    description: "Requests authorization for the token of a command",
    caughtBy: ["CMD-024", "CMD-025"],
    behaviour: { quirks: ["authorizes commands"] }
  },
  {
    ...base,
    id: "commands.unlock-without-result",
    description: "Accepts UNLOCK_CONNECTOR and never sends its result",
    caughtBy: ["CMD-038", "CMD-039"],
    behaviour: result("UNLOCK_CONNECTOR", () => [])
  },
  {
    ...base,
    id: "commands.result-retried",
    strength: "should",
    description: "Sends a result again when it was answered HTTP 500",
    caughtBy: ["CMD-040"],
    behaviour: { quirks: ["repeats refused results"] }
  }
]
