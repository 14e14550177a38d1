/**
 * Partners as they are in the field, each with one oddity, in plain node:http. For each the outcome and the words that
 * our user gets are printed: they must make sense to somebody who has never seen OCPI.
 */
import { createServer, type IncomingMessage, type Server } from "node:http"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../../support/service/database.ts"
import { freePort, type Service, startService } from "../../support/service/Service.ts"

const tokenA = "partner-issued-token_A.0123456789"
const tokenC = "partner-issued-token_C.0123456789"
const base64 = (text: string) => Buffer.from(text).toString("base64")
const either = (token: string) => [`Token ${token}`, `Token ${base64(token)}`]

interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  /** A text goes out as it is. */
  readonly body: unknown
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly body: any
}

/** What a partner does otherwise; the rest is honest. */
interface Oddity {
  /** Authorization headers that it takes. */
  readonly takes?: ReadonlyArray<string>
  readonly envelope?: (data: unknown) => unknown
  readonly versionsPath?: string
  readonly detailsPath?: string
  readonly detailsUrl?: string
  readonly endpoints?: (url: string) => ReadonlyArray<unknown>
  readonly list?: (url: string) => unknown
  readonly credentials?: (url: string) => unknown
  /** Its call back while our POST is open; the token is the one that we sent. */
  readonly callBack?: (tokenB: string, versionsUrl: string) => Promise<void>
  /** Instead of what it would have answered. */
  readonly answer?: (asked: Asked, reply: Reply, url: string) => Reply
}

const roles = [{ role: "CPO", party_id: "ODD", country_code: "DE", business_details: { name: "Odd" } }]
const stamped = (data: unknown) => ({ data, status_code: 1000, timestamp: "2026-01-01T00:00:00Z" })

const get = async (url: string, authorization: string) => {
  const response = await fetch(url, { headers: { authorization } })
  return { status: response.status, json: (await response.json()) as any }
}

const callBackAs =
  (form: (token: string) => string) =>
  async (token: string, versionsUrl: string): Promise<void> => {
    const list = await get(versionsUrl, `Token ${form(token)}`)
    if (list.status === 200) await get(list.json.data[0].url, `Token ${form(token)}`)
  }

class Partner {
  readonly server: Server
  url = ""
  readonly heard: Array<Asked> = []
  private readonly oddity: Oddity
  constructor(oddity: Oddity) {
    this.oddity = oddity
    this.server = createServer((request, response) => {
      void this.answer(request).then(({ body, headers, status }) => {
        response.writeHead(status ?? 200, { "content-type": "application/json", ...headers })
        response.end(typeof body === "string" ? body : JSON.stringify(body))
      })
    })
  }
  async start() {
    const port = await freePort()
    this.url = `http://127.0.0.1:${port}`
    await new Promise<void>((resolve) => this.server.listen(port, "127.0.0.1", resolve))
    return this
  }
  get versionsPath() {
    return this.oddity.versionsPath ?? "/versions"
  }
  private async answer(request: IncomingMessage): Promise<Reply> {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const asked: Asked = {
      method: request.method ?? "",
      path: request.url ?? "",
      body: text === "" ? undefined : JSON.parse(text)
    }
    this.heard.push(asked)
    const takes = this.oddity.takes ?? [...either(tokenA), ...either(tokenC)]
    const reply: Reply = takes.includes(String(request.headers.authorization))
      ? await this.content(asked)
      : {
          status: 401,
          body: { status_code: 2000, status_message: "unknown token", timestamp: "2026-01-01T00:00:00Z" }
        }
    return this.oddity.answer?.(asked, reply, this.url) ?? reply
  }
  private async content({ body, method, path }: Asked): Promise<Reply> {
    const { oddity, url } = this
    const wrap = oddity.envelope ?? stamped
    const details = oddity.detailsPath ?? "/2.2.1"
    if (method === "GET" && path === this.versionsPath) {
      const plain = [{ version: "2.2.1", url: oddity.detailsUrl ?? `${url}${details}` }]
      return { body: wrap(oddity.list?.(url) ?? plain) }
    }
    if (method === "GET" && path === details)
      return { body: wrap({ version: "2.2.1", endpoints: oddity.endpoints?.(url) ?? endpoints(url) }) }
    if (path === "/2.2.1/credentials" && (method === "POST" || method === "PUT")) {
      await (oddity.callBack ?? callBackAs(base64))(body.token, body.url)
      return { body: wrap(oddity.credentials?.(url) ?? { token: tokenC, url: `${url}/versions`, roles }) }
    }
    if (path === "/2.2.1/credentials" && method === "DELETE") return { body: wrap(undefined) }
    return { status: 404, body: { status_code: 2000, timestamp: "2026-01-01T00:00:00Z" } }
  }
}

