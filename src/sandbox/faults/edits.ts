/** Edits of objects, their fields and nested objects, in every answer and push that carries them. */

import { isObject, type JsonObject, objectsIn } from "../../findings/json.ts"
import type { Behaviour } from "../../party/wire/PartnerQuirks.ts"
import { editPush } from "./pushes.ts"
import { aboutList, aboutModule, type EditReply, editData, editObjects, when } from "./replies.ts"

/** Changes an object; returns a new one. */
export type EditObject = (object: JsonObject) => JsonObject

/** Changes a field if the object has it: the body of a PATCH lacks some. */
export const field =
  (name: string, edit: (value: unknown) => unknown): EditObject =>
  (object) =>
    name in object ? { ...object, [name]: edit(object[name]) } : object

/** Changes the first of these fields that the object has: versions name it differently. */
export const eitherField =
  (names: ReadonlyArray<string>, edit: (value: unknown) => unknown): EditObject =>
  (object) => {
    const name = names.find((known) => known in object)
    return name === undefined ? object : field(name, edit)(object)
  }

/** Removes fields. */
export const without =
  (...names: ReadonlyArray<string>): EditObject =>
  (object) =>
    Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

/** Changes the object in a field. */
export const inside = (name: string, edit: EditObject): EditObject =>
  field(name, (value) => (isObject(value) ? edit(value) : value))

/** Changes each object of the list in a field. */
export const inEach = (name: string, edit: EditObject): EditObject =>
  field(name, (value) => (Array.isArray(value) ? objectsIn(value).map(edit) : value))

/** Changes each object in the module's list. */
export const listed = (module: string, edit: EditObject): EditReply =>
  when(aboutList(module), editObjects(edit))

/** Changes each object of the module, in its list and in its pushes. */
export const told = (module: string, edit: EditObject): Partial<Behaviour> => ({
  reply: listed(module, edit),
  push: editPush(module, edit)
})

/** Changes the object in the answer to GET of one object of the module. */
export const readBack = (module: string, edit: EditObject): EditReply =>
  when(
    (request) => request.method === "GET" && aboutModule(module)(request) && !aboutList(module)(request),
    editData((data) => (isObject(data) ? edit(data) : data))
  )

/** Gives the second object of a list the key of the first. */
export const sameKey = (module: string, key: string): EditReply =>
  when(
    aboutList(module),
    editData((data) => {
      const items = objectsIn(data)
      return Array.isArray(data) && items.length > 1
        ? items.map((item, index) => (index === 1 ? { ...item, [key]: items[0]![key] } : item))
        : data
    })
  )
