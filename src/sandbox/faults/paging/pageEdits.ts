/** Changing what a list answers, by what the query asks. */

import { type JsonObject, objectIn, objectsIn } from "../../../findings/json.ts"
import { dateTimeMillis } from "../../../ocpi/dateTime.ts"
import type { OcpiRequest } from "../../../party/wire/Request.ts"
import {
  aboutLists,
  type EditReply,
  editData,
  jsonOf,
  answeredLists as lists,
  refused,
  when
} from "../replies.ts"

/** Changes the objects of a page. */
export const items = (edit: (items: ReadonlyArray<JsonObject>, request: OcpiRequest) => unknown): EditReply =>
  lists(editData((data, request) => (Array.isArray(data) ? edit(objectsIn(data), request) : data)))

/** Has the query all of these? */
export const asks =
  (...names: ReadonlyArray<string>) =>
  ({ query }: OcpiRequest) =>
    names.every((name) => query.has(name))
/** Milliseconds since 1970 of a value of the query; undefined when it is none. */
export const instant = ({ query }: OcpiRequest, name: string) => dateTimeMillis(query.get(name))
export const updated = (item: JsonObject) => dateTimeMillis(item["last_updated"]) ?? 0

/** HTTP 500 where the honest partner refuses the query. */
export const crash = (is: (request: OcpiRequest) => boolean): EditReply =>
  when(
    (request) => aboutLists(request) && is(request),
    (_, reply) => (objectIn(jsonOf(reply))["status_code"] === 2001 ? refused(reply, 500) : reply)
  )
