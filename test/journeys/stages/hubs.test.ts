/** What a journey says of a partner that is a hub: its tokens and objects are those of the parties behind it. */
import { assert, describe, it } from "@effect/vitest"
import { freshId } from "../../../src/journeys/stages/asCpo/ourPlace.ts"
import { isAsSent } from "../../../src/journeys/stages/asCpo/ownObjectRules.ts"
import { foreignToken, readTokens } from "../../../src/journeys/stages/asCpo/partnerTokens.ts"
import { serveStart } from "../../../src/journeys/stages/asCpo/servedCommands.ts"
import { historyOf } from "../support/history.ts"

const hub = { them: { countryCode: "NL", partyId: "HUB" }, throughHub: true } as const

const token = {
  country_code: "NL",
  party_id: "EMA",
  uid: "T1",
  type: "RFID",
  contract_id: "NL-EMA-C1",
  issuer: "An EMSP",
  valid: true,
  whitelist: "ALWAYS",
  last_updated: "2026-01-01T11:00:00Z"
}

interface Made {
  readonly stageId?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  readonly status?: number
  readonly data?: unknown
  readonly link?: string
}

const made = (
  type: string,
  module: string,
  { body, data, headers = {}, link, stageId, status = 200 }: Made
) => ({
  type,
  stageId,
  exchange: {
    id: `exc_${stageId}`,
    startedAt: "2026-01-01T12:00:01.000Z",
    module,
    operation: "START_SESSION",
    direction: type === "inbound.received" ? "inbound" : "outbound",
    request: {
      method: body === undefined ? "GET" : "POST",
      url: `https://a.example/ocpi/2.2.1/${module}/START_SESSION`,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      truncated: false
    },
    response: {
      httpStatus: status,
      ocpiStatusCode: status === 200 ? 1000 : 2001,
      headers: link === undefined ? {} : { link },
      body: JSON.stringify({ data, status_code: status === 200 ? 1000 : 2001 }),
      truncated: false
    }
  }
})

const sent = (module: string, more: Made) =>
  ["exchange.intended", "exchange.completed"].map((type) => made(type, module, more))

describe("a token of a party behind a hub", () => {
  const link = '<https://a.example/tokens?offset=1>; rel="next"'
  const history = historyOf(sent("tokens", { stageId: "read-tokens", data: [token], link }), hub)

  it("is the partner's, so that no further page is read for another one", () => {
    const { act } = readTokens()
    assert.isFalse(act.act === "exchange" && act.readsOn?.(history))
  })

  it("is no reason to refuse a session", () => {
    assert.isUndefined(foreignToken(history, { token, method: "WHITELIST", reference: undefined }))
    const alone = { ...history, throughHub: undefined }
    assert.match(String(foreignToken(alone, { token, method: "WHITELIST", reference: undefined })), /NL-EMA/)
  })

  const ruling = (partyId: string) => {
    const headers = { "ocpi-from-country-code": "NL", "ocpi-from-party-id": partyId }
    const location_id = freshId(historyOf([]), "L")
    const body = { response_url: "https://a.example/1", token, location_id }
    const command = made("inbound.received", "commands", {
      headers,
      body,
      data: { result: "ACCEPTED", timeout: 30 }
    })
    return serveStart.expect.find(({ id }) => id === "serve-start.token")!.judge(historyOf([command], hub))
  }

  it("is that of the party which has sent the command", () => {
    assert.isUndefined(ruling("EMA"))
    assert.propertyVal(ruling("EMB"), "strength", "should")
    assert.property(ruling("HUB"), "unobservable")
  })
})

describe("an object that is read back through a hub", () => {
  const ruling = (headers: Readonly<Record<string, string>>, of: object = hub) =>
    isAsSent("read-location", () => ({ id: "L1" }))(
      historyOf(sent("locations", { stageId: "read-location", status: 400, headers }), of)
    )
  it("is not judged where no party behind it is known", () => {
    assert.property(ruling({}), "unobservable")
    assert.property(ruling({ "ocpi-to-party-id": "EMA", "ocpi-to-country-code": "NL" }), "message")
    assert.property(ruling({}, { them: hub.them }), "message")
  })
})
