import { HttpApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { Api } from "../../src/api/Api.ts"
import { describeIssue } from "../../src/api/decodeError.ts"
import { examples } from "../../src/api/examples.ts"
import { openApiDocument } from "../../src/http/Server.ts"

const document = openApiDocument()

/** The endpoints that the user asked for. */
const asked = [
  "POST /api/v1/connections",
  "GET /api/v1/connections/{id}",
  "GET /api/v1/testing/suites",
  "POST /api/v1/testing/command",
  "GET /api/v1/testing/runs",
  "GET /api/v1/testing/runs/{id}",
  "GET /api/v1/testing/journeys",
  "GET /api/v1/testing/journey-runs/{id}",
  "GET /api/v1/testing/journey-runs/{id}/events",
  "GET /api/v1/testing/journey-runs/{id}/stream",
  "POST /api/v1/testing/journey-runs/{id}/recovery",
  "GET /ocpi/versions",
  "GET /ocpi/2.2.1/"
]

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation }))
)

describe("the OpenAPI document", () => {
  it("is of version 3.1", () => {
    assert.match(document.openapi, /^3\.1\.\d$/)
  })

  for (const name of asked) {
    it(`has ${name}`, () => {
      assert.isTrue(operations.some((operation) => operation.name === name))
    })
  }

  it("asks for a bearer key on every operation of the API", () => {
    assert.deepInclude(document.components.securitySchemes["bearer"], { type: "http", scheme: "bearer" })
    for (const { name, operation } of operations.filter(({ name }) => name.includes("/api/v1/"))) {
      assert.deepEqual(operation.security, [{ bearer: [] }], name)
      assert.containsAllKeys(operation.responses, ["401", "429", "503"], name)
    }
  })

  it("says of every operation what it is, with an id of its own", () => {
    assert.isTrue(operations.every(({ operation }) => (operation.summary ?? "") !== ""))
    assert.strictEqual(
      new Set(operations.map(({ operation }) => operation.operationId)).size,
      operations.length
    )
  })

  it("gives connections/create the statuses that were asked for", () => {
    const create = document.paths["/api/v1/connections"]!.post!
    assert.containsAllKeys(create.responses, ["201", "400", "401", "402", "409", "422", "429"])
  })

  it("describes the stream as server-sent events", () => {
    const stream = document.paths["/api/v1/testing/journey-runs/{id}/stream"]!.get!
    assert.hasAllKeys(stream.responses[200]!.content!, ["text/event-stream"])
  })

  it("resolves all of its references", () => {
    const missing = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)]
      .map(([, name]) => name!)
      .filter((name) => document.components.schemas[name] === undefined)
    assert.deepStrictEqual(missing, [])
  })
})

describe("the examples", () => {
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const id = `${group.identifier}.${endpoint.name}`
      it(`of ${id} fit its schemas`, () => {
        const example = examples[id]
        assert.isDefined(example)
        const success = endpoint.successSchema as unknown as Schema.Schema.AnyNoContext
        const wire = id === "journeyRuns.stream" ? example!.data : { success: true, data: example!.data }
        const answer = Schema.decodeUnknownEither(success)(wire)
        assert.isTrue(Either.isRight(answer), String(Either.isLeft(answer) && answer.left))
        if (endpoint.payloadSchema._tag === "Some") {
          const payload = Schema.decodeUnknownEither(
            endpoint.payloadSchema.value as unknown as Schema.Schema.AnyNoContext
          )
          assert.isTrue(Either.isRight(payload(example!.request)))
        }
      })
    }
  })
})

describe("a decode error in words", () => {
  it("names the field, the rule and the value", () => {
    assert.strictEqual(
      describeIssue(["ourRole"], 'Expected "CPO", actual "X"'),
      'ourRole: Expected "CPO", actual "X"'
    )
  })
  it("hides the value of whatever may be a secret", () => {
    assert.notInclude(describeIssue(["tokenA"], 'Expected a string, actual "canary"'), "canary")
    assert.notInclude(
      describeIssue(["payload", "token", "uid"], 'Expected a string, actual "canary"'),
      "canary"
    )
    assert.notInclude(describeIssue([], 'Expected CreateConnection, actual "canary"'), "canary")
  })
  it("cuts a long value", () => {
    assert.isBelow(describeIssue(["label"], `Expected x, actual "${"y".repeat(5000)}"`).length, 200)
  })
})