const endpoint = (identifier: string, url: string, role: string | undefined = "SENDER") => ({
  identifier,
  ...(role === undefined ? {} : { role }),
  url
})
const endpoints = (url: string) => [
  endpoint("credentials", `${url}/2.2.1/credentials`),
  endpoint("locations", `${url}/2.2.1/locations`),
  endpoint("commands", `${url}/2.2.1/commands`, "RECEIVER")
]

/** Name, oddity, and what the deviations must say (registered), or the error (`fails`). */
const registers: ReadonlyArray<readonly [name: string, oddity: Oddity, noted: RegExp | undefined]> = [
  ["does nothing odd", {}, undefined],
  ["takes the token raw", { takes: [`Token ${tokenA}`, `Token ${tokenC}`] }, /expects the token in raw form/],
  [
    "takes the token raw, with a list that is open to anyone",
    {
      takes: [`Token ${tokenA}`, `Token ${tokenC}`],
      answer: (asked, reply, url) =>
        asked.path === "/versions" ? { body: stamped([{ version: "2.2.1", url: `${url}/2.2.1` }]) } : reply
    },
    /expects the token in raw form/
  ],
  ["sends the token raw", { callBack: callBackAs((token) => token) }, /sends the token in raw form/],
  ["never fetches our versions", { callBack: async () => {} }, /never fetched our versions/],
  [
    "fetches our versions with its own Token A",
    { callBack: (_, versionsUrl) => callBackAs(base64)(tokenA, versionsUrl) },
    /with the Token A that it issued itself/
  ],
  [
    "fetches our list and no details",
    { callBack: async (token, url) => void (await get(url, `Token ${base64(token)}`)) },
    /not the details/
  ],
  [
    "lists credentials twice",
    {
      endpoints: (url) => [...endpoints(url), endpoint("credentials", `${url}/2.2.1/credentials`, "RECEIVER")]
    },
    /list the credentials endpoint 2 times/
  ],
  [
    "lists credentials as RECEIVER only",
    {
      endpoints: (url) => [
        endpoint("credentials", `${url}/2.2.1/credentials`, "RECEIVER"),
        ...endpoints(url).slice(1)
      ]
    },
    undefined
  ],
  [
    "lists credentials without a role",
    {
      endpoints: (url) => [
        endpoint("credentials", `${url}/2.2.1/credentials`, undefined),
        ...endpoints(url).slice(1)
      ]
    },
    undefined
  ],
  ["has its details under another path", { detailsPath: "/some/where/else?v=221" }, undefined],
  ["ends its URLs with a slash", { versionsPath: "/versions/", detailsPath: "/2.2.1/" }, undefined],
  [
    "answers without roles",
    { credentials: (url) => ({ token: tokenC, url: `${url}/versions` }) },
    /without the partner's roles/
  ],
  [
    "has null where something is optional",
    {
      credentials: (url) => ({
        token: tokenC,
        url: `${url}/versions`,
        roles: [{ ...roles[0], business_details: { name: "Odd", website: null, logo: null } }]
      }),
      envelope: (data) => ({ ...stamped(data), status_message: null })
    },
    undefined
  ],
  ["has relative URLs", { detailsUrl: "/2.2.1", endpoints: () => endpoints("") }, /relative/],
  [
    "wraps a single object in a list",
    { credentials: (url) => [{ token: tokenC, url: `${url}/versions`, roles }] },
    /wrapped in a list/
  ],
  [
    "lists its one version without the list",
    { list: (url) => ({ version: "2.2.1", url: `${url}/2.2.1` }) },
    /came in place of a list/
  ],
  ["has no timestamp", { envelope: (data) => ({ data, status_code: 1000 }) }, /timestamp/],
  [
    "writes two JSON documents into one body",
    { answer: (_, reply) => ({ ...reply, body: `${JSON.stringify(reply.body)}\n{"also":"this"}` }) },
    /two JSON documents/
  ]
]

