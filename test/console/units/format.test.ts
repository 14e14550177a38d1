/** What the pages make of the service's values: commands, clauses, URLs, acts, orders. */
import { assert, describe, it } from "vitest"
import { Attribution, registrationForgotten } from "../../../schema/Assertion.ts"
import { egressRemedy as ofCommandLine } from "../../../src/cli/connecting/egressRemedy.ts"
import type { RunReport } from "../../../src/client/plugfest.ts"
import { curlOf } from "../../../src/console/exchanges/curlOf.ts"
import { filterExchanges, modulesIn } from "../../../src/console/exchanges/filterExchanges.ts"
import { harOf } from "../../../src/console/exchanges/harOf.ts"
import { baseOf } from "../../../src/console/format/baseOf.ts"
import { egressRemedy } from "../../../src/console/format/egressRemedy.ts"
import { entryOf, isRegistrationLost } from "../../../src/console/format/lostRegistration.ts"
import { viewOf } from "../../../src/console/format/orderView.ts"
import { shortMessage } from "../../../src/console/format/shortMessage.ts"
import { attributedTo } from "../../../src/console/format/words.ts"
import { firstPlace, placeById } from "../../../src/console/reports/placesOf.ts"
import { actInWords, answerInWords } from "../../../src/console/settings/auditWords.ts"
import { deviationsIn, deviationsText } from "../../../src/console/suites/deviationsText.ts"
import { durationOf, usualMillis } from "../../../src/console/suites/durationOf.ts"
import { askedOf, countNeeds, needInWords, orderOf } from "../../../src/console/suites/orderOf.ts"
import { clauseInWords } from "../../../src/reports/clauseInWords.ts"
import { curlLine } from "../../../src/reports/curl.ts"

type Exchange = Parameters<typeof filterExchanges>[0][number]
type Check = Parameters<typeof askedOf>[0][number]

const exchange = (request: Partial<Exchange["request"]> = {}, more: Partial<Exchange> = {}): Exchange => ({
  id: "exc_1",
  direction: "outbound",
  module: "locations",
  operation: "list",
  request: {
    method: "GET",
    url: "https://partner.example/ocpi/2.2.1/locations?limit=5",
    headers: { authorization: "Token «tokenB:3f2a»", accept: "*/*", "x-request-id": "r-1" },
    body: null,
    truncated: false,
    ...request
  },
  response: { httpStatus: 200, ocpiStatusCode: 1000, headers: {}, body: "{}", truncated: false },
  outcome: "completed",
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 12,
  requestId: "r-1",
  correlationId: "c-1",
  ...more
})

describe("a request as a curl command", () => {
  it("is the one that reports have", () => {
    for (const request of [
      {},
      { headers: { authorization: "Token base64(«tokenB:3f2a»)" } },
      { method: "PUT", body: '{"a":"it\'s"}', url: "https://partner.example/x[1]" },
      { method: "POST", body: "x".repeat(90), truncated: true, headers: { "content-type": "text/plain" } }
    ]) {
      const one = exchange(request)
      assert.strictEqual(curlOf(one), curlLine(one))
    }
  })

  it("has no secret of a request that was not sent, because its host may not get any", () => {
    const blocked = exchange(
      {
        url: "http://other.example/%C2%ABtokenB:9a%C2%BB?t=«tokenB:9a»",
        headers: { Authorization: "Token base64(«tokenB:9a»)", "X-Request-ID": "r" },
        body: '{"token":"«tokenC:9a»"}'
      },
      { outcome: "blocked", response: null }
    )
    for (const write of [curlOf, curlLine]) {
      assert.notInclude(write(blocked), "$TOKEN")
      assert.notMatch(write(blocked), /authorization/i)
      assert.include(write(blocked), "X-Request-ID")
      assert.include(write({ ...blocked, outcome: "completed" }), "$TOKEN")
    }
  })

  it("has the variable in place of each secret, also of one that has no placeholder", () => {
    const command = curlOf(exchange({ headers: { Authorization: "Token c2VjcmV0LXRva2Vu" } }))
    assert.notInclude(command, "c2VjcmV0LXRva2Vu")
    assert.include(command, '"$TOKEN"')
    assert.notInclude(curlOf(exchange({ body: '{"token":"«tokenC:9a»"}' })), "«")
  })
})

