import { HttpApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { allScopes } from "../../schema/Account.ts"
import { Api } from "../../src/api/Api.ts"
import { describeIssue } from "../../src/api/decodeError.ts"
import { examples } from "../../src/api/examples.ts"
import { openApiDocument } from "../../src/http/server/documents.ts"

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

/** A part of a request, with the parts that it is put together of. */
const partsOf = (
  schema: any,
  at: string,
  within: ReadonlyArray<string> = []
): ReadonlyArray<[string, any]> => {
  const { $ref: name, ...beside } = schema
  if (name !== undefined && within.includes(name)) return []
  if (name !== undefined) {
    const named = (document as any).components.schemas[name.split("/").at(-1)]
    return partsOf({ ...named, ...beside }, at, [...within, name])
  }
  const { allOf = [], anyOf = [], oneOf = [], ...own } = schema
  const whole = Object.assign({}, own, ...allOf)
  return [
    [at, whole],
    ...[...anyOf, ...oneOf].flatMap((one: any) => partsOf(one, at, within)),
    ...(whole.items === undefined ? [] : partsOf(whole.items, `${at}[]`, within)),
    ...Object.entries(whole.properties ?? {}).flatMap(([name, one]) => partsOf(one, `${at}.${name}`, within)),
    ...(typeof whole.additionalProperties === "object"
      ? partsOf(whole.additionalProperties, `${at}.*`, within)
      : [])
  ]
}

/** What a part of this type needs to say how large it may be. */
const bounds: Readonly<Record<string, ReadonlyArray<string>>> = {
  string: ["maxLength"],
  array: ["maxItems"],
  integer: ["minimum", "maximum"]
}
const isBounded = (part: any): boolean =>
  part.enum !== undefined ||
  part.const !== undefined ||
  (bounds[part.type] ?? []).every((bound) => typeof part[bound] === "number")

describe("every part of a request", () => {
  const parts = operations.flatMap(({ name, operation }: any) => [
    ...operation.parameters.flatMap((one: any) => partsOf(one.schema, `${name} ${one.in} ${one.name}`)),
    ...(operation.requestBody === undefined
      ? []
      : partsOf(operation.requestBody.content["application/json"].schema, `${name} body`))
  ])

  it("is bounded: texts in length, lists in entries, whole numbers at both ends", () => {
    const unbounded = parts.filter(([, part]) => !isBounded(part)).map(([at]) => at)
    assert.deepStrictEqual(unbounded, [])
    assert.isAbove(parts.filter(([, part]) => part.type in bounds).length, 100)
  })

  it("has so many named fields at most where it takes any", () => {
    const open = parts.filter(
      ([, part]) => typeof part.additionalProperties === "object" || part.patternProperties
    )
    const unbounded = open.filter(([, part]) => typeof part.maxProperties !== "number").map(([at]) => at)
    assert.deepStrictEqual(unbounded, [])
  })
})

describe("the OpenAPI document", () => {
  it("is of version 3.1", () => {
    assert.match(document.openapi, /^3\.1\.\d$/)
  })

  for (const name of asked) {
    it(`has ${name}`, () => {
      assert.isTrue(operations.some((operation) => operation.name === name))
    })
  }

  it("asks for a bearer key on every operation of the API, and names the scope that it needs", () => {
    assert.deepInclude(document.components.securitySchemes["bearer"], { type: "http", scheme: "bearer" })
    for (const { name, operation } of operations.filter(
      ({ name }) => name.includes("/api/v1/") && !name.endsWith("/session")
    )) {
      const [scope] = operation.security[0]!["bearer"]!
      assert.deepEqual(operation.security, [{ bearer: [scope!] }, { session: [] }], name)
      assert.include(allScopes, scope, name)
      assert.containsAllKeys(operation.responses, ["401", "429", "503"], name)
    }
  })

  it("lets nobody but a session read or end it, and anybody sign in", () => {
    const path = document.paths["/api/v1/session"]!
    assert.deepEqual(path.post!.security, [])
    for (const operation of [path.get!, path.delete!]) assert.deepEqual(operation.security, [{ session: [] }])
    assert.deepInclude(document.components.securitySchemes["session"], { type: "apiKey", in: "cookie" })
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

  it("says of every answer with a body what the body is", () => {
    for (const { name, operation } of operations)
      for (const [status, { content }] of Object.entries(operation.responses))
        if (status !== "204" && status !== "304") assert.isNotEmpty(content ?? {}, `${name} ${status}`)
  })

  it("describes an exported report in the type of each format", () => {
    const file = document.paths["/api/v1/testing/runs/{id}/export"]!.get!
    const types = ["application/xml", "application/json", "text/html", "text/markdown"]
    const content = file.responses[200]!.content as any
    assert.hasAllKeys(content, types)
    for (const type of types) {
      assert.strictEqual(content[type].schema.type, type === "application/json" ? "object" : "string")
    }
  })

  it("describes an exported scenario in the type of each format", () => {
    const file = document.paths["/api/v1/testing/scenarios/{id}/export"]!.get!
    const content = file.responses[200]!.content as any
    assert.hasAllKeys(content, ["application/yaml", "application/json"])
    assert.deepStrictEqual(content["application/json"].schema, { $ref: "#/components/schemas/ScenarioDraft" })
  })

  it("answers every refusal of the API with the one error body", () => {
    assert.deepInclude(document.components.schemas["Error"], {
      type: "object",
      required: ["success", "message"]
    })
    for (const { name, operation } of operations.filter(({ name }) => name.includes("/api/v1/"))) {
      const statuses = Object.keys(operation.responses)
      assert.isTrue(
        statuses.some((status) => Number(status) < 300),
        `${name} has no success`
      )
      assert.includeMembers(statuses, ["400", "401", "403", "406", "429", "500", "503"], name)
      if (operation.requestBody !== undefined) assert.includeMembers(statuses, ["413", "415"], name)
      for (const [status, response] of Object.entries(operation.responses)) {
        assert.isNotEmpty(response.description, `${name} ${status}`)
        if (Number(status) < 400) continue
        assert.deepStrictEqual(
          response.content as unknown,
          { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
          `${name} ${status}`
        )
      }
    }
  })

  it("asks for no key where none is needed", () => {
    for (const { name, operation } of operations.filter(({ name }) => !name.includes("/api/v1/"))) {
      assert.deepStrictEqual(operation.security as unknown, [], name)
    }
  })

  it("declares every parameter of a path, and no other, as one that must be there", () => {
    for (const { name, operation } of operations) {
      const inPath = [...name.matchAll(/\{([^}]+)\}/g)].map((found) => found[1]!)
      const declared = operation.parameters.filter((parameter) => parameter.in === "path")
      assert.sameMembers(
        declared.map((parameter) => parameter.name),
        inPath,
        name
      )
      assert.isTrue(
        declared.every(({ required }) => required),
        name
      )
    }
  })

  it("names its tags, and gives each body a schema", () => {
    const tags = document.tags!.map(({ name }) => name)
    for (const { name, operation } of operations) {
      assert.includeMembers(tags, operation.tags, name)
      for (const media of Object.values(operation.requestBody?.content ?? {})) {
        assert.isDefined(media.schema, name)
      }
    }
  })

  it("resolves all of its references", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, target]) => target!
    )
    assert.isAbove(references.length, 20)
    const missing = references.filter((reference) => {
      const [root, ...path] = reference.split("/")
      return root !== "#" || path.reduce((at: any, step) => at?.[step], document) === undefined
    })
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
        const isText = ["journeyRuns.stream", "testing.exportRun", "scenarios.toFile"].includes(id)
        const wire = isText ? example!.data : { success: true, data: example!.data }
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
