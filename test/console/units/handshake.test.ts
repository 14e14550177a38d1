/** The pure parts of the pages of a connection: a handshake as a sequence, why it failed, and the form of a command. */
import { assert, describe, it } from "vitest"
import { fieldsOf, filledIn, textAt } from "../../../src/console/connections/commandFields.ts"
import { failureOf } from "../../../src/console/handshake/handshakeFailure.ts"
import {
  handshakeSince,
  mayBeginBefore,
  mayRegister,
  messagesOf,
  newestHandshake
} from "../../../src/console/handshake/handshakeSteps.ts"

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, 0) + seconds * 1000).toISOString()

/** An exchange that took a second. */
const exchange = (
  name: string,
  direction: "outbound" | "inbound",
  seconds: number,
  more: Record<string, any> = {}
): any => ({
  id: name,
  direction,
  module: /credentials/.test(name) ? "credentials" : /location/.test(name) ? "locations" : "versions",
  operation: /details/.test(name) ? "details" : name,
  request: {
    method: /POST/.test(name) ? "POST" : "GET",
    url: "https://cpo.example/ocpi",
    headers: { authorization: "«tokenA:3f2a»" },
    body: null,
    truncated: false
  },
  response: { httpStatus: 200, ocpiStatusCode: 1000, headers: {}, body: "{}", truncated: false },
  outcome: "completed",
  startedAt: at(seconds),
  durationMs: 1000,
  requestId: `request of ${name}`,
  correlationId: "ours",
  ...more
})
const refused = { httpStatus: 401, ocpiStatusCode: 2001, headers: {}, body: "no", truncated: false }
const ids = (all: ReadonlyArray<{ readonly id: string }>) => all.map(({ id }) => id)

describe("a handshake among exchanges", () => {
  const ours = [
    exchange("versions", "outbound", 10),
    exchange("details", "outbound", 12),
    exchange("POST credentials", "outbound", 14, { durationMs: 5000 }),
    exchange("their versions", "inbound", 15, { correlationId: "theirs" })
  ]

  it("may begin before the page that it is in", () => {
    const page = [exchange("location", "inbound", 50), ours[3]!, ours[2]!]
    const handshake = newestHandshake(page, { hasFailed: false })
    assert.isTrue(mayBeginBefore(handshake, page, 3))
    assert.isFalse(mayBeginBefore(handshake, page, 4), "nothing is before a page that is not full")
    const long = [...page, exchange("location 2", "outbound", -60)]
    assert.isFalse(mayBeginBefore(handshake, long, 4))
    assert.isFalse(mayBeginBefore([], page, 3))
  })

  it("is what has the correlation id of the newest call for credentials, and what came meanwhile", () => {
    const before = exchange("preflight versions", "outbound", 9, { correlationId: "preflight" })
    const traffic = [exchange("location", "inbound", 15), exchange("location 2", "outbound", 30)]
    const old = exchange("POST credentials of old", "outbound", 1, { correlationId: "old" })
    const all = [...traffic, before, old, ...ours]
    assert.deepStrictEqual(ids(newestHandshake(all, { hasFailed: false })), ids(ours))
    assert.deepStrictEqual(newestHandshake(traffic, { hasFailed: false }), [])
    assert.deepStrictEqual(newestHandshake([before], { hasFailed: false }), [], "a preflight is no handshake")
  })

  it("begun by the partner has the partner's look at our versions before, and our discovery meanwhile", () => {
    const theirs = [
      exchange("their versions", "inbound", 10, { correlationId: "a" }),
      exchange("their POST credentials", "inbound", 14, { correlationId: "b", durationMs: 4000 }),
      exchange("versions", "outbound", 15, { correlationId: "c" })
    ]
    const before = exchange("preflight versions", "outbound", 9, { correlationId: "preflight" })
    assert.deepStrictEqual(ids(newestHandshake([...theirs, before], { hasFailed: false })), ids(theirs))
  })

  it("that an invited partner has begun is what came since the invitation, from the partner's first call on", () => {
    const begun = [
      exchange("their versions", "inbound", 10, { correlationId: "a" }),
      exchange("their details", "inbound", 12, { correlationId: "b" })
    ]
    const others = [
      exchange("their versions of old", "inbound", 3, { correlationId: "old" }),
      exchange("preflight versions", "outbound", 9, { correlationId: "preflight" }),
      exchange("location", "inbound", 11)
    ]
    assert.deepStrictEqual(ids(handshakeSince([...begun.toReversed(), ...others], at(5))), ids(begun))
    const calledBack = exchange("versions", "outbound", 15, { correlationId: "c" })
    assert.deepStrictEqual(ids(handshakeSince([...begun, calledBack], at(5))), ids([...begun, calledBack]))
    assert.deepStrictEqual(handshakeSince(others, at(5)), [])
  })

  it("can begin while an invitation is open, and only then", () => {
    const invitation = { state: "open", issuedAt: at(0), expiresAt: at(50) } as const
    assert.isTrue(mayRegister({ status: "pending", invitation }))
    assert.isTrue(mayRegister({ status: "failed", invitation }))
    assert.isFalse(mayRegister({ status: "registered", invitation }))
    assert.isFalse(mayRegister({ status: "pending", invitation: { ...invitation, state: "expired" } }))
    assert.isFalse(mayRegister({ status: "pending", invitation: null }))
  })

  it("that failed is the one of the newest call that went wrong, not of a look without a token", () => {
    const failed = [
      exchange("versions", "outbound", 10),
      exchange("details", "outbound", 12, { response: refused })
    ]
    const later = exchange("versions for anyone", "outbound", 20, {
      correlationId: "preflight",
      response: refused,
      request: { ...failed[0].request, headers: {} }
    })
    assert.deepStrictEqual(ids(newestHandshake([...failed, later], { hasFailed: true })), ids(failed))
  })

  it("has each answer after its request and after what was asked in between", () => {
    assert.deepStrictEqual(
      messagesOf(ours).map(({ from, kind, text }) => `${from} ${kind} ${text}`),
      [
        "plugfest request GET versions",
        "partner answer HTTP 200 · 1000",
        "plugfest request GET version details",
        "partner answer HTTP 200 · 1000",
        "plugfest request POST credentials",
        "partner request GET versions",
        "plugfest answer HTTP 200 · 1000",
        "partner answer HTTP 200 · 1000"
      ]
    )
    const [, none] = messagesOf([
      exchange("versions", "outbound", 1, { response: null, outcome: "timed_out" })
    ])
    assert.deepInclude(none, { text: "timed out", isGood: false })
  })
})