describe("exchanges", () => {
  const all = [
    exchange(),
    exchange({ method: "POST" }, { module: "credentials" }),
    exchange({}, { response: null, outcome: "timed_out" })
  ]
  it("are filtered by module and by words of their line", () => {
    assert.lengthOf(filterExchanges(all, { module: "credentials" }), 1)
    assert.lengthOf(filterExchanges(all, { text: "get LIMIT=5" }), 2)
    assert.lengthOf(filterExchanges(all, { text: "timed_out" }), 1)
    assert.deepStrictEqual(modulesIn(all, "tokens"), ["credentials", "locations", "tokens"])
  })
  it("are an archive that other tools read, with status 0 where there is no answer", () => {
    const { log } = JSON.parse(harOf(all))
    assert.strictEqual(log.version, "1.2")
    assert.deepStrictEqual(
      log.entries.map(({ response }: any) => response.status),
      [200, 200, 0]
    )
    assert.deepStrictEqual(log.entries[0].request.queryString, [{ name: "limit", value: "5" }])
    const timed = exchange({}, { durationMs: 30.3, timings: { connectMs: 10.1, answerMs: 15.1 } })
    assert.deepStrictEqual(
      JSON.parse(harOf([exchange({}, { durationMs: 24 }), timed])).log.entries.map(
        ({ timings }: any) => timings
      ),
      [
        { connect: -1, send: 0, wait: 24, receive: 0 },
        { connect: 10.1, send: 0, wait: 15.1, receive: 5.1 }
      ]
    )
  })
})

describe("URLs of modules", () => {
  it("have what they all begin with as their base, to its last slash", () => {
    const base = "https://partner.example/ocpi/2.2.1/"
    assert.strictEqual(baseOf([`${base}locations`, `${base}location-x`, `${base}cdrs/`]), base)
    assert.strictEqual(baseOf([`${base}sessions`, "https://other.example/cdrs"]), "")
    assert.strictEqual(baseOf([`${base}sessions`]), "")
    assert.strictEqual(baseOf([]), "")
  })
})

describe("a reference", () => {
  it("names documents in words, and keeps what is no document", () => {
    assert.strictEqual(
      clauseInWords("mod_sessions, Session Object; types, Price class"),
      "Sessions module, Session Object; Data types, Price class"
    )
    assert.strictEqual(
      clauseInWords("mod_cdrs, CDR Object; CdrToken class"),
      "CDRs module, CDR Object; CdrToken class"
    )
    assert.strictEqual(
      clauseInWords("version_information_endpoint, Version information endpoint"),
      "Version information endpoint"
    )
    assert.strictEqual(clauseInWords("transport_and_format; RFC 3986"), "Transport and format; RFC 3986")
    assert.strictEqual(clauseInWords("mod_locations and others, GET"), "Locations module and others, GET")
  })
})

describe("a message", () => {
  it("is shown without the places that are listed beside it", () => {
    assert.strictEqual(
      shortMessage(
        'status is "FREE" (at /data/0/status of LOC-1), 24 times, also at /data/1/status of LOC-2; uid is missing (at /data/3)'
      ),
      'status is "FREE", 24 times; uid is missing'
    )
    assert.strictEqual(shortMessage("nothing of this (at noon)"), "nothing of this (at noon)")
  })
})

describe("an attribution", () => {
  it("has words of its own, whichever it is", () => {
    const words = Attribution.literals.map(attributedTo)
    assert.strictEqual(words[0], "Attributed to the partner")
    for (const word of words) assert.notInclude(word, ":")
    assert.strictEqual(new Set(words).size, words.length)
  })
})