const fails: ReadonlyArray<readonly [name: string, oddity: Oddity, error: RegExp, noted?: RegExp]> = [
  [
    "answers POST with 307 to the same URL with a slash",
    {
      answer: (asked, reply) =>
        asked.method === "POST" ? { status: 307, headers: { location: `${asked.path}/` }, body: "" } : reply
    },
    /^protocol: POST credentials answered 307, a redirect to the same URL with a slash.*not followed, use the final URL/,
    /POST credentials: answers 307/
  ],
  [
    "answers an error without an envelope",
    {
      answer: (asked, reply) =>
        asked.method === "POST" ? { status: 500, body: { message: "NullPointerException" } } : reply
    },
    /^protocol: POST credentials answered HTTP 500; the partner says: "NullPointerException"/,
    /without an OCPI envelope/
  ],
  ["refuses the token", { takes: [] }, /^auth: GET versions answered 401 to both token forms; check Token A/],
  [
    "cannot call us back",
    {
      callBack: async () => {},
      answer: (asked, reply) =>
        asked.method === "POST"
          ? { body: { status_code: 3001, status_message: "no answer", timestamp: "2026-01-01T00:00:00Z" } }
          : reply
    },
    /^config: .*3001.*no call back with the token of our POST has come.*Can the partner reach http/
  ],
  [
    "takes us for registered already",
    { answer: (asked, reply) => (asked.method === "POST" ? { status: 405, body: "" } : reply) },
    /^protocol: POST credentials answered 405; the partner may consider us registered already: have it delete/
  ],
  [
    "hands our own token back",
    {
      answer: (asked, reply) =>
        asked.method === "POST" ? { body: stamped({ token: asked.body.token, url: "x", roles }) } : reply
    },
    /^protocol: .*token that we sent.*Token C/
  ],
  [
    "has a page for people at its versions URL",
    { answer: () => ({ headers: { "content-type": "text/html" }, body: "<html>Welcome</html>" }) },
    /^protocol: GET versions answered .*HTML/
  ],
  [
    "offers another version",
    { list: (url) => [{ version: "2.1.1", url }] },
    /^unsupported: .*does not offer version 2\.2\.1; it offers 2\.1\.1\. Agree on one/
  ]
]

