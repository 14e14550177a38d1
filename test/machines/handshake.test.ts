import { assert, describe, it } from "vitest"
import { initialTransition, transition } from "xstate"
import {
  type HandshakeEventType,
  type HandshakeState,
  handshake,
  handshakeAfter,
  handshakeIn
} from "../../machines/handshake.ts"

const given = (...events: ReadonlyArray<HandshakeEventType>) => {
  let [state] = initialTransition(handshake)
  for (const type of events) [state] = transition(handshake, state, { type })
  return state
}

/** Shortest way into each state. */
const ways: Record<HandshakeState, ReadonlyArray<HandshakeEventType>> = {
  unregistered: [],
  invited: ["invitation.issued"],
  registering: ["exchange.begun"],
  answering: ["invitation.issued", "post.received"],
  registered: ["exchange.begun", "exchange.completed"],
  rotating: ["exchange.begun", "exchange.completed", "exchange.begun"],
  renewing: ["exchange.begun", "exchange.completed", "put.received"],
  ending: ["exchange.begun", "exchange.completed", "ending.begun"]
}

const none: Record<HandshakeState, HandshakeState | undefined> = {
  unregistered: undefined,
  invited: undefined,
  registering: undefined,
  answering: undefined,
  registered: undefined,
  rotating: undefined,
  renewing: undefined,
  ending: undefined
}

/** A new event, or a new state, does not compile until it has its place here. */
const table: Record<HandshakeEventType, Record<HandshakeState, HandshakeState | undefined>> = {
  "invitation.issued": { ...none, unregistered: "invited", invited: "invited" },
  "invitation.withdrawn": { ...none, invited: "unregistered" },
  "exchange.begun": {
    ...none,
    unregistered: "registering",
    invited: "registering",
    registered: "rotating"
  },
  "exchange.completed": { ...none, registering: "registered", rotating: "registered" },
  "exchange.failed": { ...none, registering: "unregistered", rotating: "registered" },
  "post.received": { ...none, invited: "answering", answering: "answering" },
  "put.received": { ...none, registered: "renewing", renewing: "renewing" },
  "delete.received": {
    ...none,
    registered: "unregistered",
    rotating: "unregistered",
    renewing: "unregistered",
    ending: "ending"
  },
  "delete.answered": {
    ...none,
    registered: "unregistered",
    rotating: "unregistered",
    renewing: "unregistered",
    ending: "ending"
  },
  "post.answered": { ...none, answering: "registered" },
  "put.answered": { ...none, registered: "registered", renewing: "registered" },
  "call.refused": { ...none, answering: "invited", renewing: "registered" },
  "ending.begun": {
    ...none,
    unregistered: "ending",
    invited: "ending",
    registered: "ending",
    ending: "ending"
  },
  "registration.ended": { ...none, ending: "unregistered" }
}

const states = Object.keys(ways) as ReadonlyArray<HandshakeState>
const events = Object.keys(table) as ReadonlyArray<HandshakeEventType>

describe("handshake", () => {
  for (const type of events) {
    it(`takes ${type} where the table says, and nowhere else`, () => {
      const found = Object.fromEntries(
        states.map((from) => {
          const state = given(...ways[from])
          const [next] = transition(handshake, state, { type })
          return [from, state.can({ type }) ? next.value : undefined]
        })
      )
      assert.deepStrictEqual(found, table[type])
    })
  }

  it("says of a state that it was put into what it says of one that it lived into", () => {
    for (const state of states)
      for (const type of events) {
        const lived = given(...ways[state])
        const next = lived.can({ type }) ? transition(handshake, lived, { type })[0].value : undefined
        assert.strictEqual(handshakeAfter(state, type, lived.context), next)
      }
  })
  it("goes back to the invitation when our own POST fails", () => {
    assert.strictEqual(given("invitation.issued", "exchange.begun", "exchange.failed").value, "invited")
  })
  it("stays registered when a rotation fails, from either side", () => {
    assert.strictEqual(given(...ways.rotating, "exchange.failed").value, "registered")
    assert.strictEqual(given(...ways.renewing, "call.refused").value, "registered")
  })
  it("forgets the invitation with the registration", () => {
    const after = given("invitation.issued", "post.received", "post.answered", "delete.received")
    assert.strictEqual(after.value, "unregistered")
    assert.isFalse(after.context.invited)
    assert.isFalse(after.can({ type: "post.received" }))
  })
  it("begins nothing while something is open", () => {
    for (const state of states) {
      const isOpen = handshakeIn(state).hasTag("open")
      if (isOpen) assert.isUndefined(handshakeAfter(state, "exchange.begun"), state)
    }
  })
  it("trusts the issued token exactly while there is a registration", () => {
    assert.deepStrictEqual(
      states.filter((state) => handshakeIn(state).hasTag("trusted")),
      ["registered", "rotating", "renewing"]
    )
  })
})