describe("the places of a check", () => {
  const check = {
    findings: [
      { places: [{ pointer: "/a" }, { pointer: "/b", exchangeId: "exc_2" }] },
      { places: [{ pointer: "/c", exchangeId: "exc_1" }] }
    ]
  } as unknown as Parameters<typeof placeById>[0]
  it("are found by the id of the URL, whatever stands there", () => {
    assert.strictEqual(placeById(check, "0.1")?.pointer, "/b")
    for (const odd of [undefined, "", "7.0", "0.9", "x.y", "-1.0", "0"])
      assert.isUndefined(placeById(check, odd), odd)
    assert.strictEqual(firstPlace(check)?.pointer, "/b")
    assert.strictEqual(firstPlace(check, "exc_1")?.pointer, "/c")
  })
})

describe("the audit", () => {
  it("says each act, and one that it does not know by its name", () => {
    assert.strictEqual(actInWords("connections.handshake"), "Registered, or rotated the tokens")
    assert.strictEqual(actInWords("webhooks.sendAgain"), "Webhooks: send again")
    assert.deepStrictEqual([201, 403, 422, 429, 503, null].map(answerInWords), [
      "done",
      "not allowed (403)",
      "refused (422)",
      "too often (429)",
      "failed (503)",
      "not known"
    ])
  })
})

describe("an order", () => {
  const check = (id: string, clauses: ReadonlyArray<string>, need: Check["need"]) =>
    ({ id, clauses, module: id.slice(0, 3).toLowerCase(), need }) as Check
  const checks = [
    check("LOC-001", ["mod_locations", "mod_locations, Location object"], "partner_data"),
    check("CDR-001", ["mod_cdrs", "mod_cdrs, CDR Object", "mod_cdrs, CdrToken class"], "partner_data"),
    check("TOK-001", ["mod_tokens", "types"], "partner_acts")
  ]
  it("selects by clauses as the service does", () => {
    const of = (clauses: string) => askedOf(checks, { clauses }).map(({ id }) => id)
    assert.deepStrictEqual(of("mod_cdrs, cdrtoken class; types"), ["CDR-001", "TOK-001"])
    assert.deepStrictEqual(of("mod_*"), ["LOC-001", "CDR-001", "TOK-001"])
    assert.deepStrictEqual(of("mod_loc"), [])
  })
  it("counts what failed in another run, and each kind of need", () => {
    assert.lengthOf(askedOf(checks, { failed: "rep_1" }, new Set(["LOC-001", "PAGE-009"])), 1)
    assert.deepStrictEqual(
      [...countNeeds(checks)].map(([, many]) => many),
      [1, 2, 0, 0]
    )
    assert.strictEqual(needInWords("partner_data"), "objects that not every partner has")
    assert.include(needInWords("risk"), "leave")
  })
  it("is the same again when it goes through the URL", () => {
    const order = {
      profile: "strict",
      checks: ["LOC-0*", "CDR-001"],
      clauses: ["mod_cdrs, CDR Object", "types"],
      modules: ["locations", "cdrs"],
      listenSeconds: 60,
      needs: [],
      only: "failed-of:rep_1"
    } as const
    assert.deepStrictEqual(orderOf("conn_1", "suite", viewOf(order), []), {
      connectionId: "conn_1",
      suiteId: "suite",
      ...order
    } as ReturnType<typeof orderOf>)
    assert.deepStrictEqual(viewOf(undefined), {})
  })
  it("keeps the failures that it accepts in the URL, and knows what is none", () => {
    const accept = [{ checkId: "LOC-001", reason: 'a, "b"', owner: "", expires: "2099-01-01" }]
    assert.deepStrictEqual(deviationsIn(deviationsText(accept)), accept)
    assert.deepStrictEqual(deviationsIn(deviationsText([])), [])
    for (const text of [undefined, "", "{", "{}"]) assert.isUndefined(deviationsIn(text), text)
    assert.deepStrictEqual(deviationsIn('[["LOC-001", 1, "", ""], ["LOC-001"], null]'), [])
  })
  it("takes as long as the newest run of the suite, first of this partner, and as it listens", () => {
    const run = (connectionId: string, seconds: number, listenSeconds = 0, suiteId = "core", of = 10) =>
      ({
        kind: "conformance",
        suiteId,
        connectionId,
        status: "completed",
        startedAt: "2026-01-01T00:00:00.000Z",
        finishedAt: new Date(Date.parse("2026-01-01T00:00:00.000Z") + seconds * 1000).toISOString(),
        progress: { done: of, of },
        summary: { total: of },
        order: { listenSeconds }
      }) as unknown as RunReport
    const runs = [run("conn_2", 100), run("conn_1", 50, 30)]
    assert.strictEqual(
      durationOf(runs, { suiteId: "core", connectionId: "conn_1", checks: 5, listenSeconds: 0 }).millis,
      10_000
    )
    assert.strictEqual(
      durationOf(runs, { suiteId: "core", connectionId: "conn_3", checks: 5, listenSeconds: 60 }).millis,
      110_000
    )
    // Another suite: its largest run.
    const others = [...runs, run("conn_1", 1, 0, "smoke", 1), run("conn_1", 40, 0, "hub", 20)]
    assert.strictEqual(
      durationOf(others, { suiteId: "full", connectionId: "conn_1", checks: 5, listenSeconds: 7 }).millis,
      17_000
    )
    assert.strictEqual(
      durationOf(others, { suiteId: "full", connectionId: "conn_1", checks: 5, listenSeconds: 7 }).run
        ?.suiteId,
      "hub"
    )
    // No finished run: a guess, which says so by naming none.
    const running = { ...run("conn_1", 1), status: "running" } as RunReport
    for (const none of [[], [running], [run("conn_1", 1, 0, "core", 0)]])
      assert.deepStrictEqual(
        durationOf(none, { suiteId: "core", connectionId: "conn_1", checks: 100, listenSeconds: 3 }),
        {
          millis: 100 * usualMillis + 3_000
        }
      )
  })
})

