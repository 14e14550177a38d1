/**
 * A registration as one of its two parties sees it: which exchange may begin in which state, and where it leads. Both
 * parties run the same machine, each on its own side. States, events and invariants: SPEC.md, section handshake.
 */
import { assign, setup, transition } from "xstate"
import type { RegistrationState } from "../schema/Connection.ts"

/**
 * `exchange.*`: our POST, PUT or the discovery before it. `post.received`, `put.received`, `delete.received`: the
 * partner's call on our credentials endpoint; `post.answered`, `put.answered`: we accepted it; `call.refused`: we did not.
 * A time-out is a failure. `ending.begun`: we are about to tell the partner that the registration is over, or to forget
 * the partner; `registration.ended`: that is done. `delete.answered`: the partner answered a DELETE that a run of ours sent.
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
  | "post.answered"
  | "put.answered"
  | "call.refused"
  | "delete.answered"
  | "ending.begun"
  | "registration.ended"

/** An event of the registration; it carries nothing but its type. */
interface HandshakeEvent {
  readonly type: HandshakeEventType
}

/** The states of a registration. */
export type HandshakeState = typeof RegistrationState.Type

/** Serialisable as plain JSON. */
interface HandshakeContext {
  /** We have issued a Token A, and the partner may register with it. */
  readonly invited: boolean
}

/** The registration machine. Tag `open`: an exchange is under way; `trusted`: the token that we issued opens our endpoints. */
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
    /** Any Token A that was issued is no longer accepted. */
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
        // A partner that gave up waiting may try again with the same token; the first POST that we answer wins.
        "post.received": "answering",
        "post.answered": { target: "registered", actions: "dropInvitation" },
        "call.refused": "invited"
      }
    },
    registered: {
      tags: "trusted",
      on: {
        "exchange.begun": "rotating",
        "put.received": "renewing",
        // Two concurrent PUTs are both answered: this is the second one.
        "put.answered": "registered",
        "delete.received": "unregistered",
        "delete.answered": "unregistered",
        "ending.begun": "ending"
      }
    },
    rotating: {
      tags: ["open", "trusted"],
      on: {
        "exchange.completed": "registered",
        "exchange.failed": "registered",
        "delete.received": "unregistered",
        "delete.answered": "unregistered"
      }
    },
    renewing: {
      tags: ["open", "trusted"],
      on: {
        "put.received": "renewing",
        "put.answered": "registered",
        "call.refused": "registered",
        "delete.received": "unregistered",
        "delete.answered": "unregistered"
      }
    },
    ending: {
      tags: "open",
      on: {
        // A second request to end it completes what the first one may not have.
        "ending.begun": "ending",
        // The partner ends it at the same time, which does not change what we do next.
        "delete.received": "ending",
        "delete.answered": "ending",
        "registration.ended": { target: "unregistered", actions: "dropInvitation" }
      }
    }
  }
})

/** A snapshot of the machine in this state. */
export const handshakeIn = (value: HandshakeState, context: HandshakeContext = usualContext(value)) =>
  handshake.resolveState({ value, context })

const usualContext = (state: HandshakeState): HandshakeContext => ({
  invited: state === "invited" || state === "answering"
})

/** The state that the event leads to; undefined where the state does not take it. */
export const handshakeAfter = (
  state: HandshakeState,
  type: HandshakeEventType,
  context?: HandshakeContext
): HandshakeState | undefined => {
  const before = handshakeIn(state, context)
  return before.can({ type }) ? transition(handshake, before, { type })[0].value : undefined
}