describe("a handshake that failed", () => {
  const wrong = exchange("versions", "outbound", 10, { response: refused })

  it("names only what refuses a connection where one was refused", () => {
    const dead = exchange("versions", "outbound", 10, { response: null, outcome: "refused" })
    const failure = failureOf({ lastError: "network: refused", ocpiVersion: "2.2.1" }, [dead])
    assert.match(failure!.reasons[0]!, /not running at this host and port/)
    assert.notMatch(failure!.reasons.join(" "), /DNS|certificate|PUBLIC_URL/)
  })

  it("names what kept the connection from coming about", () => {
    for (const [kind, reason, text] of [
      ["dns", /typing error/, "name not resolved"],
      ["tls", /certificate/, "no TLS"],
      ["timeout", /firewall/, "no reply"]
    ] as const) {
      const fault = { kind, message: kind }
      const dead = exchange("versions", "outbound", 10, { response: null, outcome: "refused", fault })
      const failure = failureOf({ lastError: `network: ${kind}`, ocpiVersion: "2.2.1" }, [dead])
      assert.match(failure!.reasons[0]!, reason)
      assert.notMatch(failure!.reasons.join(" "), /not running/)
      assert.strictEqual(messagesOf([dead])[1]?.text, text)
    }
  })

  it("has a cause, reasons of its kind, and a letter with what the partner needs to find it", () => {
    const failure = failureOf({ lastError: "auth: GET versions answered 401", ocpiVersion: "2.2.1" }, [wrong])
    assert.strictEqual(failure?.cause, "GET versions answered 401")
    assert.match(failure!.reasons[0]!, /Token A/)
    for (const part of ["OCPI 2.2.1", "GET https://cpo.example/ocpi", "request of versions", "HTTP 401"])
      assert.include(failure!.letter, part)
  })

  it("because the partner could not call back says so first", () => {
    const response = { ...refused, httpStatus: 200, ocpiStatusCode: 3001 }
    const failure = failureOf({ lastError: "protocol: POST credentials", ocpiVersion: "2.2.1" }, [
      { ...wrong, response }
    ])
    assert.match(failure!.reasons[0]!, /call back/)
  })

  it("of a partner that registers with us says whose registration it was", () => {
    const failure = failureOf({ lastError: "auth: GET versions answered 401", ocpiVersion: "2.2.1" }, [
      exchange("POST credentials", "inbound", 0),
      wrong
    ])
    assert.match(failure!.letter!, /^Your registration with us by OCPI 2\.2\.1 failed/)
    assert.match(failure!.reasons[0]!, /before it answers/)
  })

  it("by a setting of ours has no letter; and one that did not fail has nothing", () => {
    const failure = failureOf({ lastError: "config: the URL is no URL", ocpiVersion: "2.2.1" }, [])
    assert.notProperty(failure, "letter")
    assert.isNull(failureOf({ ocpiVersion: "2.2.1" }, [wrong]))
  })
})

describe("the form of a command", () => {
  const schema = {
    type: "object",
    required: ["token", "reservation_id"],
    properties: {
      token: {
        type: "object",
        required: ["uid", "type"],
        properties: {
          uid: { type: "string", description: "text" },
          type: { type: "string", enum: ["RFID", "OTHER"] },
          valid: { type: "boolean" }
        }
      },
      reservation_id: { type: "number" },
      evse_uid: { type: "string" },
      tags: { type: "array", items: {} }
    }
  }
  const draft = { token: { uid: "A", type: "RFID", valid: true }, reservation_id: 1, evse_uid: "E1" }
  const fields = fieldsOf(schema)

  it("has a field for each place, with its kind and words", () => {
    assert.deepStrictEqual(
      fields.map(({ isRequired, key, kind }) => `${key} ${kind}${isRequired ? " required" : ""}`),
      [
        "token.uid text required",
        "token.type choice required",
        "token.valid choice",
        "reservation_id number required",
        "evse_uid text",
        "tags json"
      ]
    )
    assert.deepStrictEqual(
      fields.map(({ path }) => textAt(draft, path)),
      ["A", "RFID", "true", "1", "E1", ""]
    )
  })

  it("sends the draft with what was typed, in the kinds of the schema, and leaves the draft as it is", () => {
    const typed = { "token.uid": "B", "token.valid": "false", reservation_id: "7", evse_uid: "", tags: "[1]" }
    assert.deepStrictEqual(filledIn(draft, fields, typed), {
      token: { uid: "B", type: "RFID", valid: false },
      reservation_id: 7,
      evse_uid: null,
      tags: [1]
    })
    assert.strictEqual(draft.token.uid, "A")
    assert.deepStrictEqual(filledIn(draft, fields, { "token.uid": "A" }), draft)
    assert.throws(() => filledIn(draft, fields, { reservation_id: "seven" }), /expected a number/)
  })
})
