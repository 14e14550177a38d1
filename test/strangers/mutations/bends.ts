/** Parts of which bends are made: where, what of an object, what of an answer, what of a call. */
import type { Bend, Storing, Where } from "../partner/Bend.ts"
import { isJson, type Json } from "../partner/objects/validity.ts"
import type { Asked, Call, Heard, Said } from "../partner/wire.ts"

// --- where ---------------------------------------------------------------------------------------------------------

export type At = (asked: Asked, where: Where) => boolean

export const listModules = ["locations", "sessions", "cdrs", "tariffs", "tokens"]
export const isListOf =
  (...modules: ReadonlyArray<string>): At =>
  (asked, { below, isSender, module }) =>
    modules.includes(module) && isSender && below.length === 0 && asked.method === "GET"
export const isList = isListOf(...listModules)
export const isVersions: At = (_, { below, module }) => module === "versions" && below.length === 0
export const isDetails: At = (_, { below, module }) => module === "versions" && below[0] === "details"
export const isNowhere: At = (_, { below, module }) => module === "versions" && below[0] === "nowhere"
export const isFunctional: At = (_, { module }) =>
  !["versions", "credentials", "hubclientinfo"].includes(module)
export const isAny: At = () => true
/** Requests to a module of that name, by method; any method when none is named. */
export const at =
  (module: string, ...methods: ReadonlyArray<string>): At =>
  (asked, where) =>
    where.module === module && (methods.length === 0 || methods.includes(asked.method))
/** A request to a receiver of objects, by method. */
export const writing =
  (...methods: ReadonlyArray<string>): At =>
  (asked, where) =>
    listModules.includes(where.module) && !where.isSender && methods.includes(asked.method)
/** A request to the receiver of one module, by method. */
export const receiving =
  (module: string, ...methods: ReadonlyArray<string>): At =>
  (asked, where) =>
    where.module === module && writing(...methods)(asked, where)
export const both =
  (...all: ReadonlyArray<At>): At =>
  (asked, where) =>
    all.every((one) => one(asked, where))
export const saying =
  (pattern: RegExp): At =>
  ({ body }) =>
    pattern.test(body)
export const hasToken: At = ({ headers }) => headers["authorization"] !== undefined
export const hasNoToken: At = ({ headers }) => headers["authorization"] === undefined
/** So many segments below the endpoint. */
export const deep =
  (count: number): At =>
  (_, { below }) =>
    below.length === count

// --- objects -------------------------------------------------------------------------------------------------------

export type Edit = (one: Json) => Json

export const set =
  (fields: Json): Edit =>
  (one) => ({ ...one, ...fields })
export const change =
  (field: string, edit: (value: never) => unknown): Edit =>
  (one) =>
    one[field] === undefined ? one : { ...one, [field]: edit(one[field] as never) }
export const without =
  (...names: ReadonlyArray<string>): Edit =>
  (one) =>
    Object.fromEntries(Object.entries(one).filter(([name]) => !names.includes(name)))
/** Edits the object in a field, or the first one of its list. */
export const within =
  (path: string, edit: Edit): Edit =>
  (one) => {
    const [field, ...rest] = path.split(".")
    const inner = one[field!]
    const deeper: Edit = rest.length === 0 ? edit : within(rest.join("."), edit)
    if (isJson(inner)) return { ...one, [field!]: deeper(inner) }
    return Array.isArray(inner)
      ? { ...one, [field!]: inner.map((each, index) => (index === 0 && isJson(each) ? deeper(each) : each)) }
      : one
  }
/** Edits all objects of a list. */
export const withinAll =
  (field: string, edit: Edit): Edit =>
  (one) => {
    const inner = one[field]
    return Array.isArray(inner)
      ? { ...one, [field]: inner.map((each) => (isJson(each) ? edit(each) : each)) }
      : one
  }
export const inTurn =
  (...edits: ReadonlyArray<Edit>): Edit =>
  (one) =>
    edits.reduce((json, edit) => edit(json), one)

/** Every object of a class looks so. */
export const every = (name: string, edit: Edit): Bend => ({
  shows: (json, shown) => (shown === name ? edit(json) : json)
})
/** The second object of a list looks so; commands go to the first location. */
export const second = (name: string, edit: Edit): Bend => ({
  shows: (json, shown, place) => (shown === name && place === 1 ? edit(json) : json)
})
/** Objects of which that holds look so. */
export const those = (name: string, holds: (json: Json) => boolean, edit: Edit): Bend => ({
  shows: (json, shown) => (shown === name && holds(json) ? edit(json) : json)
})
/** The last of six objects looks so. */
export const lastOf = (name: string, edit: Edit): Bend => ({
  shows: (json, shown, place) => (shown === name && place === 5 ? edit(json) : json)
})
/** Five minutes after it was first seen it begins. */
export const afterwards = (bend: Bend) => (): Bend => {
  let first: number | undefined
  const isOver = (now: number) => {
    first ??= now
    return now - first > 300_000
  }
  return {
    shows: (json, name, place, now) => (isOver(now) ? (bend.shows?.(json, name, place, now) ?? json) : json),
    lists: (all, module, now) => (isOver(now) ? (bend.lists?.(all, module, now) ?? all) : all)
  }
}
/** The second object has those fields of the first. */
export const copied =
  (name: string, ...fields: ReadonlyArray<string>) =>
  (): Bend => {
    let first: Json = {}
    return {
      shows: (json, shown, place) => {
        if (shown !== name) return json
        if (place === 0) first = json
        return place === 1 ? { ...json, ...only(first, fields) } : json
      }
    }
  }
