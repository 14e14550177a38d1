import { assert, describe, it } from "vitest"
import type { Exchange } from "../../../schema/Exchange.ts"
import { ReportFormat } from "../../../schema/reports/ExportFormat.ts"
import { masking } from "../../../src/reports/personal/maskDocument.ts"
import { render } from "../../../src/reports/render.ts"
import { document, exchange, failed } from "../../support/documents.ts"

const uid = "04AB12CD34EF80"
const contract = "DE-ABC-C12345678-X"
const personal = [uid, uid.toLowerCase(), contract, "M-AB 1234", "jane@mail.example", "1234"]

const token = (spaced: boolean) =>
  JSON.stringify({ uid, type: "RFID", contract_id: contract, issuer: "X" }, undefined, spaced ? 2 : 0)

const sent = (id: string, module: string, url: string, body: string, answer: string): Exchange => ({
  ...exchange(id),
  module,
  request: { ...exchange(id).request, url, body },
  response: { ...exchange(id).response!, body: answer }
})

const exchanges = [
  sent(
    "exc_1",
    "tokens",
    `https://cpo.example/ocpi/tokens/DE/ABC/${uid.toLowerCase()}?type=RFID`,
    token(true),
    '{"status_code":1000,"data":null}'
  ),
  sent(
    "exc_2",
    "sessions",
    "https://cpo.example/ocpi/sessions",
    "",
    `{"data":[{"id":"S1","kwh":1.50,"cdr_token":${token(false)},"license_plate":"M-AB 1234","driver":{"email":"jane@mail.example"},"evse_uid":"EVSE-98765"}]}`
  ),
  sent(
    "exc_3",
    "tokens",
    "https://us.example/ocpi/tokens/1234/authorize",
    "",
    '{"data":[{"uid":"1234","contract_id":"DE'
  )
]

const toTheEnd = (steps: ReturnType<typeof masking>) => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

const masked = toTheEnd(
  masking({
    ...document,
    report: { ...document.report, ocpiVersion: "2.2.1" },
    groups: [
      {
        id: "sessions",
        startedAt: null,
        checks: [
          {
            ...failed,
            message: `the session is of ${uid}, contract ${contract.toLowerCase()}`,
            actual: `"1234"`,
            curl: `curl -d '{"contract_id":"${contract}"}' https://cpo.example/tokens/DE/ABC/${uid}`
          }
        ]
      }
    ],
    exchanges: exchanges.map((one) => ({ stageId: null, exchange: one }))
  })
)

describe("a masked report", () => {
  it("names the same value alike wherever it stands", () => {
    const [put, list, authorize] = masked.exchanges.map((one) => one.exchange)
    assert.strictEqual(put?.request.url, "https://cpo.example/ocpi/tokens/DE/ABC/«token:1»?type=RFID")
    assert.strictEqual(
      put?.request.body,
      token(true).replace(uid, "«token:1»").replace(contract, "«contract:1»")
    )
    assert.include(list?.response?.body, '"uid":"«token:1»"')
    assert.strictEqual(authorize?.request.url, "https://us.example/ocpi/tokens/«token:2»/authorize")
    const [check] = masked.groups[0]!.checks
    assert.strictEqual(check?.message, "the session is of «token:1», contract «contract:1»")
    assert.strictEqual(check?.actual, '"«token:2»"')
  })
  it("leaves all else as it was sent, byte for byte", () => {
    const body = masked.exchanges[1]?.exchange.response?.body ?? ""
    assert.include(body, '"kwh":1.50')
    assert.include(body, '"evse_uid":"EVSE-98765"')
    assert.strictEqual(masked.exchanges[0]?.exchange.response?.body, '{"status_code":1000,"data":null}')
    assert.deepStrictEqual(masked.ledger, document.ledger)
  })
  for (const format of ReportFormat.literals)
    it(`holds nothing personal as ${format}`, () => {
      const { text } = render(masked, format)
      for (const value of personal) assert.notInclude(text, value)
    })
})
