/**
 * Edits of answers: which requests a fault is about, and what it changes in the status, headers, envelope and data of
 * their answers.
 */

import { isObject, type JsonObject } from "../../findings/json.ts"
import type { Behaviour } from "../../party/wire/PartnerQuirks.ts"
import type { OcpiReply, OcpiRequest } from "../../party/wire/Request.ts"

/** Changes the answer to a request before it is sent. */
export type EditReply = Behaviour["reply"]
/** Does the fault concern this request? */
export type About = (request: OcpiRequest) => boolean

const pathOf = ({ path }: OcpiRequest) => path.filter((segment) => segment !== "")

/** A request for the versions list. */
export const aboutVersions: About = (request) =>
  pathOf(request).length === 1 && pathOf(request)[0] === "versions"
/** A request for the details of a version. */
export const aboutDetails: About = (request) =>
  pathOf(request).length === 1 && pathOf(request)[0] !== "versions"
/** GET of a list of any functional module. */
export const aboutLists: About = (request) => {
  const [, module, ...rest] = pathOf(request)
  return request.method === "GET" && module !== undefined && module !== "credentials" && rest.length === 0
}
/** GET of one module's list. */
export const aboutList =
  (module: string): About =>
  (request) =>
    aboutLists(request) && pathOf(request)[1] === module
/** Any request to the module. */
export const aboutModule =
  (module: string): About =>
  (request) =>
    pathOf(request)[1] === module
/** POST of a command. */
export const aboutCommand =
  (command: string): About =>
  (request) =>
    aboutModule("commands")(request) && pathOf(request)[2] === command

/** Applies the edit only to the answers to these requests. */
export const when =
  (about: About, edit: EditReply): EditReply =>
  (request, reply) =>
    about(request) ? edit(request, reply) : reply

/** Applies the edit to lists that were answered with data, not to refusals. */
export const answeredLists = (edit: EditReply): EditReply =>
  when(aboutLists, (request, reply) => (isAnswered(reply) ? edit(request, reply) : reply))

const isAnswered = (reply: OcpiReply): boolean => {
  const json = jsonOf(reply)
  return reply.httpStatus === 200 && isObject(json) && json["data"] !== undefined
}

/** Sets a header, or removes it (undefined). */
export const withHeader = (reply: OcpiReply, name: string, value: string | undefined): OcpiReply => {
  const { [name.toLowerCase()]: _, ...others } = reply.headers
  return { ...reply, headers: value === undefined ? others : { ...others, [name.toLowerCase()]: value } }
}

/** A header's value. */
export const headerOf = (reply: OcpiReply, name: string): string | undefined =>
  reply.headers[name.toLowerCase()]

/** Changes the envelope of an answer, if it has one. */
export const editEnvelope =
  (edit: (envelope: JsonObject, request: OcpiRequest) => JsonObject): EditReply =>
  (request, reply) => {
    const json = jsonOf(reply)
    return isObject(json) ? { ...reply, body: JSON.stringify(edit(json, request)) } : reply
  }

/** Changes `data` of an answer that has it. */
export const editData = (edit: (data: unknown, request: OcpiRequest) => unknown): EditReply =>
  editEnvelope((envelope, request) =>
    envelope["data"] === undefined ? envelope : { ...envelope, data: edit(envelope["data"], request) }
  )

/** Changes every object of a list, or the one object that was asked for. */
export const editObjects = (edit: (object: JsonObject, request: OcpiRequest) => JsonObject): EditReply =>
  editData((data, request) => {
    const one = (value: unknown) => (isObject(value) ? edit(value, request) : value)
    return Array.isArray(data) ? data.map(one) : one(data)
  })

/** Replaces a 401 by HTTP 200 and success with this data, as of a party that does not check tokens. */
export const unlocked =
  (data: unknown): EditReply =>
  (request, reply) =>
    reply.httpStatus !== 401
      ? reply
      : {
          ...withHeader(reply, "Content-Type", "application/json"),
          httpStatus: 200,
          body: JSON.stringify({ data, status_code: 1000, timestamp: `${request.receivedAt.slice(0, 19)}Z` })
        }

/** Finds the object whose id ends the path, as of a party that has refused it and stored it all the same. */
export const storedAnyhow: EditReply = (request, reply) => ({
  ...withHeader(reply, "Content-Type", "application/json"),
  httpStatus: 200,
  body: JSON.stringify({
    data: { id: request.path.at(-1) },
    status_code: 1000,
    timestamp: `${request.receivedAt.slice(0, 19)}Z`
  })
})

/** A refusal without a body. An answer that has this HTTP status already keeps its body. */
export const refused = (reply: OcpiReply, httpStatus: number): OcpiReply =>
  reply.httpStatus === httpStatus ? reply : { ...reply, httpStatus, body: null }

/** The body as JSON; undefined if it is absent or no JSON. */
export function jsonOf({ body }: OcpiReply): unknown {
  try {
    return body === null ? undefined : (JSON.parse(body) as unknown)
  } catch {
    return undefined
  }
}

/** The `status_code` of an answer; undefined if its body is no JSON object. */
export const codeOf = (reply: OcpiReply): unknown => {
  const json = jsonOf(reply)
  return isObject(json) ? json["status_code"] : undefined
}

/** Answers this status code, without `data`. */
export const answersCode = (status_code: number): EditReply =>
  editEnvelope(({ data: _, ...envelope }) => ({ ...envelope, status_code }))

/** Answers HTTP 200 and success where the honest partner answers this status code. */
export const takesAnyhow =
  (status_code: number): EditReply =>
  (request, reply) =>
    codeOf(reply) === status_code ? { ...answersCode(1000)(request, reply), httpStatus: 200 } : reply
