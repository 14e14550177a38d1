/**
 * Attacks on every endpoint of the JSON API with texts that may be expensive to parse, built from the OpenAPI document
 * that the service serves.
 */
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { books } from "../../../test/support/ocpi/books.ts"
import { type Operation, operationsOf, requestOf } from "../../../test/support/service/operations.ts"
import { furnish } from "../../../test/support/service/twoOwners.ts"
import type { Arena } from "./Arena.ts"
import type { Attack } from "./attacking.ts"
import { few, placed, placesIn, queries, type Shape, segments, values, yamlFiles } from "./pathological.ts"

/** Largest body that the API accepts, without what surrounds a value. */
const bodyBytes = 256 * 1024 - 200

const scenario = {
  name: "a",
  templateId: "remote-start",
  inputs: { waitSeconds: 5 },
  limits: { start: 60 },
  assertions: { "start-result.accepted": "off" },
  faults: [{ fault: "late-answer", seconds: 10, module: "commands" }]
}
const location = { ...books["2.2.1"].example("Location", true) }

/** Fields that the document's examples lack. */
const fuller: Readonly<Record<string, object>> = {
  "connections.create": {
    label: "a",
    dialect: { tokenEncoding: { inbound: "auto", outbound: "auto" }, trailingSlash: null, pageLimit: null }
  },
  "testing.startRun": {
    suiteId: "ocpi-2.2.1-cpo-smoke",
    checks: ["VERS-*"],
    modules: ["versions"],
    accept: [{ checkId: "VERS-001", reason: "a" }]
  },
  "testing.command": {
    command: "START_SESSION",
    payload: books["2.2.1"].example("START_SESSION", true),
    validate: true
  },
  "testing.validate": { ocpiVersion: "2.2.1", object: "Location", json: location },
  "journeyRuns.start": { templateId: "remote-start", inputs: { waitSeconds: 5 } },
  "scenarios.create": scenario,
  "scenarios.change": scenario,
  "scenarios.dryRun": { scenario, scenarioId: undefined },
  "settings.createKey": { name: "a", scopes: ["read"], expiresInDays: 1 }
}

interface Bare {
  readonly name: string
  readonly kind: string
  readonly method: string
  readonly path: string
  readonly body?: () => string
  readonly known?: true
}

/** Names of attacks that succeeded in the past; they always run. */
const known =
  /(scenarios\.fromFile body\.file = YAML: 1000 hyphens in one line|scenarios\.validate body\.file = YAML: many keys|checks = a glob of 20 stars)$/

/** One attack for each operation, place and shape. */
export async function endpointAttacks(arena: Arena): Promise<ReadonlyArray<Attack>> {
  const mallory = arena.mallory()
  const operations = await operationsOf(mallory)
  const { ids } = await furnish(mallory, "mallory", {})
  const all = operations.flatMap((operation) => {
    const { body, method, path } = requestOf(operation, ids)
    const rich = { ...body, ...fuller[operation.name] }
    return [
      ...(body === undefined ? [] : bodiesOf(operation, rich, method, path)),
      ...queriesOf(operation, path, method, body),
      ...segmentsOf(operation, ids)
    ]
  })
  return [...all, ...objectsToValidate()].map(
    ({ body, kind, method, name, path }): Attack => ({
      name,
      kind,
      ...(known.test(name) ? { known: true } : {}),
      send: (signal) =>
        fetch(arena.service().url + path, {
          method,
          signal,
          headers: { ...arena.asMallory, connection: "close", "content-type": "application/json" },
          ...(body === undefined ? {} : { body: body() })
        })
    })
  )
}

