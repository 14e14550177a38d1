/** Edits of list answers that depend on the query of the request. */

import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { type JsonObject, objectIn, objectsIn } from "../../../findings/json.ts"
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

/** Changes the objects of a page that was answered with data. */
export const items = (edit: (items: ReadonlyArray<JsonObject>, request: OcpiRequest) => unknown): EditReply =>
  lists(editData((data, request) => (Array.isArray(data) ? edit(objectsIn(data), request) : data)))

/** Does the query have all of these parameters? */
export const asks =
  (...names: ReadonlyArray<string>) =>
  ({ query }: OcpiRequest) =>
    names.every((name) => query.has(name))
/** A query parameter as milliseconds since 1970; undefined if it is absent or no date. */
export const instant = ({ query }: OcpiRequest, name: string) => dateTimeMillis(query.get(name))
/** The object's `last_updated` in milliseconds since 1970; 0 if it has none. */
export const updated = (item: JsonObject) => dateTimeMillis(item["last_updated"]) ?? 0

/** Answers HTTP 500 to these lists where the honest partner answers 2001, invalid or missing parameters. */
export const crash = (is: (request: OcpiRequest) => boolean): EditReply =>
  when(
    (request) => aboutLists(request) && is(request),
    (_, reply) => (objectIn(jsonOf(reply))["status_code"] === 2001 ? refused(reply, 500) : reply)
  )
