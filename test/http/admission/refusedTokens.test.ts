import type { IncomingMessage } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, HashMap, Logger, TestClock } from "effect"
import { formOf, makeRefusedTokens } from "../../../src/http/admission/refusedTokens.ts"
import { base64 } from "../../support/parties/parties.ts"

/** A call as Node hands it over, as far as it is looked at. */
const call = (remoteAddress: string, url = "/ocpi/2.2.1/locations/DE/CPO/L1?x=1", authorization?: string) =>
  ({ method: "PUT", url, headers: { authorization }, socket: { remoteAddress } }) as IncomingMessage

/** The annotations of each line that the work logs. */
const linesOf = (work: Effect.Effect<void>) => {
  const lines: Array<Record<string, unknown>> = []
  const collecting = Logger.make<unknown, void>(({ annotations }) => {
    lines.push(Object.fromEntries(HashMap.toEntries(annotations)))
  })
  return Effect.as(Effect.provide(work, Logger.replace(Logger.defaultLogger, collecting)), lines)
}

describe("the log of refused tokens", () => {
  it.effect("has a line for the first call of an address, then one a minute that counts those between", () =>
    Effect.gen(function* () {
      const note = makeRefusedTokens()
      const lines = yield* linesOf(
        Effect.gen(function* () {
          yield* Effect.replicateEffect(note(call("1.2.3.4", undefined, "Token abcdef")), 40)
          yield* note(call("5.6.7.8", "/api/v1/ocpi/versions"))
          yield* TestClock.adjust("1 minute")
          yield* note(call("1.2.3.4", undefined, `Token ${base64("abcdef")}`))
        })
      )
      const locations = { method: "PUT", version: "2.2.1", module: "locations" }
      assert.deepStrictEqual(lines, [
        { address: "1.2.3.4", calls: 1, ...locations, authorization: "Token, 6 characters" },
        {
          address: "5.6.7.8",
          calls: 1,
          method: "PUT",
          version: "none",
          module: "versions",
          authorization: "none"
        },
        { address: "1.2.3.4", calls: 40, ...locations, authorization: "Token, 8 characters, Base64 of 6" }
      ])
    })
  )

  it.effect("has few lines a minute, however many addresses there are", () =>
    Effect.gen(function* () {
      const note = makeRefusedTokens()
      const lines = yield* linesOf(
        Effect.forEach(Array.from({ length: 5000 }), (_, at) => note(call(`2001:db8::${at.toString(16)}`)), {
          discard: true
        })
      )
      assert.lengthOf(lines, 10)
      const later = yield* linesOf(
        Effect.zipRight(TestClock.adjust("1 minute"), note(call("2001:db8::1387")))
      )
      assert.strictEqual(later[0]?.["calls"], 2)
    })
  )
})

describe("the form of an Authorization header", () => {
  it("says nothing of what it holds", () => {
    const forms: ReadonlyArray<readonly [header: string | undefined, form: string]> = [
      [undefined, "none"],
      ["Token", "Token without a value"],
      ["token 0123456789", "token, 10 characters"],
      ["0123456789", "no scheme, 10 characters"],
      ["Bearer pf_live_0123456789", "Bearer, 18 characters"],
      ["secretword 0123456789", "another scheme, 10 characters"],
      [`Token ${base64("a-secret-of-18-ch.")}`, "Token, 24 characters, Base64 of 18"]
    ]
    for (const [header, form] of forms) assert.strictEqual(formOf(header), form)
  })
})
