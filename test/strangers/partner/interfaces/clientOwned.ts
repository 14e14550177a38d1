/** Receiver interfaces: what a stranger stores for its partner (client owned objects), and the CDRs that it is sent. */
import type { Bend } from "../Bend.ts"
import type { Freedoms, StrangerVersion } from "../Freedoms.ts"
import { momentOf } from "../objects/dress.ts"
import { flawOf, isJson, type Json } from "../objects/validity.ts"
import { type Asked, parsed, type Said } from "../wire.ts"
import { absent, done, invalid, notAllowed, unreadable } from "./replies.ts"

/** Where stored objects are. */
export interface Shelf {
  readonly version: StrangerVersion
  readonly freedoms: Freedoms
  /** By module, country code, party id and id. */
  readonly objects: Map<string, Json>
  /** Is that a party of the partner, or behind it where it is a hub? */
  readonly isOwner: (owner: { readonly country: string; readonly party: string }) => boolean
  /** What is stored of an object. */
  readonly keeps: NonNullable<Bend["keeps"]>
  /** Is the token of a session or CDR one of ours? */
  readonly isOurs: (json: Json) => boolean
  /** Is what is not valid stored all the same? */
  readonly lets: boolean
}

const folded = (text: unknown, { version }: Pick<Shelf, "version">) =>
  version === "2.1.1" ? String(text) : String(text).toLowerCase()

/** Are the two ids the same? */
export const isSame = (one: unknown, other: unknown, shelf: Pick<Shelf, "version">): boolean =>
  folded(one, shelf) === folded(other, shelf)

const classes: Readonly<Record<string, string>> = {
  locations: "Location",
  sessions: "Session",
  tariffs: "Tariff",
  tokens: "Token"
}

/** PUT, PATCH, DELETE and GET of a client owned object; `path`: the segments below the endpoint. */
export const receive = (module: string, path: ReadonlyArray<string>, asked: Asked, shelf: Shelf): Said => {
  const { version } = shelf
  const [country, party, id, ...below] = path
  const methods = [
    "GET",
    "PUT",
    ...(module === "tariffs" ? ["DELETE", ...(version === "2.1.1" ? ["PATCH"] : [])] : ["PATCH"])
  ]
  if (!methods.includes(asked.method)) return notAllowed
  const body = asked.method === "GET" || asked.method === "DELETE" ? undefined : parsed(asked.body)
  if (body === undefined && (asked.method === "PUT" || asked.method === "PATCH")) return unreadable
  if (country === undefined || party === undefined || id === undefined) return absent(shelf)
  const type = asked.url.searchParams.get("type") ?? "RFID"
  if (!shelf.isOwner({ country, party }) || below.length > (module === "locations" ? 2 : 0))
    return absent(shelf)
  const key = [
    module,
    ...[country, party, id].map((one) => folded(one, shelf)),
    ...(module === "tokens" && version !== "2.1.1" ? [type] : [])
  ].join(" ")
  const stored = shelf.objects.get(key)
  const keep = (json: Json) =>
    void shelf.objects.set(key, shelf.keeps(json, { module, method: asked.method, before: stored }))
  const object = { name: classes[module]!, idField: module === "tokens" ? "uid" : "id" }
  if (asked.method === "DELETE") {
    if (stored === undefined) return absent(shelf)
    shelf.objects.delete(key)
    return done(shelf)
  }
  if (below.length > 0) return part(below, stored, keep, asked, body, shelf)
  if (asked.method === "GET")
    return stored === undefined
      ? absent(shelf)
      : { http: 200, code: shelf.freedoms.successCode, data: stored }
  if (!isJson(body)) return invalid("the body is no object")
  const isWhole = asked.method === "PUT"
  const flaw =
    flawOf(object.name, body, version, !isWhole) ??
    otherId(object.idField, id, body, isWhole, shelf) ??
    otherOwner(country, party, body, shelf) ??
    (isWhole && module === "tokens" && version !== "2.1.1" && body["type"] !== type
      ? "the type in the URL is another"
      : undefined) ??
    undated(body, isWhole, shelf)
  if (flaw !== undefined) {
    if (isWhole && shelf.lets) keep(body)
    return invalid(flaw)
  }
  if (!isWhole && stored === undefined) return absent(shelf)
  if (isWhole && module === "sessions" && !shelf.isOurs(body))
    return { http: 200, code: version === "2.1.1" ? 2001 : 2004, message: "the token is not ours" }
  keep(isWhole ? body : merged(module, stored ?? {}, body, shelf))
  return done(shelf, stored === undefined)
}

const otherId = (field: string, id: string, body: Json, isWhole: boolean, shelf: Shelf) =>
  (isWhole || body[field] !== undefined) && !isSame(body[field], id, shelf)
    ? `${field} is another than in the URL`
    : undefined

