/** The contract as tables: methods by path; scope, name, success status and secrets by operation. */
import { HttpApi, HttpApiSchema } from "@effect/platform"
import { Context, type Schema } from "effect"
import type { Scope } from "../../../schema/Account.ts"
import { type ShownOnceField, shownOnceFields } from "../../../schema/fields/ShownOnce.ts"
import { Api } from "../../api/Api.ts"
import { RequiredScope } from "../../api/Authentication.ts"
import { messagesPath } from "../../placement/shards/messages.ts"
import { isOcpiPath } from "./isOcpiPath.ts"

/** A path of the contract. */
interface Route {
  /** As labels show it: `/api/v1/connections/{id}`. */
  readonly template: string
  readonly methods: Set<string>
}

/** The routes by the segments of their paths. */
interface Branch {
  readonly named: Map<string, Branch>
  /** Below a segment that may be anything. */
  any?: Branch
  route?: Route
}

const tree: Branch = { named: new Map() }
const scopes = new Map<string, Scope>()
const operations = new Map<string, string>()
const successStatuses = new Map<string, number>()
const successSchemas = new Map<string, Schema.Schema.All>()
/** By operation; looked for when a stored answer of it is first replayed. */
const secretFields = new Map<string, ReadonlyArray<ShownOnceField>>()

function addRoute(path: string, method: string): void {
  let branch = tree
  for (const segment of path === "/" ? [] : path.split("/").slice(1)) {
    const next: Branch = (segment.startsWith(":") ? branch.any : branch.named.get(segment)) ?? {
      named: new Map()
    }
    if (segment.startsWith(":")) branch.any = next
    else branch.named.set(segment, next)
    branch = next
  }
  branch.route ??= { template: path.replace(/:([^/]+)/g, "{$1}"), methods: new Set() }
  branch.route.methods.add(method)
  if (method === "GET") branch.route.methods.add("HEAD")
}

/** The routes of a path, those first that name more of it; a final slash is ignored. */
function routesOf(path: string): ReadonlyArray<Route> {
  const segments = (path.endsWith("/") ? path.slice(0, -1) : path).split("/")
  const found: Array<Route> = []
  const visit = (branch: Branch | undefined, at: number): void => {
    if (branch === undefined) return
    if (at === segments.length) {
      if (branch.route !== undefined) found.push(branch.route)
      return
    }
    visit(branch.named.get(segments[at]!), at + 1)
    if (segments[at] !== "") visit(branch.any, at + 1)
  }
  visit(tree, 1)
  return found
}

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group }) => {
    addRoute(endpoint.path, endpoint.method)
    scopes.set(`${endpoint.method} ${endpoint.path}`, Context.get(endpoint.annotations, RequiredScope))
    const operation = `${group.identifier}.${endpoint.name}`
    operations.set(`${endpoint.method} ${endpoint.path}`, operation)
    successStatuses.set(operation, HttpApiSchema.getStatusSuccess(endpoint.successSchema))
    successSchemas.set(operation, endpoint.successSchema)
  }
})
const outside = [
  "/",
  "/console",
  "/assets/:file",
  "/openapi.json",
  "/docs",
  "/health/live",
  "/health/ready",
  "/metrics",
  "/.well-known/jwks.json",
  "/.well-known/signing-key.pem"
]
for (const path of outside) addRoute(path, "GET")
addRoute(messagesPath, "POST")

/** The first segments of the console's own paths. */
export const consoleSegments = [
  "connections",
  "journeys",
  "machines",
  "runs",
  "sandbox",
  "settings",
  "sign-in",
  "suites"
] as const

const isConsolePath = (path: string): boolean =>
  consoleSegments.some((segment) => path === `/${segment}` || path.startsWith(`/${segment}/`))

/** The methods of this path, sorted; empty for an unknown path. */
export const methodsOf = (path: string): ReadonlyArray<string> => {
  const methods = new Set(routesOf(path).flatMap((route) => [...route.methods]))
  return methods.size === 0 ? [] : [...methods, "OPTIONS"].sort()
}

/** Is there anything at this path? */
export const isKnownPath = (path: string): boolean => routesOf(path).length > 0

/** The first segments of paths that programs ask for. */
const segmentsOfPrograms = new Set([".well-known", "api", "assets", "health", "metrics", "ocpi"])

/** Whether there is nothing at this path, and no program expects anything there: it was typed, or a link is cut off. */
export const isNobodysPath = (path: string): boolean =>
  !segmentsOfPrograms.has(path.split("/", 2)[1]!) && !isOcpiPath(path) && !isKnownPath(path)

/** The path template of a path, e.g. `/api/v1/connections/{id}`; `other` . */
export const routeOf = (path: string): string => {
  if (isOcpiPath(path)) return path.startsWith("/sandbox/") ? "/sandbox/{id}/ocpi" : "/ocpi"
  return routesOf(path)[0]?.template ?? (isConsolePath(path) ? "/{console}" : "other")
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
export const shownOnceOf = (operation: string): ReadonlyArray<ShownOnceField> => {
  const known = secretFields.get(operation)
  if (known !== undefined) return known
  const schema = successSchemas.get(operation)
  const fields = schema === undefined ? [] : shownOnceFields(schema)
  secretFields.set(operation, fields)
  return fields
}