describe("an odd partner", () => {
  let service: Service
  const said: Array<string> = []
  const partners: Array<Partner> = []

  beforeAll(async () => {
    service = await startService({
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      EGRESS_ALLOW_CIDRS: "127.0.0.0/8"
    })
  }, 60_000)
  afterAll(async () => {
    process.stdout.write(`${said.join("\n")}\n`)
    await service?.kill("SIGTERM")
    for (const { server } of partners) {
      server.close()
      server.closeAllConnections()
    }
  })

  const call = async (status: number, method: string, path: string, body?: unknown) => {
    const answer = await service.call(method, `/api/v1${path}`, body)
    assert.strictEqual(answer.status, status, `${method} ${path}: ${answer.text}`)
    return answer.body.data
  }
  const partnerWith = async (oddity: Oddity) => {
    const partner = await new Partner(oddity).start()
    partners.push(partner)
    return partner
  }
  const connectionTo = (partner: Partner) =>
    call(201, "POST", "/connections", {
      partnerBaseUrl: `${partner.url}${partner.versionsPath}`,
      ourRole: "EMSP",
      theirRole: "CPO",
      ocpiVersion: "2.2.1",
      tokenA
    })
  const shaken = async (name: string, oddity: Oddity) => {
    const partner = await partnerWith(oddity)
    const { _id } = await connectionTo(partner)
    const view = await call(200, "POST", `/connections/${_id}/handshake`)
    said.push(`${name}: ${view.status}${view.lastError === undefined ? "" : ` - ${view.lastError}`}`)
    for (const deviation of view.dialect.deviations) said.push(`    noted: ${deviation}`)
    const { text } = await service.call("GET", `/api/v1/connections/${_id}/exchanges?limit=1000`)
    for (const secret of [tokenA, tokenC]) {
      assert.notInclude(text + JSON.stringify(view), secret)
      assert.notInclude(text, base64(secret))
    }
    return { partner, view }
  }

  for (const [name, oddity, noted] of registers) {
    it(`that ${name} is registered, and the oddity is noted`, async () => {
      const { view } = await shaken(name, oddity)
      assert.strictEqual(view.status, "registered", view.lastError)
      if (noted === undefined) assert.deepStrictEqual(view.dialect.deviations, [])
      else assert.match(view.dialect.deviations.join("; "), noted)
    })
  }

  for (const [name, oddity, error, noted] of fails) {
    it(`that ${name} fails with words that help`, async () => {
      const { partner, view } = await shaken(name, oddity)
      assert.strictEqual(view.status, "failed")
      assert.match(view.lastError, error)
      if (noted !== undefined) assert.match(view.dialect.deviations.join("; "), noted)
      const posts = partner.heard.filter(({ method }) => method === "POST")
      assert.isAtMost(posts.length, 1, "a POST is never repeated and a redirect never followed")
    })
  }

  it("that is odd in its answers to commands only is noted once, after the handshake", async () => {
    const { partner, view } = await shaken("is odd in commands", {
      answer: (asked, reply) =>
        asked.path.startsWith("/2.2.1/commands/")
          ? { body: { data: [{ result: "ACCEPTED", timeout: 30 }], status_code: 1000 } }
          : reply
    })
    assert.deepStrictEqual(view.dialect.deviations, [])
    const payload = { location_id: "LOC1", evse_uid: "E1", connector_id: "1" }
    for (const _ of [1, 2])
      await call(200, "POST", "/testing/command", {
        connectionId: view._id,
        command: "UNLOCK_CONNECTOR",
        payload
      })
    assert.strictEqual(partner.heard.filter(({ path }) => path.startsWith("/2.2.1/commands/")).length, 2)
    const { dialect } = await call(200, "GET", `/connections/${view._id}`)
    assert.deepStrictEqual(dialect.deviations, [
      "in traffic, POST commands: the envelope has no timestamp",
      "in traffic, POST commands: a single object came wrapped in a list"
    ])
  })

  it("can register once it has been repaired, by the same Token A", async () => {
    let broken = true
    const partner = await partnerWith({
      answer: (asked, reply) => (broken && asked.method === "POST" ? { status: 500, body: "" } : reply)
    })
    const { _id } = await connectionTo(partner)
    assert.strictEqual((await call(200, "POST", `/connections/${_id}/handshake`)).status, "failed")
    broken = false
    const repaired = await call(200, "POST", `/connections/${_id}/handshake`)
    assert.strictEqual(repaired.status, "registered")
    assert.notProperty(repaired, "lastError")
  })

  it("that registers by our invitation, renews and leaves is followed at every step", async () => {
    const tokenB = "partner-issued-token_B.0123456789"
    const partner = await partnerWith({ takes: either(tokenB) })
    const { _id } = await connectionTo(partner)
    const read = () => call(200, "GET", `/connections/${_id}`)
    const { token, versionsUrl } = await call(201, "POST", `/connections/${_id}/invitation`)
    const send = async (method: string, authorization: string, body?: unknown) => {
      const response = await fetch(versionsUrl.replace("/versions", "/2.2.1/credentials"), {
        method,
        headers: { authorization, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return { status: response.status, json: (await response.json()) as any }
    }
    const credentials = { token: tokenB, url: `${partner.url}/versions`, roles }

    const incomplete = await send("POST", `Token ${token}`, { ...credentials, url: undefined })
    assert.strictEqual(incomplete.json.status_code, 2001)
    const waiting = await read()
    assert.strictEqual(waiting.status, "pending")
    assert.match(waiting.lastError, /^protocol: the partner's POST credentials was refused with 2001.*url/)

    const unreachable = await send("POST", `Token ${token}`, { ...credentials, token: "unknown-to-itself" })
    assert.strictEqual(unreachable.json.status_code, 3001)
    assert.match((await read()).lastError, /^auth: .*401 to both token forms; check Token B/)

    const registered = await send("POST", `Token ${token}`, credentials)
    assert.strictEqual(registered.json.status_code, 1000, JSON.stringify(registered.json))
    const view = await read()
    assert.strictEqual(view.status, "registered")
    assert.notProperty(view, "lastError")
    assert.strictEqual(view.partner[0].partyId, "ODD")
    assert.match(view.dialect.deviations.join("; "), /sends the token in raw form/)
    assert.match(view.dialect.deviations.join("; "), /never fetched our versions before it registered/)

    const renewed = await send("PUT", `Token ${registered.json.data.token}`, credentials)
    assert.strictEqual(renewed.json.status_code, 1000)
    assert.notStrictEqual(renewed.json.data.token, registered.json.data.token)
    assert.strictEqual((await send("DELETE", `Token ${renewed.json.data.token}`)).json.status_code, 1000)
    const left = await read()
    assert.strictEqual(left.status, "pending")
    assert.deepStrictEqual(left.endpoints, [])
    assert.strictEqual((await send("GET", `Token ${renewed.json.data.token}`)).status, 401)
  })
})
