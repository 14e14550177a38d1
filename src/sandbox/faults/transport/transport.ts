/** Faults of the envelope and of headers, in every module. */

import { hourMillis } from "../../../../schema/fields/durations.ts"
import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import type { JsonObject } from "../../../findings/json.ts"
import { setEndSlash } from "../../../ocpi/followUp.ts"
import { allVersions, bothRoles, type Fault, withRoles } from "../Fault.ts"
import {
  aboutDetails,
  aboutVersions,
  editData,
  editEnvelope,
  answeredLists as lists,
  when,
  withHeader
} from "../replies.ts"

const base = { module: "transport", versions: allVersions, roles: bothRoles, strength: "must" } as const

const isError = (envelope: JsonObject) => Number(envelope["status_code"]) >= 2000
const withoutTimestamp = ({ timestamp: _, ...envelope }: JsonObject) => envelope

/** Faults in the envelope, the Content-Type, the message ids and the routing headers of a partner's answers. */
export const transportFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "transport.html-content-type",
    description: "Sends JSON with Content-Type text/html",
    caughtBy: ["TRANS-011"],
    behaviour: {
      reply: (_, reply) => (reply.body === null ? reply : withHeader(reply, "Content-Type", "text/html"))
    }
  },
  {
    ...base,
    id: "transport.status-code-as-text",
    description: "Writes status_code as a text",
    caughtBy: ["TRANS-012"],
    behaviour: {
      reply: lists(
        editEnvelope((envelope) => ({ ...envelope, status_code: String(envelope["status_code"]) }))
      )
    }
  },
  {
    ...base,
    id: "transport.no-timestamp",
    description: "Leaves the timestamp out of lists",
    caughtBy: ["TRANS-013"],
    behaviour: { reply: lists(editEnvelope(withoutTimestamp)) }
  },
  {
    ...base,
    id: "transport.slow-clock",
    strength: "should",
    description: "Gives its answers a timestamp one hour early",
    caughtBy: ["TRANS-014"],
    behaviour: {
      reply: editEnvelope((envelope) => {
        const millis = dateTimeMillis(envelope["timestamp"])
        return millis === undefined ? envelope : { ...envelope, timestamp: dateTimeOf(millis - hourMillis) }
      })
    }
  },
  {
    ...base,
    id: "transport.null-for-empty",
    description: "Answers an empty list with null",
    caughtBy: ["TRANS-015"],
    behaviour: { reply: lists(editData((data) => (Array.isArray(data) && data.length === 0 ? null : data))) }
  },
  {
    ...base,
    id: "transport.bare-errors",
    description: "Leaves the timestamp out of errors",
    caughtBy: ["TRANS-016"],
    behaviour: {
      reply: editEnvelope((envelope) => (isError(envelope) ? withoutTimestamp(envelope) : envelope))
    }
  },
  {
    ...base,
    id: "transport.custom-status-code",
    versions: withRoles,
    description: "Answers errors with a status code from the custom range",
    caughtBy: ["TRANS-017"],
    behaviour: {
      reply: editEnvelope((envelope) =>
        isError(envelope)
          ? { ...envelope, status_code: Math.floor(Number(envelope["status_code"]) / 1000) * 1000 + 900 }
          : envelope
      )
    }
  },
  {
    ...base,
    id: "transport.slash-redirects",
    strength: "should",
    description: "Redirects GET of an object to the same URL with a slash at its end",
    caughtBy: ["TRANS-059"],
    behaviour: {
      reply: when(
        ({ method, path }) => method === "GET" && path.length > 2 && path.at(-1) !== "",
        ({ url }) => ({
          httpStatus: 307,
          headers: { location: setEndSlash(url, "with") },
          body: null
        })
      )
    }
  },
  {
    ...base,
    id: "transport.no-request-id",
    versions: withRoles,
    description: "Does not return X-Request-ID",
    caughtBy: ["TRANS-025"],
    behaviour: { reply: (_, reply) => withHeader(reply, "X-Request-ID", undefined) }
  },
  {
    ...base,
    id: "transport.no-correlation-id",
    versions: withRoles,
    description: "Does not return X-Correlation-ID",
    caughtBy: ["TRANS-026"],
    behaviour: { reply: (_, reply) => withHeader(reply, "X-Correlation-ID", undefined) }
  },
  {
    ...base,
    id: "transport.routed-discovery",
    versions: withRoles,
    description: "Sends routing headers with the versions list and details",
    caughtBy: ["TRANS-031"],
    behaviour: {
      reply: when(
        (request) => aboutVersions(request) || aboutDetails(request),
        (_, reply) =>
          withHeader(withHeader(reply, "OCPI-from-country-code", "NL"), "OCPI-from-party-id", "SBX")
      )
    }
  }
]
