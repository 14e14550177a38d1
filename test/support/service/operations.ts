/**
 * The operations of a running server as its own document names them, and the requests that follow from it. The fault
 * matrix uses it too, and that one runs without Vitest.
 */
import assert from "node:assert/strict"
import type { Answer, Service } from "./Service.ts"

/** What an id in a request can be of. `open`: of something that every caller may see. */
export type IdKind = "connection" | "sandbox" | "report" | "run" | "command" | "scenario" | "key" | "open"

/** Where an id stands in a path: the path as far as the id → what the id is of. */
const pathKinds: Readonly<Record<string, IdKind>> = {
  "/api/v1/connections/": "connection",
  "/api/v1/testing/suites/": "open",
  "/api/v1/testing/commands/": "command",
  "/api/v1/testing/runs/": "report",
  "/api/v1/testing/journey-runs/": "run",
  "/api/v1/testing/scenarios/": "scenario",
  "/api/v1/sandbox/partners/": "sandbox",
  "/api/v1/machines/": "open",
  "/api/v1/settings/api-keys/": "key"
}

/** Fields of a body or a query that hold an id. Each that ends in `Id` must stand here, and so must each free text. */
const fieldKinds: Readonly<Record<string, IdKind>> = {
  connectionId: "connection",
  initiate: "connection",
  target: "connection",
  scenarioId: "scenario",
  with: "report",
  only: "report",
  keyId: "key",
  templateId: "open",
  packId: "open",
  suiteId: "open",
  stageId: "open",
  checkId: "open",
  lastEventId: "open"
}

/** An id where its field has more than the id in it. */
const written: Readonly<Record<string, (id: string) => string>> = { only: (id) => `failed-of:${id}` }

// `any`: JSON Schema, and examples of whatever shape
export interface Operation {
  /** As in the document, e.g. `connections.create`. */
  readonly name: string
  readonly method: string
  readonly template: string
  /** The scope that its key needs; undefined: it takes no key. */
  readonly scope: string | undefined
  /** It is for a browser that has signed in, or does so. */
  readonly ofSession: boolean
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: "path" | "query" | "header"
    readonly required?: boolean
    readonly schema: any
  }>
  /** The properties of its JSON body; undefined: it takes none. */
  readonly fields: Readonly<Record<string, any>> | undefined
  /** A body that the document gives as an example. */
  readonly example: Readonly<Record<string, any>> | undefined
}

/** One place in an operation's request where an id of this kind belongs. */
export interface Place {
  readonly at: "path" | "query" | "body"
  readonly field: string
  readonly kind: IdKind
}

/** Every operation of the document that this server serves. */
export async function operationsOf(service: Service): Promise<ReadonlyArray<Operation>> {
  const document: any = await (await fetch(`${service.url}/openapi.json`)).json()
  const resolved = (schema: any): any =>
    typeof schema?.$ref === "string" ? document.components.schemas[schema.$ref.split("/").at(-1)] : schema
  const found = Object.entries<any>(document.paths).flatMap(([template, item]) =>
    Object.entries<any>(item).map(([method, operation]): Operation => {
      const media = operation.requestBody?.content["application/json"]
      return {
        name: operation.operationId,
        method: method.toUpperCase(),
        template,
        scope: operation.security[0]?.bearer?.[0],
        ofSession: template === "/api/v1/session",
        parameters: operation.parameters.map((one: any) => ({ ...one, schema: resolved(one.schema) })),
        fields: media === undefined ? undefined : (resolved(media.schema).properties ?? {}),
        example: media?.example
      }
    })
  )
  assert.ok(found.length > 50, `${found.length} operations`)
  return found
}

/** Those that belong to an account, as opposed to discovery, health, metrics and public keys. */
export const guarded = (operations: ReadonlyArray<Operation>): ReadonlyArray<Operation> =>
  operations.filter(({ scope }) => scope !== undefined)

/** Every place of an id in this operation. Throws where it cannot say what a path or a field is the id of. */
export function placesOf({ fields = {}, name, parameters, template }: Operation): ReadonlyArray<Place> {
  const places: Array<Place> = []
  for (const [whole] of template.matchAll(/\{\w+\}/g)) {
    const kind = pathKinds[template.slice(0, template.indexOf(whole))]
    if (kind === undefined)
      throw new Error(`${name}: what is ${whole} in ${template} the id of? Say it in pathKinds`)
    places.push({ at: "path", field: whole.slice(1, -1), kind })
  }
  const query = parameters.filter((one) => one.in === "query").map((one) => [one.name, one.schema] as const)
  for (const [at, entries] of [["query", query] as const, ["body", Object.entries(fields)] as const]) {
    for (const [field, schema] of entries) {
      if (schema.enum !== undefined) continue
      const kind = fieldKinds[field]
      if (kind !== undefined) places.push({ at, field, kind })
      else if (/Id$|^_?id$/.test(field)) {
        throw new Error(`${name}: what is ${field} the id of? Say it in fieldKinds`)
      }
    }
  }
  return places.filter(({ kind }) => kind !== "open")
}