describe("a registration that the partner has lost", () => {
  it("is known by the words with which the service begins the reason", () => {
    assert.isTrue(isRegistrationLost([{}, { reason: `${registrationForgotten}: it accepted its token` }]))
    assert.isFalse(isRegistrationLost([{}, { reason: "The run was cancelled" }]))
  })
  it("is made anew with a form that has everything but the token", () => {
    const connection = {
      environment: "test",
      label: "my CPO",
      ocpiVersion: "2.2.1",
      partnerBaseUrl: "https://cpo.example/ocpi/versions",
      theirRole: "CPO"
    } as const
    const entry = {
      url: "https://cpo.example/ocpi/versions",
      role: "CPO",
      version: "2.2.1",
      label: "my CPO"
    }
    assert.deepStrictEqual(entryOf(connection), entry)
    assert.deepStrictEqual(entryOf({ ...connection, environment: "production" }), {
      ...entry,
      environment: "production"
    })
  })
})

describe("the command that allows a private address", () => {
  it("is the one that the command line names", () => {
    for (const host of [
      ..."localhost cpo.localhost localhost. 127.0.0.1:9000 127.8.1.1 [::1]:9000 10.1.2.3 100.1.2.3".split(
        " "
      ),
      ..."192.168.1.20 192.169.1.1 172.15.0.1 172.16.0.1 172.31.0.1 172.32.0.1 cpo.internal [fd00::1]".split(
        " "
      )
    ]) {
      const url = `http://${host}/ocpi/versions`
      assert.strictEqual(egressRemedy(url), ofCommandLine(url))
    }
    assert.strictEqual(egressRemedy("no URL"), ofCommandLine("no URL"))
    assert.include(egressRemedy("http://10.1.2.3/"), "EGRESS_ALLOW_CIDRS=10.0.0.0/8 ")
  })
})
