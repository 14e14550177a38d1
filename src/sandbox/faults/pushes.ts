/** Edits of what a party pushes, and of the same objects in its lists: a pull must not undo the fault of a push. */

import { hourMillis } from "../../../schema/fields/durations.ts"
import { dateTimeMillis } from "../../../schema/ocpi/DateTime.ts"
import { isObject, type JsonObject, objectIn, objectsIn } from "../../findings/json.ts"
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

/** Changes a push before it is sent: an empty list suppresses it, two entries send it twice. */
export type EditPush = Behaviour["push"]

/** Objects updated within this time belong to the current test; older ones are seed data. */
const recentMillis = 12 * hourMillis

/** Is the push the asynchronous result of a command? */
export const isResult = (push: Push) => push.operation === "command-result"

/** Suppresses the pushes of these modules. */
export const never =
  (...modules: ReadonlyArray<string>): EditPush =>
  (push) =>
    modules.includes(push.module) ? [] : [push]

/** Changes the body of every push of a module, except results of commands. */
export const editPush =
  (module: string, edit: (body: JsonObject) => unknown): EditPush =>
  (push) =>
    push.module === module && !isResult(push) && isObject(push.body)
      ? [{ ...push, body: edit(push.body) }]
      : [push]

const isRecent = (object: JsonObject, { receivedAt }: OcpiRequest) =>
  Date.parse(receivedAt) - (dateTimeMillis(object["last_updated"]) ?? 0) < recentMillis

/** Changes the objects in the module's list that were updated in the last 12 hours. */
export const recent = (module: string, edit: (object: JsonObject) => JsonObject): EditReply =>
  when(
    aboutList(module),
    editObjects((object, request) => (isRecent(object, request) ? edit(object) : object))
  )

/** Removes objects updated in the last 12 hours from the module's list, and from its X-Total-Count. */
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
