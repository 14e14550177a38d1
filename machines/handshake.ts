/**
 * A registration as one of its two parties sees it: who may begin what, and where it leads. Both parties run the same
 * machine, each on its own side. States, events and invariants: SPEC.md, section handshake.
 */
import { assign, setup } from "xstate"

/**
 * `exchange.*`: our POST, PUT or the discovery before it. `post.received`, `put.received`, `delete.received`: the
 * partner's call on our credentials endpoint; `call.*`: how we ended our answer to it. A time-out is a failure.
 * `ending.begun`: we are about to tell the partner that it is over, or to forget it; `registration.ended`: that is done.
 */
export type HandshakeEventType =
  | "invitation.issued"
  | "invitation.withdrawn"
  | "exchange.begun"
  | "exchange.completed"
  | "exchange.failed"
  | "post.received"
  | "put.received"
  | "delete.received"
  | "call.answered"
  | "call.refused"
  | "ending.begun"
  | "registration.ended"

export interface HandshakeEvent {
  readonly type: HandshakeEventType
}

export type HandshakeState =
  | "unregistered"
  | "invited"
  | "registering"
  | "answering"
  | "registered"
  | "rotating"
  | "renewing"
  | "ending"

/** Plain JSON. */
export interface HandshakeContext {
  /** A Token A of ours is out, and the partner may come with it. */
  readonly invited: boolean
}

export const handshake = setup({
  types: {
    // XState takes its types as values.
    context: {} as HandshakeContext,
    events: {} as HandshakeEvent,
    tags: {} as "open" | "trusted"
  },
  guards: { isInvited: ({ context }) => context.invited },
  actions: {
    noteInvitation: assign({ invited: true }),
    /** Whatever Token A was out is dead now. */
    dropInvitation: assign({ invited: false })
  }
}).createMachine({
  id: "handshake",
  context: { invited: false },
  initial: "unregistered",
  states: {
    unregistered: {
      on: {
        "invitation.issued": { target: "invited", actions: "noteInvitation" },
        "exchange.begun": "registering",
        "ending.begun": "ending"
      }
    },
    invited: {
      on: {
        "invitation.issued": "invited",
        "invitation.withdrawn": { target: "unregistered", actions: "dropInvitation" },
        "exchange.begun": "registering",
        "post.received": "answering",
        "ending.begun": "ending"
      }
    },
    registering: {
      tags: "open",
      on: {
        "exchange.completed": { target: "registered", actions: "dropInvitation" },
        "exchange.failed": [{ guard: "isInvited", target: "invited" }, { target: "unregistered" }]
      }
    },
    answering: {
      tags: "open",
      on: {
        // Who gave up waiting tries again with the same token; the first to be answered wins.
        "post.received": "answering",
        "call.answered": { target: "registered", actions: "dropInvitation" },
        "call.refused": "invited"
      }
    },
    registered: {
      tags: "trusted",
      on: {
        "exchange.begun": "rotating",
        "put.received": "renewing",
        "delete.received": "unregistered",
        "ending.begun": "ending"
      }
    },
    rotating: {
      tags: ["open", "trusted"],
      on: {
        "exchange.completed": "registered",
        "exchange.failed": "registered",
        "delete.received": "unregistered"
      }
    },
    renewing: {
      tags: ["open", "trusted"],
      on: {
        "put.received": "renewing",
        "call.answered": "registered",
        "call.refused": "registered",
        "delete.received": "unregistered"
      }
    },
    ending: {
      tags: "open",
      on: {
        // A second wish to end it does what the first one may have died over.
        "ending.begun": "ending",
        // The partner ends it at the same time, which changes nothing of what we are about to do.
        "delete.received": "ending",
        "registration.ended": { target: "unregistered", actions: "dropInvitation" }
      }
    }
  }
})

/** The machine in one of its states, as a party finds itself there. */
export const handshakeIn = (value: HandshakeState, invited = value === "invited" || value === "answering") =>
  handshake.resolveState({ value, context: { invited } })

/** May that happen in this state? */
export const mayHappen = (state: HandshakeState, type: HandshakeEventType): boolean =>
  handshakeIn(state).can({ type })
