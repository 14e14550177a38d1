import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { CredentialsUse } from "../../../src/conformance/model/Probe.ts"
import { withCredentials } from "../../../src/conformance/run/registration/withCredentials.ts"
import type { OcpiCall } from "../../../src/ocpi/OcpiClient.ts"
import { authorizationValue } from "../../../src/ocpi/tokens.ts"

/** A call of a connection that has no token any more. */
const call: OcpiCall = {
  exchangeId: "exc_1",
  module: "locations",
  operation: "list",
  method: "GET",
  url: "https://partner.example/locations",
  audience: [],
  requestId: "r",
  correlationId: "c",
  secrets: []
}
const former = Redacted.make("former")

describe("the credentials of a request", () => {
  it.effect("keep the form of the version when the connection has no token any more", () =>
    Effect.gen(function* () {
      for (const use of ["former", "random"] as const)
        for (const form of ["raw", "base64"] as const) {
          const { authorization } = yield* withCredentials(call, { use }, form, former)
          assert.strictEqual(authorization?.form, form, `${use} in ${form}`)
        }
    })
  )

  it.effect("say that the token is wrong on purpose, whenever it is", () =>
    Effect.gen(function* () {
      const token = { token: Redacted.make("live"), form: "base64" } as const
      const marked = (credentials: CredentialsUse) =>
        Effect.map(
          withCredentials({ ...call, authorization: token }, credentials, "base64", former),
          ({ wrongOnPurpose }) => wrongOnPurpose?.token !== undefined
        )
      const wrong = [
        { use: "none" },
        { use: "random" },
        { use: "former" },
        { use: "raw" },
        { use: "literal", value: "Bearer $RANDOM" },
        { use: "longer" },
        { use: "shorter" },
        { use: "other case" },
        { use: "Bearer" }
      ] as const
      for (const credentials of wrong) assert.isTrue(yield* marked(credentials), credentials.use)
      const right = [
        { use: "live" },
        { use: "base64" },
        { use: "live", headerName: "authorization" }
      ] as const
      for (const credentials of right) assert.isFalse(yield* marked(credentials), credentials.use)
    })
  )

  it.effect("are nearly those of the connection, in the form of its tokens", () =>
    Effect.gen(function* () {
      const headerOf = (use: "longer" | "shorter" | "other case" | "Bearer", form: "raw" | "base64") =>
        Effect.map(
          withCredentials({ ...call, authorization: { token: Redacted.make("Live1"), form } }, { use }, form),
          ({ authorization }) => authorizationValue(authorization!.token, authorization!.form)
        )
      const encoded = (token: string) => Buffer.from(token).toString("base64")
      assert.strictEqual(yield* headerOf("longer", "raw"), "Token Live10")
      assert.strictEqual(yield* headerOf("shorter", "base64"), `Token ${encoded("Live")}`)
      assert.strictEqual(yield* headerOf("other case", "raw"), "Token lIVE1")
      assert.strictEqual(yield* headerOf("Bearer", "raw"), "Bearer Live1")
      assert.strictEqual(yield* headerOf("Bearer", "base64"), `Bearer ${encoded("Live1")}`)
    })
  )
})
