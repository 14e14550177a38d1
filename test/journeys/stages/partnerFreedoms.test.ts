/** What a partner may do in a journey in another way than the journey asks for. */
import { assert, describe, it } from "@effect/vitest"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { JourneyStage } from "../../../src/journeys/model/JourneyTemplate.ts"
import type { RunHistory } from "../../../src/journeys/model/RunHistory.ts"
import { freshId } from "../../../src/journeys/stages/asCpo/ourPlace.ts"
import { serveStart } from "../../../src/journeys/stages/asCpo/servedCommands.ts"
import { commandRules } from "../../../src/journeys/stages/asEmsp/commands/commandRules.ts"
import { type UpdateForm, updateBy } from "../../../src/journeys/stages/asEmsp/updateForms.ts"
import { tokenUidOf } from "../../../src/journeys/stages/charge/driver.ts"
import { authorizeToken } from "../../../src/journeys/templates/asCpo/authorizeToken.ts"
import { partnerReads } from "../../../src/journeys/templates/asCpo/partnerReads.ts"
import { tokenPush } from "../../../src/journeys/templates/asCpo/tokenPush.ts"
import { historyOf, partner } from "../support/history.ts"

const root = "https://plugfest.example/ocpi/2.2.1"

/** An exchange of the partner with us, or of ours with it, at a second of the run. */
const exchanged = (
  type: "inbound.received" | "exchange.intended" | "exchange.completed",
  second: number,
  {
    body = null,
    data,
    httpStatus = 200,
    link,
    stageId = null,
    ...asked
  }: {
    readonly module: string
    readonly operation: string
    readonly method: string
    readonly path: string
    readonly body?: object | null
    readonly data?: unknown
    readonly httpStatus?: number
    readonly link?: string
    readonly stageId?: string | null
  }
) => {
  const at = `2026-01-01T12:00:${String(second).padStart(2, "0")}.000Z`
  return {
    sequence: second + 1,
    type,
    occurredAt: at,
    stageId,
    assertions: [],
    exchange: {
      id: `exc_${second}`,
      startedAt: at,
      module: asked.module,
      operation: asked.operation,
      request: {
        method: asked.method,
        url: `${root}/${asked.path}`,
        headers: {},
        body: body === null ? null : JSON.stringify(body),
        truncated: false
      },
      response: {
        httpStatus,
        ocpiStatusCode: 1000,
        headers: link === undefined ? {} : { link: `<${root}/${link}>; rel="next"` },
        body: JSON.stringify({ data, status_code: 1000 }),
        truncated: false
      }
    }
  } as unknown as LedgerEvent // as much of an event as is looked at
}

/** Pushes of one object. */
const pushed =
  (module: "sessions" | "tokens", id: string) => (method: string, second: number, body: object) =>
    exchanged("inbound.received", second, {
      module,
      operation: `${method} ${module.slice(0, -1)}`,
      method,
      path: `${module}/NL/EMS/${id}`,
      body
    })

const given = (events: ReadonlyArray<LedgerEvent>, more: Partial<RunHistory> = {}) =>
  historyOf(events, { them: partner, ...more })

const judged = (stages: ReadonlyArray<JourneyStage>, id: string, history: RunHistory) =>
  stages
    .flatMap(({ expect }) => expect)
    .find((rule) => rule.id === id)!
    .judge(history)

describe("a partner that answers what creates no object with HTTP 201", () => {
  const answered = (
    stageId: string,
    asked: { module: string; operation: string; path: string },
    data: object
  ) => {
    const call = { ...asked, method: "POST", stageId, data, httpStatus: 201 }
    return given([exchanged("exchange.intended", 1, call), exchanged("exchange.completed", 1, call)])
  }

  it("has answered authorize", () => {
    const asked = { module: "tokens", operation: "POST authorize", path: "tokens/T1/authorize" }
    const history = answered("authorize", asked, { allowed: "BLOCKED" })
    for (const id of ["authorize.answered", "authorize.valid"])
      assert.notProperty(judged(authorizeToken.stages, id, history) ?? {}, "notTested", id)
    assert.isUndefined(judged(authorizeToken.stages, "authorize.answered", history))
  })

  it("has answered a command", () => {
    const asked = { module: "commands", operation: "START_SESSION", path: "commands/START_SESSION" }
    const history = answered("start", asked, { result: "ACCEPTED", timeout: 30 })
    const rules = [{ expect: commandRules("start") }] as unknown as ReadonlyArray<JourneyStage> // only its rules are looked at
    for (const id of ["start.answered", "start.accepted"]) assert.isUndefined(judged(rules, id, history), id)
  })
})

