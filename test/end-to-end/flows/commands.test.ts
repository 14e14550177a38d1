/** The commands of every version against sandbox CPOs that have sent us their locations of their own accord. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../../support/service/database.ts"
import { connectSandbox, type Service, startService, until } from "../../support/service/Service.ts"

const sent = ["START_SESSION", "RESERVE_NOW", "UNLOCK_CONNECTOR", "STOP_SESSION"]

describe("a command", () => {
  let service: Service

  beforeAll(async () => {
    service = await startService({
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      RATE_LIMITS: "requests=100000,runs=1000,streams=1000,commands=1000,connectionCommands=1000"
    })
  }, 60_000)

  afterAll(async () => {
    await service?.kill("SIGTERM")
  })

  describe.each(["2.1.1", "2.2", "2.2.1", "2.3.0"])("in %s", (ocpiVersion) => {
    let connection: string

    beforeAll(async () => {
      const partner = (
        await service.call("POST", "/api/v1/sandbox/partners", { theirRole: "CPO", ocpiVersion })
      ).body.data
      const made = await service.call("POST", "/api/v1/connections", {
        partnerBaseUrl: partner.partnerBaseUrl,
        ourRole: "EMSP",
        theirRole: "CPO",
        ocpiVersion,
        tokenA: partner.tokenA
      })
      connection = made.body.data._id
      const registered = await service.call("POST", `/api/v1/connections/${connection}/handshake`)
      assert.strictEqual(registered.body.data.status, "registered", registered.text)
      await until("the partner's locations", async () => {
        const { text } = await service.call("GET", `/api/v1/connections/${connection}/exchanges?limit=500`)
        return text.includes("PUT location") ? true : undefined
      })
    }, 60_000)

    const command = (name: string, payload?: object) =>
      service.call("POST", "/api/v1/testing/command", {
        connectionId: connection,
        command: name,
        ...(payload === undefined ? {} : { payload })
      })

    it("is accepted with its default body, and its result comes", async () => {
      for (const name of sent) {
        const answer = await command(name)
        assert.strictEqual(answer.status, 200, answer.text)
        assert.strictEqual(answer.body.data.response.data.result, "ACCEPTED", `${name}: ${answer.text}`)
        const { commandId } = answer.body.data
        const path = `/api/v1/testing/commands/${commandId}`
        const settled = await until(`the result of ${name}`, async () => {
          const { data } = (await service.call("GET", path)).body
          return data.state === "accepted" ? undefined : data
        })
        assert.strictEqual(settled.state, "confirmed", JSON.stringify(settled))
        assert.deepStrictEqual(settled.notes, [])
        assert.deepStrictEqual(settled.results[0].notes, [])
        // A session must be there before it can be stopped.
        if (name === "START_SESSION")
          await until("the session", async () => {
            const { text } = await service.call(
              "GET",
              `/api/v1/connections/${connection}/exchanges?limit=500`
            )
            return text.includes("PUT session") ? true : undefined
          })
      }
    }, 60_000)

    it("can be CANCEL_RESERVATION where the version has it, and no word of our own", async () => {
      const known = ocpiVersion !== "2.1.1"
      const answer = await command("CANCEL_RESERVATION")
      assert.strictEqual(answer.status, known ? 200 : 422, answer.text)
      if (!known)
        assert.match(answer.body.message ?? "", /^unsupported: OCPI 2\.1\.1 has no CANCEL_RESERVATION/)
      assert.strictEqual((await command("REBOOT")).status, 400)
    }, 30_000)

    it("is checked against the version's own schema", async () => {
      const wrong = ocpiVersion === "2.1.1" ? "R1" : 1
      const answer = await command("RESERVE_NOW", { reservation_id: wrong })
      assert.strictEqual(answer.status, 400, answer.text)
      assert.include(answer.body.message ?? "", "payload.reservation_id")
    })
  })

  it("is about what the partner lists, where the partner has sent us nothing", async () => {
    const { connectionId } = await connectSandbox(service, { activity: "quiet" })
    const answer = await service.call("POST", "/api/v1/testing/command", {
      connectionId,
      command: "START_SESSION"
    })
    assert.strictEqual(answer.body.data.response.data.result, "ACCEPTED", answer.text)
    const { body } = await service.call("GET", `/api/v1/connections/${connectionId}/exchanges?limit=500`)
    const operations = body.data.map(({ operation }: any) => operation)
    assert.notInclude(operations, "PUT location")
    assert.include(operations, "list")
  }, 60_000)
})
