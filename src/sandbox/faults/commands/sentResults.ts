/** Faults of an EMSP that receives the results of its commands. */
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { objectIn } from "../../../findings/json.ts"
import type { OcpiReply, OcpiRequest } from "../../../party/wire/Request.ts"
import { allVersions, emsp, type Fault, withRoles } from "../Fault.ts"
import { aboutModule, editEnvelope, jsonOf, refused, unlocked, when } from "../replies.ts"

const base = { module: "commands", versions: allVersions, roles: emsp, strength: "must" } as const

/** A POST to a response_url. */
const isPost = (request: OcpiRequest) => aboutModule("commands")(request) && request.method === "POST"
const says =
  (...words: ReadonlyArray<string>) =>
  (request: OcpiRequest) =>
    isPost(request) && words.some((word) => request.body.includes(`"${word}"`))

const answered = (status_code: number) => editEnvelope((envelope) => ({ ...envelope, status_code }))
const isInvalid = (reply: OcpiReply) =>
  objectIn(jsonOf(reply))["status_code"] === ocpiStatus.invalidParameters

/** Faults in how an EMSP answers the command results that a CPO posts to its response_url. */
export const sentResultsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "commands.results-refused",
    description: "Refuses command results that say ACCEPTED",
    caughtBy: ["CMD-107"],
    behaviour: { reply: when(says("ACCEPTED"), answered(ocpiStatus.clientError)) }
  },
  {
    ...base,
    id: "commands.timeouts-refused",
    description: "Refuses command results that say TIMEOUT",
    caughtBy: ["CMD-108"],
    behaviour: { reply: when(says("TIMEOUT"), answered(ocpiStatus.invalidParameters)) }
  },
  {
    ...base,
    id: "commands.any-result",
    strength: "should",
    description: "Accepts invalid command results",
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
    description: "Accepts command results without a valid token",
    caughtBy: ["CMD-110"],
    behaviour: { reply: when(isPost, unlocked(undefined)) }
  },
  {
    ...base,
    id: "commands.results-crash",
    strength: "should",
    description: "Fails with HTTP 500 on command results that say ACCEPTED",
    caughtBy: ["CMD-111"],
    behaviour: {
      reply: when(says("ACCEPTED"), (_, reply) => (reply.httpStatus === 401 ? reply : refused(reply, 500)))
    }
  },
  {
    ...base,
    id: "commands.cancellation-refused",
    versions: withRoles,
    description: "Refuses the result CANCELED_RESERVATION",
    caughtBy: ["CMD-112"],
    behaviour: { reply: when(says("CANCELED_RESERVATION"), answered(ocpiStatus.invalidParameters)) }
  }
]