describe("a partner that reads our list", () => {
  const ids = ["L", "L2", "L3"].map((mark) => freshId(given([]), mark))
  const read = (second: number, query: string, from: number, to: number, link?: string) =>
    exchanged("inbound.received", second, {
      module: "locations",
      operation: "list",
      method: "GET",
      path: `locations?${query}`,
      data: ids.slice(from, to).map((id) => ({ id })),
      ...(link === undefined ? {} : { link: `locations?${link}` })
    })
  it.each<[string, ReadonlyArray<LedgerEvent>]>([
    [
      "tries one object, and then reads all",
      [read(1, "limit=1", 0, 1, "offset=1&limit=1"), read(2, "", 0, 3)]
    ],
    [
      "goes on by an offset of its own",
      [read(1, "limit=2", 0, 2, "offset=2&limit=2"), read(2, "offset=2&limit=50", 2, 3)]
    ],
    [
      "writes the parameters of the link in another order",
      [read(1, "limit=2", 0, 2, "offset=2&limit=2"), read(2, "limit=2&offset=2", 2, 3)]
    ]
  ])("has read every page, when it %s", (_, events) => {
    assert.isUndefined(judged(partnerReads.stages, "lists-read.pages", given(events)))
  })
  it("has not, when an object is left", () => {
    const history = given([read(1, "limit=2", 0, 2, "offset=2&limit=2")])
    assert.property(judged(partnerReads.stages, "lists-read.pages", history), "message")
  })
})

describe("a partner that pushes a token more than once", () => {
  const token = (valid: boolean, second: number) => ({
    country_code: "NL",
    party_id: "EMS",
    uid: "T1",
    type: "RFID",
    valid,
    last_updated: `2026-01-01T11:00:0${second}Z`
  })
  const push = pushed("tokens", "T1")
  const listed = (data: object) =>
    (["exchange.intended", "exchange.completed"] as const).map((type) =>
      exchanged(type, 3, {
        module: "tokens",
        operation: "list",
        method: "GET",
        path: "tokens",
        data: [data],
        stageId: "read-changed"
      })
    )
  const rule = (events: ReadonlyArray<LedgerEvent>) =>
    judged(tokenPush.stages, "read-changed.same", given(events))
  it.each([
    ["PUT", token(true, 2)],
    ["PATCH", { valid: true, last_updated: "2026-01-01T11:00:02Z" }]
  ])("may list what the last %s before the reading said", (method, body) => {
    const pushes = [push("PUT", 1, token(false, 1)), push(method, 2, body)]
    assert.isUndefined(rule([...pushes, ...listed(token(true, 2))]))
    assert.property(rule([...pushes, ...listed(token(false, 1))]), "message")
  })
  it("is not judged by a later state whose push has not come yet", () => {
    const pushes = [push("PUT", 1, token(false, 1))]
    assert.property(rule([...pushes, ...listed(token(true, 2))]), "unobservable")
    assert.property(rule([...pushes, ...listed(token(true, 1))]), "message")
  })
  it("may list what it tells us a moment after the reading", () => {
    const pushes = [push("PUT", 1, token(false, 1)), push("PUT", 4, token(true, 2))]
    assert.isUndefined(rule([...pushes, ...listed(token(true, 2))]))
    assert.isUndefined(rule([...pushes, ...listed(token(false, 1))]))
  })
})

describe("a partner that updates its sessions by the other method than the journey waits for", () => {
  const session = (kwh: number, second: number) => ({
    status: "ACTIVE",
    kwh,
    last_updated: `2026-01-01T12:00:0${second}Z`
  })
  const push = pushed("sessions", "S1")
  const begun = push("PUT", 1, {
    country_code: "NL",
    party_id: "EMS",
    id: "S1",
    cdr_token: { uid: tokenUidOf(given([])) },
    ...session(0, 1)
  })
  const rule = (form: UpdateForm, events: ReadonlyArray<LedgerEvent>) =>
    judged([updateBy(form)], `update-by-${form.toLowerCase()}.received`, given([begun, ...events]))

  it("has broken no rule: which of the two it uses is its choice", () => {
    const patch = push("PATCH", 2, session(1.5, 2))
    const put = push("PUT", 2, { id: "S1", cdr_token: { uid: tokenUidOf(given([])) }, ...session(1.5, 2) })
    assert.isUndefined(rule("PATCH", [patch]))
    assert.property(rule("PUT", [patch]), "notTested")
    assert.isUndefined(rule("PUT", [put]))
    assert.property(rule("PATCH", [put]), "notTested")
    assert.property(rule("PUT", []), "message")
  })
})

describe("a partner with several EMSPs in its credentials", () => {
  const start = (party_id: string) =>
    given(
      [
        exchanged("inbound.received", 1, {
          module: "commands",
          operation: "START_SESSION",
          method: "POST",
          path: "commands/START_SESSION",
          data: { result: "ACCEPTED", timeout: 30 },
          body: {
            response_url: "https://partner.example/1",
            token: {
              country_code: "NL",
              party_id,
              uid: "T1",
              type: "APP_USER",
              contract_id: "NL-EMS-C12345678",
              issuer: "EMS",
              valid: true,
              whitelist: "NEVER",
              last_updated: "2026-01-01T11:00:00Z"
            },
            location_id: freshId(given([]), "L")
          }
        })
      ],
      {
        theirParties: [
          { countryCode: "NL", partyId: "EMS" },
          { countryCode: "NL", partyId: "TWO" }
        ]
      }
    )
  it("starts a charge for a token of any of them, and of no other", () => {
    assert.isUndefined(judged([serveStart], "serve-start.token", start("TWO")))
    assert.property(judged([serveStart], "serve-start.token", start("XYZ")), "message")
  })
})
