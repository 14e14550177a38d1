import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, servedApi } from "../support/http/servedApi.ts"

const path = "/api/v1/testing/validate"
const connector = { ocpiVersion: "2.2.1", object: "Connector", json: { id: "1", standard: "IEC_62196_T2" } }

layer(servedApi(), { excludeTestServices: true })("an object to validate", (it) => {
  it.effect("is answered with every violation, its rule and its section", () =>
    Effect.gen(function* () {
      const { json, status, text } = yield* ask(path, { body: connector })
      assert.strictEqual(status, 200, text)
      assert.isFalse(json.data.valid)
      assert.deepStrictEqual(json.data.violations[0], {
        pointer: "/format",
        rule: "required",
        section: "mod_locations, Connector Object",
        expected: "one of SOCKET, CABLE",
        actual: "nothing",
        message: "format is missing"
      })
      assert.strictEqual(json.data.violationCount, json.data.violations.length)
    })
  )

  it.effect("is refused with the known names when OCPI has no such object", () =>
    Effect.gen(function* () {
      const { json, status } = yield* ask(path, { body: { ...connector, object: "Plug" } })
      assert.strictEqual(status, 400)
      assert.match(json.message, /^object: expected one of .*Location.*Connector.*"Plug"/)
    })
  )

  it.effect("is refused with the version's own names when only other versions have it", () =>
    Effect.gen(function* () {
      const { json, status } = yield* ask(path, {
        body: { ...connector, ocpiVersion: "2.1.1", object: "ClientInfo" }
      })
      assert.strictEqual(status, 422)
      assert.match(json.message, /OCPI 2\.1\.1 defines no ClientInfo; it has .*Location/)
    })
  )

  it.effect("must be there", () =>
    Effect.gen(function* () {
      const { json, status } = yield* ask(path, { body: { ocpiVersion: "2.2.1", object: "Connector" } })
      assert.strictEqual(status, 400)
      assert.match(json.message, /^json: /)
    })
  )

  it.effect("may be anything that JSON can say", () =>
    Effect.gen(function* () {
      for (const json of [null, 7, "text", [], {}]) {
        const answer = yield* ask(path, { body: { ...connector, json } })
        assert.strictEqual(answer.status, 200, answer.text)
        assert.isFalse(answer.json.data.valid, JSON.stringify(json))
      }
    })
  )

  it.effect("is refused when it is larger than 256 KiB", () =>
    Effect.gen(function* () {
      const { status } = yield* ask(path, { body: { ...connector, json: { id: "x".repeat(262_144) } } })
      assert.strictEqual(status, 413)
    })
  )
})
