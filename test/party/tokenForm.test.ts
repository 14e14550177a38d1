/** What a registration notes about the form of the token: nothing where there was no answer. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { Handshake } from "../../src/party/registration/Handshake.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { base64, partyWith, roomLayer, tokenOf } from "../support/parties/parties.ts"

/** Answers HTTP 401 to the token in Base64, and hangs up on everything else. */
const hangingUp = Effect.acquireRelease(
  Effect.async<{ readonly url: string; readonly close: () => void }>((resume) => {
    const server = createServer((incoming, outgoing) => {
      if (incoming.headers.authorization !== `Token ${base64("secret")}`) return incoming.socket.destroy()
      outgoing.writeHead(401, { "content-type": "application/json" })
      outgoing.end(JSON.stringify({ status_code: 2000, timestamp: "2026-01-01T00:00:00Z" }))
      return outgoing
    })
    server.listen(0, "127.0.0.1", () =>
      resume(
        Effect.succeed({
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/versions`,
          close: () => void server.close().closeAllConnections()
        })
      )
    )
  }),
  ({ close }) => Effect.sync(close)
)

describe("the form of the token", () => {
  it.scopedLive("is not noted when the partner refused one form, and did not answer to the other", () =>
    Effect.gen(function* () {
      const { url } = yield* hangingUp
      const store = yield* PartyStore
      const bare = partyWith({ id: "conn_1", role: "EMSP" }, false)
      yield* store.insert({ ...bare, counterpart: { ...bare.counterpart, versionsUrl: url } }, [
        tokenOf("outbound", "tokenA", "secret")
      ])
      const result = yield* (yield* Handshake).run(bare.id)
      assert.isFalse(result.ok)
      const { dialect } = Option.getOrThrow(yield* store.find(bare.id))
      assert.deepStrictEqual(dialect.deviations, [])
    }).pipe(Effect.provide(roomLayer("http://127.0.0.1:1")))
  )
})
