/** Changing an answer: which answers a fault is about, and what it does to their status, headers, envelope and data. */

import { isObject, type JsonObject } from "../../findings/json.ts"
import type { Behaviour } from "../../party/wire/PartnerQuirks.ts"
import type { OcpiReply, OcpiRequest } from "../../party/wire/Request.ts"

export type EditReply = Behaviour["reply"]
/** Is the fault about this request? */
export type About = (request: OcpiRequest) => boolean

const pathOf = ({ path }: OcpiRequest) => path.filter((segment) => segment !== "")

export const aboutVersions: About = (request) =>
  pathOf(request).length === 1 && pathOf(request)[0] === "versions"
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
export const aboutModule =
  (module: string): About =>
  (request) =>
    pathOf(request)[1] === module
/** POST of a command. */
export const aboutCommand =
  (command: string): About =>
  (request) =>
    aboutModule("commands")(request) && pathOf(request)[2] === command

/** The fault acts on the answers to these requests only. */
export const when =
  (about: About, edit: EditReply): EditReply =>
  (request, reply) =>
    about(request) ? edit(request, reply) : reply

/** Acts on lists that were answered as such, not refused. */
export const answeredLists = (edit: EditReply): EditReply =>
  when(aboutLists, (request, reply) => (isAnswered(reply) ? edit(request, reply) : reply))

const isAnswered = (reply: OcpiReply): boolean => {
  const json = jsonOf(reply)
  return reply.httpStatus === 200 && isObject(json) && json["data"] !== undefined
}

/** Sets a header, or removes it (undefined), whatever its case. */
export const withHeader = (reply: OcpiReply, name: string, value: string | undefined): OcpiReply => ({
  ...reply,
  headers: {
    ...Object.fromEntries(
      Object.entries(reply.headers).filter(([known]) => known.toLowerCase() !== name.toLowerCase())
    ),
    ...(value === undefined ? {} : { [name]: value })
  }
})

/** A header's value, whatever its case. */
export const headerOf = (reply: OcpiReply, name: string): string | undefined =>
  Object.entries(reply.headers).find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1]

/** Changes the envelope of any answer that has one. */
export const editEnvelope =
  (edit: (envelope: JsonObject, request: OcpiRequest) => JsonObject): EditReply =>
  (request, reply) => {
    const json = jsonOf(reply)
    return isObject(json) ? { ...reply, body: JSON.stringify(edit(json, request)) } : reply
  }

/** Changes `data` of a successful answer. */
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

/** What a party without a lock would say: 200 and success with that data, in place of a 401. */
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

/** A refusal without a body; what was refused in the same way already stays as it is. */
export const refused = (reply: OcpiReply, httpStatus: number): OcpiReply =>
  reply.httpStatus === httpStatus ? reply : { ...reply, httpStatus, body: null }

/** The body as JSON; undefined when it is none. */
export function jsonOf({ body }: OcpiReply): unknown {
  try {
    return body === null ? undefined : (JSON.parse(body) as unknown)
  } catch {
    return undefined
  }
}
