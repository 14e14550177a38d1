import { hostname } from "node:os"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { inject } from "vitest"
import { Database } from "../../src/database/Database.ts"
import { dialled, everyAddress, makeAddressSet } from "../../src/database/databaseAddress.ts"
import { privatePostgres } from "../support/service/PrivatePostgres.ts"
import { databaseUrl, TestDatabase } from "../support/TestDatabase.ts"

const read = (url: string) => Effect.runSync(Effect.either(dialled(Redacted.make(url))))
const place = (url: string) => {
  const found = read(url)
  return found._tag === "Right" ? `${found.right.host} ${found.right.port}` : found.left.message
}

/** With these variables of the environment while it runs. */
const withVariables = <A>(variables: Record<string, string>, run: () => A): A => {
  const before = { ...process.env }
  Object.assign(process.env, variables)
  try {
    return run()
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name]
    Object.assign(process.env, before)
  }
}

describe("what is dialled", () => {
  it.each([
    ["postgres://u:p@db.example:6000/x", "db.example 6000"],
    ["postgres://u:p@db.example/x", "db.example 5432"],
    ["postgresql://u@[2001:4860::1]:6000/x", "2001:4860::1 6000"],
    ["postgres://u:p@db.example/x?host=10.0.0.7&port=6001", "10.0.0.7 6001"],
    ["postgres:///x?host=/run/postgresql&port=6002", "/run/postgresql 6002"],
    ["postgres://%2Frun%2Fpostgresql:6003/x", "/run/postgresql 6003"],
    ["postgres://u:p%20%@db.example:6004/x", "db.example 6004"],
    ["postgres:///x", "localhost 5432"]
  ])("%s", (url, expected) => {
    assert.strictEqual(place(url), expected)
  })

  it("comes from the environment where the URL leaves it out", () => {
    withVariables({ PGHOST: "db.internal", PGPORT: "6005" }, () => {
      assert.strictEqual(place("postgres:///x"), "db.internal 6005")
      assert.strictEqual(place("postgres://u@other.example/x"), "other.example 6005")
    })
  })

  it.each([
    "postgres://u:p@one.example,two.example/x",
    "postgres:///x?host=one.example,two.example",
    "postgres://u:p@db.example/x?port=none",
    "postgres://u:p@db.example/x?port=70000",
    "postgres://u:p@db.example/x?sslrootcert=/nowhere/root.pem"
  ])("is refused where %s does not say it", (url) => {
    const found = read(url)
    assert.strictEqual(found._tag, "Left")
    assert.match(place(url), /^The database's URL /)
  })
})

describe("every address", () => {
  it("of a name is all that it resolves to, beside the name", async () => {
    const found = await everyAddress({ host: "localhost", port: 6000 })
    assert.deepInclude(found, { host: "localhost", port: 6000 })
    assert.isTrue(found.some(({ host }) => host === "127.0.0.1" || host === "::1"))
    const named = await everyAddress({ host: hostname(), port: 6000 })
    assert.isAbove(named.length, 1)
  })

  it("of a socket is this machine at the socket's number", async () => {
    assert.deepStrictEqual(await everyAddress({ host: "/run/postgresql", port: 6000 }), [
      { host: "localhost", port: 6000 }
    ])
  })

  it("of a literal address is itself", async () => {
    assert.deepInclude(await everyAddress({ host: "::1", port: 6000 }), { host: "::1", port: 6000 })
  })

  it("is not known of a name that nobody knows", async () => {
    const failed = await everyAddress({ host: "nowhere.invalid", port: 6000 }).then(
      () => "found",
      (error) => error.code
    )
    assert.include(["ENOTFOUND", "EAI_AGAIN"], failed)
  })

  it("once known stays known, and once only", () => {
    const book = makeAddressSet([{ host: "10.0.0.1", port: 6000 }])
    book.add([
      { host: "10.0.0.2", port: 6000 },
      { host: "10.0.0.1", port: 6000 }
    ])
    assert.deepStrictEqual(book.all(), [
      { host: "10.0.0.1", port: 6000 },
      { host: "10.0.0.2", port: 6000 }
    ])
  })
})

layer(TestDatabase)("Database", (it) => {
  it.effect("says where it is, from its URL and from each connection", () =>
    Effect.gen(function* () {
      const { addresses, query } = yield* Database
      yield* query({ text: "SELECT 1" })
      const port = Number(new URL(inject("pgUrl")).port)
      assert.deepStrictEqual(addresses(), [{ host: "127.0.0.1", port }])
    })
  )

  it.effect("says where a name has led", () =>
    Effect.gen(function* () {
      const url = new URL(Redacted.value(yield* databaseUrl("migrated")))
      url.hostname = "localhost"
      const options = { url: Redacted.make(url.href), dataDir: "/nowhere", poolSize: 1 }
      yield* Effect.gen(function* () {
        const { addresses, query } = yield* Database
        yield* query({ text: "SELECT 1" })
        assert.includeDeepMembers(
          [...addresses()],
          [
            { host: "localhost", port: Number(url.port) },
            { host: "127.0.0.1", port: Number(url.port) }
          ]
        )
      }).pipe(Effect.provide(Database.layer(options)))
    }).pipe(Effect.scoped)
  )
})

describe("a database behind a proxy", () => {
  it.live("says which server has taken the place of another one behind the same address", () =>
    Effect.gen(function* () {
      const postgres = yield* Effect.acquireRelease(Effect.promise(privatePostgres), (one) =>
        Effect.promise(one.dispose)
      )
      yield* Effect.promise(postgres.start)
      const options = { url: Redacted.make(postgres.url()), allowSuperuser: true, dataDir: "/nowhere" }
      yield* Effect.gen(function* () {
        const { addresses, query } = yield* Database
        const portOf = Effect.map(
          query<{ readonly port: number }>({ text: "SELECT inet_server_port() port" }),
          ([row]) => row!.port
        )
        const first = yield* portOf
        yield* Effect.promise(postgres.stop)
        yield* Effect.promise(postgres.start)
        const second = yield* portOf
        assert.notStrictEqual(first, second)
        const ports = addresses().map(({ port }) => port)
        assert.includeMembers(ports, [Number(new URL(postgres.url()).port), first, second])
      }).pipe(Effect.provide(Database.layer(options)))
    }).pipe(Effect.scoped)
  )
})