/** Free texts in query and body: whatever somebody writes there must not open what is not his. */
export function freeTexts({ fields = {}, parameters }: Operation): ReadonlyArray<Place> {
  const free = (schema: any) =>
    schema?.type === "string" && schema.enum === undefined && schema.format === undefined
  return [
    ...parameters
      .filter((one) => one.in === "query" && free(one.schema))
      .map((one): Place => ({ at: "query", field: one.name, kind: "open" })),
    ...Object.entries(fields)
      .filter(([, schema]) => free(schema))
      .map(([field]): Place => ({ at: "body", field, kind: "open" }))
  ]
}

/** A request: what `Service.call` takes. */
export interface Asking {
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, any>> | undefined
}

/** A request that the contract allows, with these ids at the places of their kinds. */
export function requestOf(
  operation: Operation,
  ids: Partial<Record<IdKind, string>>,
  place?: Place,
  id = ""
): Asking {
  const { example, method, parameters, template } = operation
  const idAt = (at: Place["at"], field: string, kind: IdKind | undefined) =>
    place?.at === at && place.field === field ? (written[field]?.(id) ?? id) : kind && ids[kind]
  const path = template.replace(/\{(\w+)\}/g, (_, field: string) => {
    const kind = pathKinds[template.slice(0, template.indexOf("{"))]
    return idAt("path", field, kind) ?? sampleOf({ type: "string" })
  })
  const query = parameters
    .filter(
      (one) =>
        one.in === "query" && (one.required === true || (place?.at === "query" && place.field === one.name))
    )
    .map(
      (one) =>
        `${one.name}=${encodeURIComponent(idAt("query", one.name, fieldKinds[one.name]) ?? sampleOf(one.schema))}`
    )
  const body =
    example === undefined
      ? undefined
      : {
          ...Object.fromEntries(
            Object.entries(example).map(([field, value]) => [
              field,
              idAt("body", field, fieldKinds[field]) ?? value
            ])
          ),
          ...(place?.at === "body" ? { [place.field]: written[place.field]?.(id) ?? id } : {})
        }
  return { method, path: query.length === 0 ? path : `${path}?${query.join("&")}`, body }
}

/** The same, with every optional query parameter given as well. */
export function fullRequestOf(
  operation: Operation,
  ids: Partial<Record<IdKind, string>>,
  place: Place,
  id: string
): Asking {
  const asking = requestOf(operation, ids, place, id)
  const [path = "", query = ""] = asking.path.split("?")
  const search = new URLSearchParams(query)
  for (const one of operation.parameters) {
    if (one.in === "query" && !search.has(one.name) && fieldKinds[one.name] === undefined) {
      // A cursor has the form of an id: that of another owner must not open a page either.
      search.set(one.name, one.name === "cursor" ? id : sampleOf(one.schema))
    }
  }
  return { ...asking, path: search.size === 0 ? path : `${path}?${search}` }
}

function sampleOf(schema: any): string {
  return String(schema.enum?.[0] ?? schema.minimum ?? 1)
}

/** What every answer of the API carries and none does (B29). Throws at the first that departs. */
export function hasProtectiveHeaders(what: string, { headers }: Pick<Answer, "headers">): void {
  const policy = headers.get("content-security-policy") ?? ""
  assert.ok(policy.includes("default-src 'none'"), what)
  assert.ok(policy.includes("frame-ancestors 'none'"), what)
  assert.equal(headers.get("x-content-type-options"), "nosniff", what)
  assert.equal(headers.get("referrer-policy"), "no-referrer", what)
  assert.match(headers.get("cache-control") ?? "", /no-store|^public, max-age=\d+$/, what)
  assert.match(headers.get("x-request-id") ?? "", /^[\w-]{8,}$/, what)
  for (const none of ["server", "x-powered-by", "access-control-allow-origin"]) {
    assert.equal(headers.get(none), null, `${what} ${none}`)
  }
}
