import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { commandScripts } from "../../../src/party/modules/commandScripts.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { ask, own, partyWith, roomLayer, tokenOf } from "../support/fixtures.ts"

const stop = { response_url: "https://emsp.example/results/1", session_id: "NO-SUCH-SESSION" }

layer(roomLayer("http://ours.test"))("a command whose answer was laid down", (it) => {
  const cpoWith = (name: string, script: Record<string, unknown>) =>
    Effect.gen(function* () {
      const store = yield* PartyStore
      const cpo = partyWith({ id: `cpo_${name}`, role: "CPO" })
      const token = `of-cpo-${name}-0123456789`
      yield* store.insert(cpo, [tokenOf("issued", "tokenC", token)])
      yield* own(cpo, commandScripts, "STOP_SESSION", { ...script, last_updated: "2026-01-01T00:00:00Z" })
      const sent = ask({ path: "2.2.1/commands/STOP_SESSION", token, method: "POST", body: stop })
      return { store, cpo, result: (yield* sent).json.data.result as string }
    })

  it.effect("is answered so, and not carried out", () =>
    Effect.gen(function* () {
      const { cpo, result, store } = yield* cpoWith("laid", {
        answer: "ACCEPTED",
        until: "2100-01-01T00:00:00.000Z"
      })
      assert.strictEqual(result, "ACCEPTED")
      const outbound = (yield* store.exchanges(cpo.id, 0, 10)).filter(
        ({ exchange }) => exchange.direction === "outbound"
      )
      assert.deepStrictEqual(outbound, [])
    })
  )
  it.effect("is judged as ever once that time is over", () =>
    Effect.gen(function* () {
      const { result } = yield* cpoWith("over", { answer: "ACCEPTED", until: "1960-01-01T00:00:00.000Z" })
      assert.strictEqual(result, "UNKNOWN_SESSION")
    })
  )
})
