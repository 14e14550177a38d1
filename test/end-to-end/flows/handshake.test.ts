/** Registration over sockets on the built service: every version, either role, either party beginning. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../../support/service/database.ts"
import { type Service, startService } from "../../support/service/Service.ts"

const versions = ["2.1.1", "2.2", "2.2.1", "2.3.0"] as const
const roles = ["CPO", "EMSP"] as const
const opposite = { CPO: "EMSP", EMSP: "CPO" } as const

describe("a handshake with a sandbox partner", () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
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

        const turned = await call(200, "POST", `/sandbox/partners/${partner._id}/handshake`)
        assert.notProperty(turned, "lastError")
        assert.include(await operations(_id), "inbound PUT credentials 200")

        const removed = await call(200, "DELETE", `/connections/${_id}`)
        assert.isTrue(removed.partnerTold, removed.message)
        assert.isFalse((await call(200, "GET", `/sandbox/partners/${partner._id}`)).registered)
      })

      it(`${version}: a ${role} registers with us by our invitation, renews and leaves`, async () => {
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
        const turned = await call(200, "POST", `/sandbox/partners/${partner._id}/handshake`, {})
        assert.isTrue(turned.registered)
        assert.notProperty(turned, "lastError")
        const after = await read(_id)
        assert.deepInclude(after, { status: "registered", registeredAt: registered.registeredAt })
        assert.notProperty(after, "lastError")
        const renewed = await call(200, "POST", `/connections/${_id}/handshake`)
        assert.strictEqual(renewed.status, "registered", renewed.lastError)
        assert.notProperty(renewed, "lastError", "both sides have the tokens of the partner's renewal")

        const left = await call(200, "DELETE", `/sandbox/partners/${partner._id}/registration`)
        assert.isFalse(left.registered)
        assert.notProperty(left, "lastError")
        assert.deepInclude(await read(_id), { status: "pending", endpoints: [], registeredAt: null })
        assert.includeMembers(await operations(_id), [
          "inbound PUT credentials 200",
          "inbound DELETE credentials 200"
        ])
      })
    }
  }

  it("follows a partner that goes over to any other version by PUT to our credentials endpoint", async () => {
    const { _id } = await connectionTo("EMSP", "2.2.1")
    const partner = await partnerOf("EMSP", "2.2.1", { initiate: _id })
    for (const ocpiVersion of ["2.3.0", "2.1.1", "2.2", "2.2.1"]) {
      const moved = await call(200, "POST", `/sandbox/partners/${partner._id}/handshake`, { ocpiVersion })
      assert.notProperty(moved, "lastError")
      assert.strictEqual(moved.ocpiVersion, ocpiVersion)
      assert.strictEqual((await read(_id)).ocpiVersion, ocpiVersion)
    }
  })

  it("is begun with another Token A of a partner, in place of the one before, until it is registered", async () => {
    const partner = await partnerOf("CPO", "2.2.1")
    const again = await call(201, "POST", `/sandbox/partners/${partner._id}/token`)
    assert.notStrictEqual(again.tokenA, partner.tokenA)
    const path = `/sandbox/partners/${partner._id}`
    assert.isNull((await call(200, "GET", path)).tokenA)
    const order = { ourRole: "EMSP", theirRole: "CPO", ocpiVersion: "2.2.1" }
    const connect = async (tokenA: string) => {
      const { _id } = await call(201, "POST", "/connections", {
        ...order,
        partnerBaseUrl: partner.partnerBaseUrl,
        tokenA
      })
      return await call(200, "POST", `/connections/${_id}/handshake`)
    }
    assert.match((await connect(partner.tokenA)).lastError, /^auth:/)
    assert.strictEqual((await connect(again.tokenA)).status, "registered")
    const refused = await service.call("POST", `/api/v1${path}/token`)
    assert.strictEqual(refused.status, 409, refused.text)
    await call(200, "DELETE", `${path}/registration`)
    assert.isString((await call(201, "POST", `${path}/token`)).tokenA)
  })

  it("is not renewed or left by a partner that is not registered", async () => {
    const partner = await partnerOf("CPO", "2.2.1")
    for (const [method, path] of [
      ["POST", "handshake"],
      ["DELETE", "registration"]
    ] as const) {
      const refused = await service.call(method, `/api/v1/sandbox/partners/${partner._id}/${path}`)
      assert.strictEqual(refused.status, 422, refused.text)
      assert.match(String(refused.body.message), /not registered/)
    }
  })

  it("leaves what the caller has set of the dialect, until it is set back", async () => {
    const partner = await partnerOf("CPO", "2.2.1")
    const { _id } = await connectionTo("CPO", "2.2.1", to(partner))
    await call(200, "POST", `/connections/${_id}/handshake`)
    const dialectAfter = async (wish: object) => {
      await call(200, "PUT", `/connections/${_id}/dialect`, wish)
      const { dialect, lastError } = await call(200, "POST", `/connections/${_id}/handshake`)
      assert.isUndefined(lastError)
      return dialect
    }
    const urlOfCommand = async () => {
      await call(200, "POST", "/testing/command", {
        connectionId: _id,
        command: "UNLOCK_CONNECTOR",
        payload: { location_id: "LOC1", evse_uid: "E1", connector_id: "1" }
      })
      const exchanges = await call(200, "GET", `/connections/${_id}/exchanges?limit=1000`)
      return exchanges.findLast((one: any) => one.module === "commands" && one.direction === "outbound")
        .request.url
    }
    const wish = { tokenEncoding: { outbound: "raw" }, trailingSlash: true, pageLimit: 5 }
    assert.deepInclude(await dialectAfter(wish), {
      tokenEncoding: { inbound: "base64", outbound: "raw" },
      trailingSlash: true,
      pageLimit: 5,
      overridden: ["tokenEncoding.outbound", "trailingSlash", "pageLimit"]
    })
    assert.match(await urlOfCommand(), /\/UNLOCK_CONNECTOR\/$/)
    const back = await dialectAfter({
      tokenEncoding: { outbound: "auto" },
      trailingSlash: null,
      pageLimit: null
    })
    assert.deepStrictEqual(back.tokenEncoding, { inbound: "base64", outbound: "base64" })
    assert.isFalse(back.trailingSlash)
    assert.notProperty(back, "overridden")
    assert.match(await urlOfCommand(), /\/UNLOCK_CONNECTOR$/)
  })

  it("notes a call whose token has not the form that the caller has set, and serves it", async () => {
    const { _id } = await connectionTo("CPO", "2.2.1")
    await call(200, "PUT", `/connections/${_id}/dialect`, { tokenEncoding: { inbound: "base64" } })
    const { token, versionsUrl } = await call(201, "POST", `/connections/${_id}/invitation`)
    const callUs = async () => {
      const { status } = await fetch(versionsUrl, { headers: { authorization: `Token ${token}` } })
      assert.strictEqual(status, 200)
      return (await read(_id)).dialect
    }
    assert.deepStrictEqual(await callUs(), {
      tokenEncoding: { inbound: "base64", outbound: "auto" },
      overridden: ["tokenEncoding.inbound"],
      deviations: ["in traffic, sends the token in raw form, the dialect is set to base64"]
    })
    await call(200, "PUT", `/connections/${_id}/dialect`, { tokenEncoding: { inbound: "auto" } })
    assert.deepStrictEqual(await callUs(), {
      tokenEncoding: { inbound: "raw", outbound: "auto" },
      deviations: ["sends the token in raw form, the version's text says base64"]
    })
  })

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
