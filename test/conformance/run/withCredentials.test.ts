import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { CredentialsUse } from "../../../src/conformance/model/Probe.ts"
import { withCredentials } from "../../../src/conformance/run/registration/withCredentials.ts"
import type { OcpiCall } from "../../../src/ocpi/OcpiClient.ts"

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
        { use: "literal", value: "Bearer $RANDOM" }
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
})
