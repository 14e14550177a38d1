/** Which answers tell a secret is said by the schema: everything that repeats or keeps answers goes by it. */
import { HttpApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Schema, SchemaAST } from "effect"
import { shownIn, shownOnce, shownOnceFields } from "../../schema/fields/ShownOnce.ts"
import { Api } from "../../src/api/Api.ts"
import { openApiDocument } from "../../src/http/server/documents.ts"

const answers: Array<{ readonly operation: string; readonly schema: Schema.Schema.All }> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group }) =>
    answers.push({ operation: `${group.identifier}.${endpoint.name}`, schema: endpoint.successSchema })
})

/** Fields called like a secret that are none. */
const harmless = [
  /\.tokenEncoding$/, // the form of a token
  /keyId$/, // an id
  /\.key$/ // of an audit entry: which key
]

/** Every field of text in the document's answers, with the operations that answer with it. */
function textFields(): ReadonlyMap<string, ReadonlyArray<string>> {
  const document: any = openApiDocument()
  const found = new Map<string, Set<string>>()
  const walk = (schema: any, at: string, operation: string, seen: ReadonlySet<unknown>) => {
    const one =
      schema?.$ref === undefined ? schema : document.components.schemas[schema.$ref.split("/").at(-1)]
    if (one === undefined || seen.has(one)) return
    const inner = new Set([...seen, one])
    for (const part of [...(one.anyOf ?? []), ...(one.oneOf ?? []), ...(one.allOf ?? [])])
      walk(part, at, operation, inner)
    if (one.items !== undefined) walk(one.items, `${at}[]`, operation, inner)
    if (one.type === "string" && one.enum === undefined)
      found.set(at, (found.get(at) ?? new Set()).add(operation))
    for (const [name, property] of Object.entries(one.properties ?? {}))
      walk(property, `${at}.${name}`, operation, inner)
  }
  for (const item of Object.values<any>(document.paths))
    for (const operation of Object.values<any>(item))
      for (const [status, response] of Object.entries<any>(operation.responses ?? {}))
        if (Number(status) < 300)
          walk(response.content?.["application/json"]?.schema, "", operation.operationId, new Set())
  return new Map([...found].map(([field, operations]) => [field, [...operations]]))
}

describe("answers that tell a secret", () => {
  it("are those of the endpoints that make one", () => {
    const told = answers.flatMap(({ operation, schema }) =>
      shownOnceFields(schema).map(({ path }) => `${operation} ${path.join(".")}`)
    )
    const partner = ["create", "list", "read", "remove", "issueToken", "setFaults", "handshake", "leave"]
    assert.sameMembers(told, [
      "settings.createKey data.key",
      "settings.rollKey data.key",
      "session.makeLink data.url",
      "connections.invite data.token",
      // One shape for all; null but in the first answer.
      ...partner.map((name) => `sandbox.${name} ${name === "list" ? "data.*.tokenA" : "data.tokenA"}`)
    ])
  })

  it("have every field that is called like a secret marked as one", () => {
    const marked = new Set(
      answers.flatMap(({ operation, schema }) =>
        shownOnceFields(schema).map(({ path }) => `${operation} .${path.join(".").replaceAll(".*", "[]")}`)
      )
    )
    const unmarked = [...textFields()].flatMap(([field, operations]) =>
      /(token|secret|password|credential|key)[a-z]?$/i.test(field) &&
      !harmless.some((known) => known.test(field))
        ? operations
            .filter((operation) => !marked.has(`${operation} ${field}`))
            .map((one) => `${one} ${field}`)
        : []
    )
    assert.deepStrictEqual(unmarked, [])
    assert.isAbove(textFields().size, 100, "the document was walked")
  })

  it("are found in lists, unions, records and shapes that hold themselves", () => {
    interface Tree {
      readonly secret: string
      readonly below: ReadonlyArray<Tree>
    }
    const Tree: Schema.Schema<Tree> = Schema.Struct({
      secret: shownOnce("plant another one"),
      below: Schema.Array(Schema.suspend(() => Tree))
    })
    const schema = Schema.Struct({
      trees: Schema.Record({ key: Schema.String, value: Schema.NullOr(Tree) }),
      number: Schema.Number
    })
    const paths = shownOnceFields(schema).map(({ path }) => path.join("."))
    assert.include(paths, "trees.*.secret")
    assert.isTrue(SchemaAST.isTypeLiteral(schema.ast))
    assert.isTrue(shownIn({ trees: { a: { secret: "x", below: [] } } }, ["trees", "*", "secret"]))
    assert.isFalse(shownIn({ trees: { a: null } }, ["trees", "*", "secret"]))
    assert.isFalse(shownIn({ trees: { a: { secret: null } } }, ["trees", "*", "secret"]))
  })
})
