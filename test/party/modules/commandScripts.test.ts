import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { commandScripts } from "../../../src/party/modules/commands/commandScripts.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { ask, own, partyWith, roomLayer, tokenOf } from "../../support/parties/parties.ts"

const stop = { response_url: "https://emsp.example/results/1", session_id: "OUR-SESSION" }
const session = { id: "OUR-SESSION", status: "ACTIVE", last_updated: "2026-01-01T00:00:00Z" }

layer(roomLayer("http://ours.test"))("a command whose answer was laid down", (it) => {
  const cpoWith = (name: string, script: Record<string, unknown>, sessions = [session]) =>
    Effect.gen(function* () {
      const store = yield* PartyStore
      const cpo = partyWith({ id: `cpo_${name}`, role: "CPO" })
      const token = `of-cpo-${name}-0123456789`
      yield* store.insert(cpo, [tokenOf("issued", "tokenC", token)])
      yield* own(cpo, commandScripts, "STOP_SESSION", { ...script, last_updated: "2026-01-01T00:00:00Z" })
      for (const one of sessions) yield* own(cpo, "sessions", one.id, one)
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
      const script = { answer: "REJECTED", until: "1960-01-01T00:00:00.000Z" }
      assert.strictEqual((yield* cpoWith("over", script)).result, "ACCEPTED")
      assert.strictEqual((yield* cpoWith("gone", script, [])).result, "UNKNOWN_SESSION")
    })
  )
  it.effect("is not answered so where it is about something that there is not", () =>
    Effect.gen(function* () {
      const script = { answer: "ACCEPTED", until: "2100-01-01T00:00:00.000Z" }
      const { cpo, result } = yield* cpoWith("strange", script, [])
      assert.strictEqual(result, "UNKNOWN_SESSION")
      const place = { location_id: "OUR-PLACE", evse_uid: "E1", connector_id: "1" }
      const last_updated = "2026-01-01T00:00:00Z"
      yield* own(cpo, commandScripts, "UNLOCK_CONNECTOR", { ...script, last_updated })
      yield* own(cpo, "locations", "OUR-PLACE", {
        id: "OUR-PLACE",
        evses: [{ uid: "E1", connectors: [{ id: "1" }] }],
        last_updated
      })
      const answered = (changed: object) =>
        Effect.map(
          ask({
            path: "2.2.1/commands/UNLOCK_CONNECTOR",
            token: "of-cpo-strange-0123456789",
            method: "POST",
            body: { response_url: stop.response_url, ...place, ...changed }
          }),
          ({ json }) => json.data?.result ?? json.status_code
        )
      assert.strictEqual(yield* answered({}), "ACCEPTED")
      assert.strictEqual(yield* answered({ location_id: "NOWHERE" }), 2003)
      assert.strictEqual(yield* answered({ evse_uid: "E2" }), "REJECTED")
      assert.strictEqual(yield* answered({ connector_id: "2" }), "REJECTED")
    })
  )
})
