/** Changing what a party pushes, and hiding the same from its lists: a fault must not be undone by a pull. */

import { isObject, type JsonObject, objectIn, objectsIn } from "../../findings/json.ts"
import { dateTimeMillis } from "../../ocpi/dateTime.ts"
import type { Behaviour, Push } from "../../party/wire/PartnerQuirks.ts"
import type { OcpiRequest } from "../../party/wire/Request.ts"
import {
  aboutList,
  type EditReply,
  editEnvelope,
  editObjects,
  headerOf,
  jsonOf,
  when,
  withHeader
} from "./replies.ts"

export type EditPush = Behaviour["push"]

/** Objects changed within these milliseconds are of today's test; what is older was there before. */
const recentMillis = 12 * 3_600_000

/** The asynchronous result of a command. */
export const isResult = (push: Push) => push.operation === "command-result"

/** Pushes of these modules are not sent. */
export const never =
  (...modules: ReadonlyArray<string>): EditPush =>
  (push) =>
    modules.includes(push.module) ? [] : [push]

/** Changes the body of every push of a module; results of commands are left alone. */
export const editPush =
  (module: string, edit: (body: JsonObject) => unknown): EditPush =>
  (push) =>
    push.module === module && !isResult(push) && isObject(push.body)
      ? [{ ...push, body: edit(push.body) }]
      : [push]

const isRecent = (object: JsonObject, { receivedAt }: OcpiRequest) =>
  Date.parse(receivedAt) - (dateTimeMillis(object["last_updated"]) ?? 0) < recentMillis

/** Changes the recent objects of a list only. */
export const recent = (module: string, edit: (object: JsonObject) => JsonObject): EditReply =>
  when(
    aboutList(module),
    editObjects((object, request) => (isRecent(object, request) ? edit(object) : object))
  )

/** Leaves recent objects out of a list, and counts without them. */
export const hidden = (module: string): EditReply =>
  when(aboutList(module), (request, reply) => {
    const items = objectsIn(objectIn(jsonOf(reply))["data"])
    const left = items.filter((item) => !isRecent(item, request))
    const total = Number(headerOf(reply, "X-Total-Count")) - (items.length - left.length)
    if (left.length === items.length) return reply
    return withHeader(
      editEnvelope((envelope) => ({ ...envelope, data: left }))(request, reply),
      "X-Total-Count",
      String(total)
    )
  })
