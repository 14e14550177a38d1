/** Registration over sockets on the built service: every version, either role, either party beginning. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { freshDatabase } from "./database.ts"
import { type Service, startService } from "./Service.ts"

const versions = ["2.1.1", "2.2", "2.2.1", "2.3.0"] as const
const roles = ["CPO", "EMSP"] as const
const opposite = { CPO: "EMSP", EMSP: "CPO" } as const

describe("a handshake with a sandbox partner", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await freshDatabase(inject("pgUrl")) })
  }, 60_000)
  afterAll(() => service?.kill("SIGTERM"))

  const call = async (status: number, method: string, path: string, body?: unknown) => {
    const answer = await service.call(method, `/api/v1${path}`, body)
    assert.strictEqual(answer.status, status, `${method} ${path}: ${answer.text}`)
    return answer.body.data
  }
  const partnerOf = (theirRole: string, ocpiVersion: string, more: object = {}) =>
    call(201, "POST", "/sandbox/partners", { theirRole, ocpiVersion, ...more })
  const connectionTo = (theirRole: "CPO" | "EMSP", ocpiVersion: string, partner: object = nobody) =>
    call(201, "POST", "/connections", {
      ourRole: opposite[theirRole],
      theirRole,
      ocpiVersion,
      tokenA: "none-for-us",
      ...partner
    })
  const nobody = { partnerBaseUrl: "https://partner.example.com/ocpi/versions" }
  const to = ({ partnerBaseUrl, tokenA }: { partnerBaseUrl: string; tokenA: string }) => ({
    partnerBaseUrl,
    tokenA
  })
  const read = (id: string) => call(200, "GET", `/connections/${id}`)
  const operations = async (id: string) =>
    (await call(200, "GET", `/connections/${id}/exchanges`)).map(
      (one: any) => `${one.direction} ${one.operation} ${one.response?.httpStatus}`
    )
  const nothingLeaks = async (id: string, tokens: ReadonlyArray<string>) => {
    const { text } = await service.call("GET", `/api/v1/connections/${id}/exchanges?limit=1000`)
    for (const token of tokens) assert.notInclude(text, token)
  }

  for (const version of versions) {
    for (const role of roles) {
      it(`${version}: we register with a ${role}, renew and leave`, async () => {
        const partner = await partnerOf(role, version)
        const { _id } = await connectionTo(role, version, to(partner))
        const registered = await call(200, "POST", `/connections/${_id}/handshake`)
        assert.strictEqual(registered.status, "registered", registered.lastError)
        assert.strictEqual(registered.partner[0].role, role)
        assert.deepStrictEqual(registered.dialect.deviations, [])
        assert.isNotEmpty(registered.endpoints)

        const renewed = await call(200, "POST", `/connections/${_id}/handshake`)
        assert.strictEqual(renewed.status, "registered", renewed.lastError)
        assert.notProperty(renewed, "lastError")
        assert.strictEqual(renewed.registeredAt, registered.registeredAt)
        assert.includeMembers(await operations(_id), [
          "inbound list 200",
          "inbound details 200",
          "outbound POST credentials 200",
          "outbound PUT credentials 200"
        ])
        await nothingLeaks(_id, [partner.tokenA])

        const removed = await call(200, "DELETE", `/connections/${_id}`)
        assert.isTrue(removed.partnerTold, removed.message)
        assert.isFalse((await call(200, "GET", `/sandbox/partners/${partner._id}`)).registered)
      })

      it(`${version}: a ${role} registers with us by our invitation, and we renew and leave`, async () => {
        const { _id } = await connectionTo(role, version)
        const partner = await partnerOf(role, version, { initiate: _id })
        assert.isTrue(partner.registered, partner.lastError)
        assert.isNull(partner.tokenA)
        const registered = await read(_id)
        assert.strictEqual(registered.status, "registered")
        assert.strictEqual(registered.invitation.state, "used")
        assert.strictEqual(registered.partnerBaseUrl, partner.partnerBaseUrl)
        assert.strictEqual(registered.partner[0].role, role)
        assert.deepStrictEqual(registered.dialect.deviations, [])
        assert.includeMembers(await operations(_id), [
          "inbound list 200",
          "inbound POST credentials 200",
          "outbound list 200",
          "outbound details 200"
        ])
        const renewed = await call(200, "POST", `/connections/${_id}/handshake`)
        assert.strictEqual(renewed.status, "registered", renewed.lastError)
        assert.notProperty(renewed, "lastError")
        const removed = await call(200, "DELETE", `/connections/${_id}`)
        assert.isTrue(removed.partnerTold, removed.message)
      })
    }
  }

  it("goes over to any other version and back by PUT to its credentials endpoint", async () => {
    const partner = await partnerOf("CPO", "2.1.1")
    const { _id } = await connectionTo("CPO", "2.1.1", to(partner))
    await call(200, "POST", `/connections/${_id}/handshake`)
    for (const ocpiVersion of ["2.2.1", "2.3.0", "2.2", "2.1.1"]) {
      const after = await call(200, "POST", `/connections/${_id}/handshake`, { ocpiVersion })
      assert.notProperty(after, "lastError")
      assert.strictEqual(after.ocpiVersion, ocpiVersion)
      assert.isTrue(after.endpoints.every((one: any) => one.url.includes(`/${ocpiVersion}/`)))
      assert.isTrue(after.endpoints.every((one: any) => (one.role === null) === (ocpiVersion === "2.1.1")))
      assert.strictEqual(
        (await call(200, "GET", `/sandbox/partners/${partner._id}`)).ocpiVersion,
        ocpiVersion,
        "the partner goes along"
      )
    }
    const list = await call(200, "GET", "/connections?ocpiVersion=2.1.1&limit=100")
    assert.isTrue(list.some((one: any) => one._id === _id))
  })

  it("keeps the registration when a renewal fails, and says why until one succeeds", async () => {
    const partner = await partnerOf("CPO", "2.2.1")
    const { _id } = await connectionTo("CPO", "2.2.1", to(partner))
    await call(200, "POST", `/connections/${_id}/handshake`)
    await call(200, "PUT", `/connections/${_id}/dialect`, { tokenEncoding: { outbound: "raw" } })
    assert.strictEqual((await read(_id)).dialect.tokenEncoding.outbound, "raw")
    await call(200, "DELETE", `/sandbox/partners/${partner._id}`)
    const failed = await call(200, "POST", `/connections/${_id}/handshake`)
    assert.strictEqual(failed.status, "registered")
    assert.match(failed.lastError, /^(auth|config|protocol): GET versions answered/)
  })

  it("takes the newest invitation only", async () => {
    const { _id } = await connectionTo("CPO", "2.2.1")
    const first = await call(201, "POST", `/connections/${_id}/invitation`)
    const second = await call(201, "POST", `/connections/${_id}/invitation`)
    const asked = (token: string) =>
      fetch(second.versionsUrl, { headers: { authorization: `Token ${btoa(token)}` } })
    assert.strictEqual((await asked(first.token)).status, 401)
    assert.strictEqual((await asked(second.token)).status, 200)
    assert.strictEqual((await read(_id)).invitation.state, "open")
  })

  it("is not begun by a partner of the wrong role or version, and leaves no partner behind", async () => {
    const { _id } = await connectionTo("CPO", "2.2.1")
    const before = (await call(200, "GET", "/sandbox/partners")).length
    for (const [theirRole, ocpiVersion] of [
      ["EMSP", "2.2.1"],
      ["CPO", "2.2"]
    ]) {
      const refused = await service.call("POST", "/api/v1/sandbox/partners", {
        theirRole,
        ocpiVersion,
        initiate: _id
      })
      assert.strictEqual(refused.status, 422, refused.text)
      assert.match(String(refused.body.message), /^initiate: the connection is for a CPO with OCPI 2\.2\.1/)
    }
    const unknown = await service.call("POST", "/api/v1/sandbox/partners", {
      theirRole: "CPO",
      ocpiVersion: "2.2.1",
      initiate: "conn_00000000000000000000000000000000"
    })
    assert.strictEqual(unknown.status, 404, unknown.text)
    assert.strictEqual((await call(200, "GET", "/sandbox/partners")).length, before)
  })
})