/** Attacks on the whole body and on each place in it. */
function bodiesOf(
  { fields = {}, name }: Operation,
  base: object,
  method: string,
  path: string
): ReadonlyArray<Bare> {
  const bytes = bodyBytes - JSON.stringify(base).length
  const inner = placesIn(base)
  const missing = Object.keys(fields).filter((field) => !inner.some(([first]) => first === field))
  const of = (place: ReadonlyArray<string | number>, { name: shape, of }: Shape): Bare => ({
    name: `${name} ${["body", ...place].join(".")} = ${shape}`,
    kind: `${name} ${place[0] ?? ""} ${shape}`,
    method,
    path,
    body: () => placed(base, place, of(bytes))
  })
  const places = [...inner, ...missing.map((field) => [field])]
  return [
    ...[[], ...places].flatMap((place) => (place.length > 1 ? few : values).map((shape) => of(place, shape))),
    ...("file" in fields ? yamlFiles.map((shape) => of(["file"], shape)) : []),
    ...inner.flatMap((place) => fillsOf(base, place).map((shape) => of(place, shape)))
  ]
}

/** Valid values of the largest size: longer lists and longer texts. */
function fillsOf(base: object, place: ReadonlyArray<string | number>): ReadonlyArray<Shape> {
  const value = place.reduce((at: any, step) => at[step], base)
  if (!Array.isArray(value) || value.length === 0) return []
  const items = (item: (index: number) => unknown, bytes: number) => {
    const texts: Array<string> = []
    for (let size = 0; size < bytes - 400; size += texts.at(-1)!.length + 1)
      texts.push(JSON.stringify(item(texts.length)))
    return `[${texts.join(",")}]`
  }
  const [first] = value
  const globs: ReadonlyArray<Shape> =
    typeof first === "string"
      ? [
          { name: "a glob of 20 stars", of: () => `["${"*".repeat(20)}!"]` },
          { name: "a list of globs", of: (bytes) => items(() => `${"*0".repeat(6)}!`, bytes) },
          { name: "a list of different texts", of: (bytes) => items((n) => `${first}${n}`, bytes) }
        ]
      : []
  return [{ name: "as many of its items as fit", of: (bytes) => items(() => first, bytes) }, ...globs]
}

const queriesOf = (
  { name, parameters }: Operation,
  path: string,
  method: string,
  body: object | undefined
): ReadonlyArray<Bare> =>
  parameters
    .filter((one) => one.in === "query")
    .flatMap((one) =>
      queries(one.name).map(([what, query]) => ({
        name: `${name} ?${what}`,
        kind: `${name} ?${what}`,
        method,
        path: `${path}${path.includes("?") ? "&" : "?"}${query}`,
        ...(body === undefined ? {} : { body: () => JSON.stringify(body) })
      }))
    )

const segmentsOf = (operation: Operation, ids: Parameters<typeof requestOf>[1]): ReadonlyArray<Bare> => {
  const { body, method } = requestOf(operation, ids)
  const { name, template } = operation
  if (!template.includes("{")) return []
  return segments.map(([what, segment]) => ({
    name: `${name} with ${what}`,
    kind: `${name} with ${what}`,
    method,
    path: template.replace(/\{\w+\}/g, segment),
    ...(body === undefined ? {} : { body: () => JSON.stringify(body) })
  }))
}

/** Requests to validate objects of every version, with as many items in each list as fit. */
function objectsToValidate(): ReadonlyArray<Bare> {
  const objects = ["Location", "Session", "CDR", "Tariff", "Token", "Credentials", "VersionDetails"]
  return versionNumbers.flatMap((ocpiVersion) =>
    objects
      .filter((object) => object in books[ocpiVersion].tables)
      .flatMap((object) => {
        const base = { ocpiVersion, object, json: books[ocpiVersion].example(object, true) }
        const bytes = bodyBytes - JSON.stringify(base).length
        return placesIn(base).flatMap((place) =>
          fillsOf(base, place).map(({ name, of }) => ({
            name: `testing.validate ${ocpiVersion} ${object} ${place.join(".")} = ${name}`,
            kind: `testing.validate ${object} ${place.join(".")} ${name}`,
            method: "POST",
            path: "/api/v1/testing/validate",
            body: () => placed(base, place, of(bytes))
          }))
        )
      })
  )
}
