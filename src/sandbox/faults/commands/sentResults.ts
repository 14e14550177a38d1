/** Faults of an EMSP that takes the results of its commands. */
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { objectIn } from "../../../findings/json.ts"
import type { OcpiReply, OcpiRequest } from "../../../party/wire/Request.ts"
import { allVersions, emsp, type Fault, withRoles } from "../Fault.ts"
import { aboutModule, editEnvelope, jsonOf, refused, unlocked, when } from "../replies.ts"

const base = { module: "commands", versions: allVersions, roles: emsp, strength: "must" } as const

/** POST to a response_url, with that word. */
const isPost = (request: OcpiRequest) => aboutModule("commands")(request) && request.method === "POST"
const says =
  (...words: ReadonlyArray<string>) =>
  (request: OcpiRequest) =>
    isPost(request) && words.some((word) => request.body.includes(`"${word}"`))

const answered = (status_code: number) => editEnvelope((envelope) => ({ ...envelope, status_code }))
const isInvalid = (reply: OcpiReply) =>
  objectIn(jsonOf(reply))["status_code"] === ocpiStatus.invalidParameters

export const sentResultsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "commands.results-refused",
    description: "Refuses the results of its commands when they say ACCEPTED",
    caughtBy: ["CMD-107"],
    behaviour: { reply: when(says("ACCEPTED"), answered(ocpiStatus.clientError)) }
  },
  {
    ...base,
    id: "commands.timeouts-refused",
    description: "Refuses a result that says TIMEOUT",
    caughtBy: ["CMD-108"],
    behaviour: { reply: when(says("TIMEOUT"), answered(ocpiStatus.invalidParameters)) }
  },
  {
    ...base,
    id: "commands.any-result",
    strength: "should",
    description: "Takes results that there are not",
    caughtBy: ["CMD-109"],
    behaviour: {
      reply: when(isPost, (request, reply) =>
        isInvalid(reply) ? answered(ocpiStatus.success)(request, reply) : reply
      )
    }
  },
  {
    ...base,
    id: "commands.results-open",
    description: "Takes results from anybody",
    caughtBy: ["CMD-110"],
    behaviour: { reply: when(isPost, unlocked(undefined)) }
  },
  {
    ...base,
    id: "commands.results-crash",
    strength: "should",
    description: "Fails over the results of its commands",
    caughtBy: ["CMD-111"],
    behaviour: {
      reply: when(says("ACCEPTED"), (_, reply) => (reply.httpStatus === 401 ? reply : refused(reply, 500)))
    }
  },
  {
    ...base,
    id: "commands.cancellation-refused",
    versions: withRoles,
    description: "Refuses to hear that a reservation was cancelled",
    caughtBy: ["CMD-112"],
    behaviour: { reply: when(says("CANCELED_RESERVATION"), answered(ocpiStatus.invalidParameters)) }
  }
]