const otherOwner = (country: string, party: string, body: Json, shelf: Shelf) =>
  shelf.version === "2.1.1" ||
  ((body["country_code"] === undefined || isSame(body["country_code"], country, shelf)) &&
    (body["party_id"] === undefined || isSame(body["party_id"], party, shelf)))
    ? undefined
    : "the owner is another than in the URL"

const undated = (body: Json, isWhole: boolean, { version }: Shelf) =>
  !isWhole && version !== "2.1.1" && momentOf(body["last_updated"]) === undefined
    ? "last_updated is missing"
    : undefined

/** A PATCH replaces fields; in a session of 2.2 or later it adds charging periods (mod_sessions, PATCH Method). */
const merged = (module: string, stored: Json, patch: Json, { version }: Shelf): Json => {
  const periods = [stored, patch].flatMap(
    (json) => (json["charging_periods"] ?? []) as ReadonlyArray<unknown>
  )
  return {
    ...stored,
    ...patch,
    ...(module === "sessions" && version !== "2.1.1" && "charging_periods" in patch
      ? { charging_periods: periods }
      : {})
  }
}

/** An EVSE or a connector of a stored location; its parents take over `last_updated` (mod_locations, from 2.2 on). */
const part = (
  below: ReadonlyArray<string>,
  stored: Json | undefined,
  keep: (json: Json) => void,
  asked: Asked,
  body: unknown,
  shelf: Shelf
): Said => {
  const [evseId, connectorId] = below
  if (stored === undefined) return absent(shelf)
  const evses = (stored["evses"] ?? []) as ReadonlyArray<Json>
  const evse = evses.find(({ uid }) => isSame(uid, evseId, shelf))
  const connectors = (evse?.["connectors"] ?? []) as ReadonlyArray<Json>
  const connector = connectors.find(({ id }) => isSame(id, connectorId, shelf))
  const target = connectorId === undefined ? evse : connector
  if (connectorId !== undefined && evse === undefined) return absent(shelf)
  if (asked.method === "GET")
    return target === undefined
      ? absent(shelf)
      : { http: 200, code: shelf.freedoms.successCode, data: target }
  if (!isJson(body)) return invalid("the body is no object")
  const isWhole = asked.method === "PUT"
  const flaw =
    flawOf(connectorId === undefined ? "EVSE" : "Connector", body, shelf.version, !isWhole) ??
    otherId(connectorId === undefined ? "uid" : "id", connectorId ?? evseId ?? "", body, isWhole, shelf) ??
    undated(body, isWhole, shelf)
  if (flaw !== undefined) return invalid(flaw)
  if (!isWhole && target === undefined) return absent(shelf)
  const next = isWhole ? body : { ...target, ...body }
  const put = (all: ReadonlyArray<Json>, old: Json | undefined, one: Json) =>
    old === undefined ? [...all, one] : all.map((other) => (other === old ? one : other))
  const dated = (json: Json) =>
    body["last_updated"] === undefined ? json : { ...json, last_updated: body["last_updated"] }
  const newEvse =
    connectorId === undefined ? next : dated({ ...evse, connectors: put(connectors, connector, next) })
  keep(dated({ ...stored, evses: put(evses, evse, newEvse) }))
  return done(shelf, target === undefined)
}

/** POST of a CDR and GET of the URL that its answer named; `here`: the endpoint. */
export const receiveCdr = (path: ReadonlyArray<string>, here: URL, asked: Asked, shelf: Shelf): Said => {
  const [name] = path
  const stored = name === undefined ? undefined : shelf.objects.get(`cdrs ${name}`)
  if (name !== undefined && asked.method === "GET")
    return stored === undefined
      ? absent(shelf)
      : { http: 200, code: shelf.freedoms.successCode, data: stored }
  if (name !== undefined || asked.method !== "POST") return notAllowed
  const body = parsed(asked.body)
  if (body === undefined) return unreadable
  const flaw = flawOf("CDR", body, shelf.version)
  if ((flaw !== undefined && !shelf.lets) || !isJson(body)) return invalid(flaw ?? "the body is no object")
  const own = folded(
    `${body["country_code"] ?? ""}-${body["party_id"] ?? ""}-${body["id"]}`,
    shelf
  ).replaceAll(/[^a-zA-Z0-9-]/g, (mark) => `_${mark.charCodeAt(0)}`)
  const before = shelf.objects.get(`cdrs ${own}`)
  if (before !== undefined && JSON.stringify(before) !== JSON.stringify(body))
    return invalid("there is a CDR with that id")
  if (!shelf.isOurs(body)) return { http: 200, code: shelf.version === "2.1.1" ? 2001 : 2004 }
  shelf.objects.set(`cdrs ${own}`, shelf.keeps(body, { module: "cdrs", method: "POST", before }))
  if (flaw !== undefined) return invalid(flaw)
  const url = new URL(here)
  url.pathname = `${here.pathname.replace(/\/$/, "")}/${own}`
  return { ...done(shelf, before === undefined), headers: { Location: url.href } }
}
