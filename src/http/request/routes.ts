/** The contract as tables: methods by path; scope, name, success status and secrets by operation. */
import { HttpApi, HttpApiSchema } from "@effect/platform"
import { Context } from "effect"
import type { Scope } from "../../../schema/Account.ts"
import { type ShownOnceField, shownOnceFields } from "../../../schema/fields/ShownOnce.ts"
import { Api } from "../../api/Api.ts"
import { RequiredScope } from "../../api/Authentication.ts"

interface Route {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

const routes = new Map<string, Route>()
const scopes = new Map<string, Scope>()
const operations = new Map<string, string>()
const successStatuses = new Map<string, number>()
const secretFields = new Map<string, ReadonlyArray<ShownOnceField>>()

function addRoute(path: string, method: string): void {
  const pattern = new RegExp(`^${path.replace(/[.+]/g, "\\$&").replace(/:[^/]+/g, "[^/]+")}/?$`)
  const route = routes.get(path) ?? { pattern, methods: new Set<string>() }
  route.methods.add(method)
  if (method === "GET") route.methods.add("HEAD")
  routes.set(path, route)
}

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group }) => {
    addRoute(endpoint.path, endpoint.method)
    scopes.set(`${endpoint.method} ${endpoint.path}`, Context.get(endpoint.annotations, RequiredScope))
    const operation = `${group.identifier}.${endpoint.name}`
    operations.set(`${endpoint.method} ${endpoint.path}`, operation)
    successStatuses.set(operation, HttpApiSchema.getStatusSuccess(endpoint.successSchema))
    secretFields.set(operation, shownOnceFields(endpoint.successSchema))
  }
})
const outside = [
  "/openapi.json",
  "/docs",
  "/health/live",
  "/health/ready",
  "/metrics",
  "/.well-known/jwks.json",
  "/.well-known/signing-key.pem"
]
for (const path of outside) addRoute(path, "GET")

/** The methods of this path, sorted; empty for an unknown path. */
export const methodsOf = (path: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const { methods, pattern } of routes.values()) {
    if (pattern.test(path)) for (const method of methods) found.add(method)
  }
  return found.size === 0 ? [] : [...found, "OPTIONS"].sort()
}

/** The path template of a path, e.g. `/api/v1/connections/{id}`; `other` for an unknown path. */
export const routeOf = (path: string): string => {
  const ocpi = /^(\/api\/v1)?\/ocpi(\/|$)/.test(path)
  if (ocpi) return "/ocpi"
  if (/^\/sandbox\/[^/]+\/ocpi(\/|$)/.test(path)) return "/sandbox/{id}/ocpi"
  for (const [template, { pattern }] of routes) {
    if (pattern.test(path)) return template.replace(/:([^/]+)/g, "{$1}")
  }
  return "other"
}

/** The scope of the endpoint with this method and route path. */
export const scopeOf = (method: string, routePath: string): Scope =>
  scopes.get(`${method} ${routePath}`) ?? "read"

/** The operation id in the OpenAPI document, e.g. `connections.create`. */
export const operationOf = (method: string, routePath: string): string =>
  operations.get(`${method} ${routePath}`) ?? `${method} ${routePath}`

/** The HTTP status of the operation's success. */
export const successStatusOf = (operation: string): number => successStatuses.get(operation) ?? 200

/** The secret fields in the operation's answer, as paths in its body. */
export const shownOnceOf = (operation: string): ReadonlyArray<ShownOnceField> =>
  secretFields.get(operation) ?? []
