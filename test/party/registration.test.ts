import { assert, describe, it } from "vitest"
import {
  type HandshakeEventType,
  type HandshakeState,
  handshake,
  handshakeAfter,
  handshakeIn
} from "../../machines/handshake.ts"
import {
  exchangeEnded,
  inNewVersion,
  mayHappen,
  registrationAfter,
  registrationState
} from "../../src/party/wire/registration.ts"
import { unwrapped } from "../../src/party/wire/shapes.ts"
import { partyWith } from "../support/parties/parties.ts"

const open = { id: "exc_1", state: "registering", since: "2026-01-01T00:00:00.000Z" } as const
const at = (seconds: number) => Date.parse(open.since) + seconds * 1000

describe("the state of a registration", () => {
  it("is what the party holds", () => {
    assert.strictEqual(registrationState({ registration: "none" }, { nowMillis: 0 }), "unregistered")
    assert.strictEqual(
      registrationState({ registration: "none" }, { nowMillis: 0, invited: true }),
      "invited"
    )
    assert.strictEqual(registrationState({ registration: "registered" }, { nowMillis: 0 }), "registered")
  })

  it("is open while a request is, and for three minutes at most", () => {
    const party = { registration: "none", open } as const
    assert.strictEqual(registrationState(party, { nowMillis: at(179) }), "registering")
    assert.isFalse(mayHappen(party, "exchange.begun", { nowMillis: at(179) }))
    assert.strictEqual(registrationState(party, { nowMillis: at(181) }), "unregistered")
    assert.isTrue(mayHappen(party, "exchange.begun", { nowMillis: at(181) }))
  })
})

describe("a registration after an event", () => {
  const states = Object.keys(handshake.states) as ReadonlyArray<HandshakeState>
  const isOpen = (state: HandshakeState): state is (typeof open)["state"] => handshakeIn(state).hasTag("open")
  const isInvited = (state: HandshakeState) => state === "invited" || state === "answering"
  const partyIn = (state: HandshakeState) => ({
    ...partyWith({ id: "conn_1", role: "EMSP", version: "2.2.1" }),
    registration: handshakeIn(state).hasTag("trusted") ? ("registered" as const) : ("none" as const),
    open: isOpen(state) ? { ...open, state } : null
  })
  const exchange = (state: HandshakeState, id: string) => ({
    id,
    invited: isInvited(state),
    nowMillis: at(0)
  })

  it("is in the state that the machine says, read from what the party holds then", () => {
    for (const state of states)
      for (const type of handshake.events as ReadonlyArray<HandshakeEventType>) {
        const next = handshakeAfter(state, type, { invited: isInvited(state) })
        const after = registrationAfter(partyIn(state), type, exchange(state, open.id))
        const invited = next === "invited" || next === "answering"
        const found = after && registrationState(after, { nowMillis: at(0), invited })
        assert.strictEqual(found, next, `${type} in ${state}`)
      }
  })

  it("ends the open exchange however long it has been open, and no other one", () => {
    const late = { id: open.id, nowMillis: at(600) }
    assert.isNull(exchangeEnded(partyIn("rotating"), "exchange.failed", late).open)
    assert.strictEqual(
      registrationAfter(partyIn("registering"), "exchange.completed", late)?.registration,
      "registered"
    )
    const other = partyIn("renewing")
    assert.strictEqual(exchangeEnded(other, "call.refused", { id: "exc_2", nowMillis: at(1) }), other)
  })

  it("keeps the exchange that is open when the partner ends the registration meanwhile", () => {
    const after = registrationAfter(partyIn("ending"), "delete.received", exchange("ending", "exc_2"))
    assert.deepStrictEqual(after?.open, { ...open, state: "ending" })
  })
})

describe("a party in a new version", () => {
  const speaking = (version: "2.1.1" | "2.2.1", outbound: "raw" | "base64", more: object = {}) =>
    partyWith({
      id: "conn_1",
      role: "EMSP",
      version,
      dialect: { tokenEncoding: { inbound: "auto", outbound }, deviations: [], ...more }
    })
  const formAfter = (version: "2.1.1" | "2.2.1", outbound: "raw" | "base64") =>
    inNewVersion(speaking(version, outbound), "2.3.0").dialect.tokenEncoding.outbound

  it("finds out anew in which form the token goes, where it was the usual one", () => {
    assert.strictEqual(formAfter("2.1.1", "raw"), "auto")
    assert.strictEqual(formAfter("2.2.1", "base64"), "auto")
  })

  it("keeps the usual form that the caller has fixed", () => {
    const fixed = speaking("2.2.1", "base64", { overridden: ["tokenEncoding.outbound"] })
    assert.strictEqual(inNewVersion(fixed, "2.1.1").dialect.tokenEncoding.outbound, "base64")
  })

  it("finds out anew in which form the token comes, where the caller has not fixed it", () => {
    const inboundAfter = (more: object) =>
      inNewVersion(
        speaking("2.1.1", "raw", { tokenEncoding: { inbound: "raw", outbound: "raw" }, ...more }),
        "2.3.0"
      ).dialect.tokenEncoding.inbound
    assert.strictEqual(inboundAfter({}), "auto")
    assert.strictEqual(inboundAfter({ overridden: ["tokenEncoding.inbound"] }), "raw")
  })

  it("keeps the form of a partner that was odd before", () => {
    assert.strictEqual(formAfter("2.2.1", "raw"), "raw")
  })
})

describe("an object that may come wrapped", () => {
  it("is taken out of a list of one, and of no other", () => {
    const noted: Array<string> = []
    assert.deepStrictEqual(unwrapped("it", [{ a: 1 }], noted), { a: 1 })
    assert.strictEqual(noted.length, 1)
    for (const value of [{ a: 1 }, [], [{ a: 1 }, { b: 2 }], ["a"], null])
      assert.strictEqual(unwrapped("it", value, noted), value)
    assert.strictEqual(noted.length, 1)
  })
})