const only = (json: Json, fields: ReadonlyArray<string>) =>
  Object.fromEntries(fields.filter((field) => field in json).map((field) => [field, json[field]]))

// --- answers -------------------------------------------------------------------------------------------------------

/** Says something else there. */
export const answering = (there: At, edit: (said: Said, asked: Asked, where: Where) => Said): Bend => ({
  says: (said, asked, where) => {
    if (!there(asked, where)) return said
    const other = edit(said, asked, where)
    return other.headers === undefined && said.headers !== undefined
      ? { ...other, headers: said.headers }
      : other
  }
})
/** Changes an object in `data` there. */
export const data = (there: At, edit: (json: never) => unknown): Bend =>
  answering(there, (said) =>
    said.http < 300 && said.data !== undefined && said.data !== null
      ? { ...said, data: edit(said.data as never) }
      : said
  )
/** Says it there where that HTTP status or status code would be said. */
export const turning = (there: At, from: Partial<Said>, to: Partial<Said>): Bend =>
  answering(there, (said) =>
    (from.http === undefined || from.http === said.http) &&
    (from.code === undefined || from.code === said.code) &&
    said.http !== 401
      ? { ...said, ...to }
      : said
  )
/** Answers so, and does nothing. */
export const instead = (there: At, said: Said): Bend => ({
  instead: (asked, where) => (there(asked, where) ? said : undefined)
})
/** Refuses what is valid. */
export const refusing = (there: At): Bend => instead(there, { http: 200, code: 2001, message: "no" })
/** Takes what is not valid, and stores nothing. */
export const taking = (there: At): Bend => turning(there, { code: 2001 }, { http: 200, code: 1000 })
/** Falls over. */
export const crashing = (there: At): Bend => instead(there, { http: 500 })
/** Lets anybody in. */
export const admitting = (there: At): Bend => ({ admits: there })
export const headers = (
  there: At,
  edit: (all: Readonly<Record<string, string>>, asked: Asked) => Record<string, string>
): Bend => answering(there, (said, asked) => ({ ...said, headers: edit(said.headers ?? {}, asked) }))
export const header = (name: string, there: At, edit: (value: string) => string | undefined): Bend =>
  headers(there, (all) => {
    const value = all[name] === undefined ? undefined : edit(all[name])
    const { [name]: _, ...rest } = all
    return value === undefined ? rest : { ...rest, [name]: value }
  })
export const noHeader = (name: string, there: At = isAny): Bend => header(name, there, () => undefined)
/** Another page of a list. */
export const page = (edit: (all: ReadonlyArray<Json>, said: Said, asked: Asked) => Said, of = isList): Bend =>
  answering(of, (said, asked) => (Array.isArray(said.data) ? edit(said.data, said, asked) : said))
/** Reads a list as if a parameter were not there, or another. */
export const parameters = (edit: (all: URLSearchParams) => void): Bend => ({
  reads: (asked, where) => {
    if (!isList(asked, where)) return asked
    const url = new URL(asked.url)
    edit(url.searchParams)
    return { ...asked, url }
  }
})

// --- what is stored ------------------------------------------------------------------------------------------------

/** Stores something else. */
export const keeping = (
  module: string,
  edit: (json: Json, storing: Storing) => Json,
  ...methods: ReadonlyArray<string>
): Bend => ({
  keeps: (json, storing) =>
    storing.module === module && (methods.length === 0 || methods.includes(storing.method))
      ? edit(json, storing)
      : json
})
/** A PUT leaves what it does not name. */
export const merging = (module: string): Bend =>
  keeping(module, (json, { before }) => ({ ...before, ...json }), "PUT")
/** A PATCH takes a field away. */
export const patchForgets = (module: string, field: string): Bend =>
  keeping(module, (json) => without(field)(json), "PATCH")
/** Says that it refuses what is not valid, and stores it all the same. */
export const storing = (there: At): Bend => ({ lets: there })
/** Does not do it, and says that it was done. */
export const pretending = (there: At): Bend => instead(there, { http: 200, code: 1000 })

// --- what is sent --------------------------------------------------------------------------------------------------

/** Sends other pushes or results. */
export const sending = (
  matches: (call: Call, module: string) => boolean,
  edit: (call: Call) => Call | ReadonlyArray<Call>
): Bend => ({
  sends: (call, module) => {
    const sent = matches(call, module) ? edit(call) : call
    return Array.isArray(sent) ? sent : [sent as Call]
  }
})
export const json =
  (edit: Edit) =>
  (call: Call): Call =>
    isJson(call.json) ? { ...call, json: edit(call.json) } : call
export const sentHeaders =
  (edit: (all: Readonly<Record<string, string>>) => Record<string, string>) =>
  (call: Call): Call => ({ ...call, headers: edit(call.headers) })
export const isResult = (call: Call, module: string): boolean =>
  call.method === "POST" && module === "commands" && isJson(call.json) && "result" in call.json
export const isProfileResult = (call: Call, module: string): boolean =>
  call.method === "POST" && module === "chargingprofiles" && isJson(call.json) && "result" in call.json
export const isPushOf =
  (module: string, ...methods: ReadonlyArray<string>) =>
  (call: Call, of: string): boolean =>
    of === module && (methods.length === 0 || methods.includes(call.method))
/** Changes every request of its own, also while it registers. */
export const asking = (edit: (call: Call) => ReadonlyArray<Call> | Heard): Bend => ({ asks: edit })
