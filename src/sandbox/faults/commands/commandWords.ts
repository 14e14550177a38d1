/** Faults in the values of a CPO's answers to commands, and of their results. */

import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectIn } from "../../../findings/json.ts"
import { field, without } from "../edits.ts"
import { allVersions, cpo, type Fault } from "../Fault.ts"
import { isResult } from "../pushes.ts"
import { aboutModule, editData, editEnvelope, when } from "../replies.ts"

const base = { module: "commands", versions: allVersions, roles: cpo, strength: "must" } as const
const withTimeout = versionsWhere(({ commandTimeout }) => commandTimeout)

const answer = (edit: (answer: JsonObject) => unknown) => ({
  reply: when(
    aboutModule("commands"),
    editData((data) => (isObject(data) ? edit(data) : data))
  )
})
const result = (edit: (body: JsonObject) => unknown) => ({
  push: (push: Parameters<typeof isResult>[0]) =>
    isResult(push) && push.module === "commands" ? [{ ...push, body: edit(objectIn(push.body)) }] : [push]
})

/** Faults in the form and the values of a CPO's CommandResponse and CommandResult. */
export const commandWordsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "commands.no-timeout",
    versions: withTimeout,
    description: "Leaves the timeout out of its answers to commands",
    caughtBy: ["CMD-002"],
    behaviour: answer(without("timeout"))
  },
  {
    ...base,
    id: "commands.bare-answer",
    description: "Answers commands with a bare string instead of an object",
    caughtBy: ["CMD-001"],
    behaviour: answer((data) => data["result"])
  },
  {
    ...base,
    id: "commands.timeout-at-once",
    versions: withTimeout,
    description: "Answers TIMEOUT to a command, which only a result may say in this version",
    caughtBy: ["CMD-003"],
    behaviour: answer(field("result", () => "TIMEOUT"))
  },
  {
    ...base,
    id: "commands.message-as-text",
    versions: withTimeout,
    description: "Writes the message of an answer as a text instead of a list of DisplayText",
    caughtBy: ["CMD-002"],
    behaviour: answer((data) => ({ ...data, message: "All right" }))
  },
  {
    ...base,
    id: "commands.unknown-location-accepted",
    description: "Accepts commands for locations that it does not have",
    caughtBy: ["CMD-011"],
    behaviour: {
      reply: when(
        aboutModule("commands"),
        editEnvelope((envelope) =>
          envelope["status_code"] === ocpiStatus.unknownLocation
            ? { ...envelope, status_code: ocpiStatus.success, data: { result: "ACCEPTED", timeout: 30 } }
            : envelope
        )
      )
    }
  },
  {
    ...base,
    id: "commands.unknown-session-rejected",
    description: "Answers REJECTED instead of UNKNOWN_SESSION to an unknown session",
    caughtBy: ["CMD-013"],
    behaviour: answer(field("result", (word) => (word === "UNKNOWN_SESSION" ? "REJECTED" : word)))
  },
  {
    ...base,
    id: "commands.unknown-result",
    description: "Sends a command result with a value that OCPI does not know",
    caughtBy: ["CMD-007"],
    behaviour: result(field("result", () => "SUCCESSFUL"))
  },
  {
    ...base,
    id: "commands.bare-result",
    description: "Sends a command result as a bare string instead of an object",
    caughtBy: ["CMD-007"],
    behaviour: result((body) => body["result"])
  }
]
