/** Completes the generated OpenAPI document: examples, answers that all operations share, and paths outside `/api/v1`. */
import type { Scope } from "../../schema/Account.ts"
import { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import { examples } from "./examples.ts"

// biome-ignore lint/suspicious/noExplicitAny: JSON that the platform has just built; its shape is OpenAPI's, not ours
type Json = Record<string, any>

const methods = ["get", "post", "put", "delete", "patch"] as const
const spelling: Record<string, string> = {
  "idempotency-key": "Idempotency-Key",
  "last-event-id": "Last-Event-ID"
}

/** Operation id → the scope that the key needs, shown as a scope of `bearer`; or what admits to it instead of a key. */
type Scopes = ReadonlyMap<string, Scope | "session" | "anything">

/** `OpenApi.Transform` of the API. */
export const finishDocument = (document: Json, scopes: Scopes): Json => {
  const paths: Json = {}
  for (const [path, item] of Object.entries<Json>(document["paths"])) {
    paths[path] = { ...item }
    for (const method of methods) {
      if (item[method] !== undefined) paths[path][method] = finishOperation(item[method], scopes)
    }
  }
  return {
    ...document,
    info: { ...document["info"], license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    security: [{ bearer: [] }],
    components: {
      ...document["components"],
      securitySchemes: { ...document["components"]["securitySchemes"], session: sessionScheme }
    },
    tags: [...document["tags"], ...outsideTags],
    paths: { ...paths, ...outsidePaths() }
  }
}

const sessionScheme = {
  type: "apiKey",
  in: "cookie",
  name: "plugfest_session",
  description:
    "The session of the console, set by POST /api/v1/session; named __Host-plugfest where PUBLIC_URL is https. A request " +
    "with it that is not GET or HEAD needs the header X-Plugfest-Console: 1, and Origin and Sec-Fetch-Site, where " +
    "they are sent, must be those of the service's own pages"
}

function securityOf(scope: Scope | "session" | "anything" | undefined): ReadonlyArray<Json> {
  if (scope === "anything") return []
  return scope === "session" ? [{ session: [] }] : [{ bearer: [scope] }, { session: [] }]
}

function finishOperation(operation: Json, scopes: Scopes): Json {
  const example = examples[operation["operationId"]]
  const responses: Json = {}
  for (const [status, response] of Object.entries<Json>({
    ...operation["responses"],
    ...shared(operation)
  })) {
    const success = Number(status) < 300
    responses[status] = {
      ...(success ? response : errorResponse(response["description"])),
      headers: { ...requestIdHeader, ...retryHeader(status), ...response["headers"] },
      ...(success && example !== undefined ? { content: withExample(response["content"], example.data) } : {})
    }
  }
  if (operation["operationId"] === "journeyRuns.stream") {
    responses["204"] = {
      description: "The run has ended and the client has received all of its events",
      headers: requestIdHeader
    }
  }
  if (operation["operationId"] === "testing.journeys") {
    responses["200"]["headers"] = { ...responses["200"]["headers"], ...etagHeader }
    responses["304"] = {
      description: "If-None-Match names the ETag of the catalogue: it has not changed",
      headers: { ...requestIdHeader, ...etagHeader }
    }
  }
  return {
    ...operation,
    security: securityOf(scopes.get(operation["operationId"])),
    parameters: operation["parameters"].map((parameter: Json) => ({
      ...parameter,
      name: spelling[parameter["name"]] ?? parameter["name"]
    })),
    ...(operation["requestBody"] === undefined
      ? {}
      : {
          requestBody: {
            ...operation["requestBody"],
            content: bodyWithExample(operation["requestBody"]["content"], example?.request)
          }
        }),
    responses
  }
}

/** Adds the example to the first media type. */
function withExample(content: Json, data: unknown): Json {
  const [first, ...others] = Object.entries<Json>(content)
  const [type, media] = first!
  const example = type === "application/json" ? { success: true, data } : data
  return { [type]: { ...media, example }, ...Object.fromEntries(others) }
}

function bodyWithExample(content: Json, request: unknown): Json {
  return {
    "application/json": {
      ...content["application/json"],
      ...(request === undefined ? {} : { example: request })
    }
  }
}

const requestIdHeader = {
  "X-Request-Id": { description: "Id of this request in our logs", schema: { type: "string" } }
}

const etagHeader = {
  ETag: { description: "Names the catalogue; sent as If-None-Match", schema: { type: "string" } }
}

function retryHeader(status: string): Json {
  return status === "429" || status === "503"
    ? {
        "Retry-After": {
          description: "Seconds to wait before the next try",
          schema: { type: "integer", minimum: 1 }
        }
      }
    : {}
}

function errorResponse(description: string): Json {
  return { description, content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } }
}

function shared(operation: Json): Json {
  return {
    ...(operation["requestBody"] === undefined
      ? {}
      : {
          "413": errorResponse("The body is larger than 256 KiB"),
          "415": errorResponse("The body is not sent as application/json")
        }),
    "406": errorResponse("The Accept header excludes application/json"),
    "500": errorResponse("A fault of the service; our logs have it under X-Request-Id")
  }
}

const outsideTags = [
  { name: "ocpi", description: "The OCPI side: discovery, without an API key and in OCPI's envelope" },
  { name: "operations", description: "Index, health, metrics and public keys" }
]

/** Paths that are served outside `/api/v1`, without its envelope. */
function outsidePaths(): Json {
  const ocpi = (operationId: string, summary: string) => ({
    get: {
      tags: ["ocpi"],
      operationId,
      summary,
      security: [],
      parameters: [
        {
          name: "Authorization",
          in: "header",
          required: false,
          // The limit on all headers together; the server answers 431 beyond it.
          schema: { type: "string", maxLength: 16_384 },
          description: "Token <credentials token>; optional for discovery"
        }
      ],
      responses: {
        "200": { description: "OCPI envelope", content: { "application/json": { schema: ocpiEnvelope } } },
        "401": {
          description: "A token that we did not issue; OCPI envelope",
          content: { "application/json": { schema: ocpiEnvelope } }
        }
      }
    }
  })
  const health = (operationId: string, summary: string) => ({
    get: {
      tags: ["operations"],
      operationId,
      summary,
      security: [],
      parameters: [],
      responses: {
        "200": {
          description: "Yes",
          content: { "application/json": { schema: healthy, example: isHealthy } }
        },
        "503": { ...errorResponse("No, or not at present"), headers: retryHeader("503") }
      }
    }
  })
  const keys = (operationId: string, summary: string, contentType: string) => ({
    get: {
      tags: ["operations"],
      operationId,
      summary,
      security: [],
      parameters: [],
      responses: {
        "200": {
          description: "Ed25519 keys",
          content: { [contentType]: { schema: keySchemas[contentType] } }
        }
      }
    }
  })
  return {
    "/": {
      get: {
        tags: ["operations"],
        operationId: "index",
        summary: "Where everything is; a browser gets the console",
        security: [],
        parameters: [],
        responses: {
          "200": { description: "URLs by name", content: { "application/json": { schema: index } } }
        }
      }
    },
    "/ocpi/versions": ocpi("ocpi.versions", "The OCPI versions that we support"),
    ...Object.fromEntries(
      OcpiVersion.literals.map((version) => [
        `/ocpi/${version}/`,
        ocpi(`ocpi.details.${version}`, `The module endpoints of OCPI ${version}`)
      ])
    ),
    "/health/live": health("health.live", "Is the process alive?"),
    "/health/ready": health(
      "health.ready",
      "Does the process accept requests, and is the database reachable?"
    ),
    "/metrics": {
      get: {
        tags: ["operations"],
        operationId: "metrics",
        summary: "Metrics for Prometheus, text format 0.0.4",
        description: "Where the setting METRICS_TOKEN is given, requests need it as their bearer token.",
        security: [],
        parameters: [],
        responses: {
          "200": { description: "Metrics", content: { "text/plain": { schema: { type: "string" } } } },
          "401": errorResponse("The bearer token is missing or is not METRICS_TOKEN")
        }
      }
    },
    "/.well-known/jwks.json": keys(
      "keys.jwks",
      "The public keys of signed exports, as JWKS",
      "application/json"
    ),
    "/.well-known/signing-key.pem": keys(
      "keys.pem",
      "The public key that signs now",
      "application/x-pem-file"
    )
  }
}

const index = {
  type: "object",
  required: ["success", "data"],
  properties: {
    success: { const: true },
    data: { type: "object", additionalProperties: { type: "string" } }
  }
}

const healthy = {
  type: "object",
  required: ["success", "data"],
  properties: {
    success: { const: true },
    data: { type: "object", required: ["status"], properties: { status: { const: "ok" } } }
  }
}
const isHealthy = { success: true, data: { status: "ok" } }

const keySchemas: Json = {
  "application/x-pem-file": { type: "string" },
  "application/json": {
    type: "object",
    required: ["keys"],
    properties: { keys: { type: "array", items: { type: "object" } } }
  }
}

const ocpiEnvelope = {
  type: "object",
  required: ["status_code", "timestamp"],
  properties: {
    data: {},
    status_code: { type: "integer" },
    status_message: { type: "string" },
    timestamp: { type: "string", format: "date-time" }
  }
}
