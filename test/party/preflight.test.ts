/** The diagnosis against real sockets: a partner served by this service's own code, and ways in which there is none. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { ProbeId } from "../../schema/Preflight.ts"
import { EgressGuard, type EgressOptions } from "../../src/ocpi/EgressGuard.ts"
import { OcpiClient } from "../../src/ocpi/OcpiClient.ts"
import { PartnerCalls } from "../../src/party/outbound/PartnerCalls.ts"
import { preflight } from "../../src/party/registration/preflight.ts"
import { isReady } from "../../src/party/registration/preflightProbes.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../src/store/parties/PartyStoreMemory.ts"
import { partyWith, tokenOf } from "../support/parties/parties.ts"

const world = (publicUrl: string, egress: Partial<EgressOptions> = {}) => {
  const guard = EgressGuard.layer({ allowCidrs: ["127.0.0.0/8"], reserved: [], ...egress })
  return OcpiClient.layer().pipe(
    Layer.provideMerge(guard),
    Layer.provideMerge(PartnerCalls.layer({ publicUrl, sandbox: true })),
    Layer.provideMerge(PartyStoreMemory)
  )
}

type Answered = readonly [status: number, data: unknown]
type Answers = Readonly<Record<string, (authorized: boolean) => Answered>>

const ok = (data: unknown) => (): Answered => [200, data]
const guarded =
  (data: unknown) =>
  (authorized: boolean): Answered =>
    authorized ? [200, data] : [401, null]

/** Serves each path; a token is right when it is `secret` in Base64. */
const serving = (answers: (url: string) => Answers) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer((incoming, outgoing) => {
        const answer = answers(url())[incoming.url ?? ""]
        const authorized =
          incoming.headers.authorization === `Token ${Buffer.from("secret").toString("base64")}`
        const [status, data] = answer === undefined ? [404, null] : answer(authorized)
        outgoing.writeHead(status, { "content-type": "application/json" })
        const code = status === 200 ? 1000 : 2000
        outgoing.end(JSON.stringify({ status_code: code, timestamp: "2026-01-01T00:00:00Z", data }))
      })
      const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      server.listen(0, "127.0.0.1", () =>
        resume(Effect.succeed({ url: url(), close: () => void server.close().closeAllConnections() }))
      )
    }),
    ({ close }) => Effect.sync(close)
  )

const endpoints = (url: string) => [
  { identifier: "credentials", role: "SENDER", url: `${url}/credentials` },
  { identifier: "locations", role: "SENDER", url: `${url}/locations` }
]
const honest = (url: string): Answers => ({
  "/ocpi/versions": ok([{ version: "2.2.1", url: `${url}/ocpi/2.2.1` }]),
  "/versions": guarded([{ version: "2.2.1", url: `${url}/2.2.1` }]),
  "/2.2.1": guarded({ version: "2.2.1", endpoints: endpoints(url) })
})

/** Probes of an EMSP's connection, by id. */
const probesOf = (
  versionsUrl: string,
  publicUrl: string,
  options: { readonly egress?: Partial<EgressOptions>; readonly token?: string | null } = {}
) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const bare = partyWith({ id: "conn_1", role: "EMSP" }, false)
    const party = { ...bare, counterpart: { ...bare.counterpart, versionsUrl } }
    const { token = "secret" } = options
    yield* store.insert(party, token === null ? [] : [tokenOf("outbound", "tokenA", token)])
    const probes = yield* preflight(party, { publicUrl, sandbox: true })
    const outcomes = Object.fromEntries(probes.map(({ id, outcome }) => [id, outcome]))
    return { probes, outcomes, probe: (id: ProbeId) => probes.find((one) => one.id === id)! }
  }).pipe(Effect.provide(world(publicUrl, options.egress)))

const stuck = (at: ProbeId) => {
  const ids: ReadonlyArray<ProbeId> = [
    "egress",
    "dns",
    "tcp",
    "tls",
    "versions",
    "token",
    "version",
    "endpoints"
  ]
  return Object.fromEntries(
    ids.map((id) => [
      id,
      ids.indexOf(id) > ids.indexOf(at) || (id === "tls" && id !== at)
        ? "skipped"
        : id === at
          ? "failed"
          : "ok"
    ])
  )
}

describe("the preflight", () => {
  it.scoped("has nothing to say of a partner that is in order", () =>
    Effect.gen(function* () {
      const { url } = yield* serving(honest)
      const { outcomes, probe } = yield* probesOf(`${url}/versions`, url)
      assert.deepStrictEqual(outcomes, {
        egress: "ok",
        dns: "ok",
        tcp: "ok",
        tls: "skipped",
        versions: "ok",
        token: "ok",
        version: "ok",
        endpoints: "ok",
        callback: "ok"
      })
      assert.match(probe("token").message, /base64/)
      assert.match(probe("endpoints").message, /credentials, locations/)
    })
  )

  it.scoped("stops at an address that we may not call, and sends nothing there", () =>
    Effect.gen(function* () {
      const { url } = yield* serving(honest)
      const { outcomes, probe } = yield* probesOf("http://10.0.0.1/versions", url, { egress: {} })
      const { callback: _, ...others } = outcomes
      assert.deepStrictEqual(others, stuck("egress"))
      assert.strictEqual(probe("egress").class, "config")
      assert.match(probe("egress").nextAction!, /EGRESS_ALLOW_CIDRS/)
    })
  )

  it.scoped("stops at a name that does not resolve", () =>
    Effect.gen(function* () {
      const resolve = () => Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }))
      const { outcomes, probe } = yield* probesOf("http://cpo.example.com/versions", "http://127.0.0.1:1", {
        egress: { resolve }
      })
      const { callback: _, ...others } = outcomes
      assert.deepStrictEqual(others, stuck("dns"))
      assert.strictEqual(probe("dns").class, "network")
    })
  )

  it.scoped("stops at a port where nobody listens", () =>
    Effect.gen(function* () {
      const { close, url } = yield* serving(honest)
      close()
      const { outcomes, probe } = yield* probesOf(`${url}/versions`, url)
      const { callback, ...others } = outcomes
      assert.deepStrictEqual(others, stuck("tcp"))
      assert.strictEqual(probe("tcp").class, "network")
      assert.strictEqual(callback, "failed")
    })
  )

  it.scoped("stops at a port that speaks no TLS", () =>
    Effect.gen(function* () {
      const { url } = yield* serving(honest)
      const { outcomes } = yield* probesOf(`${url.replace("http:", "https:")}/versions`, url)
      const { callback: _, ...others } = outcomes
      assert.deepStrictEqual(others, stuck("tls"))
    })
  )

  it.scoped("stops at a URL that is not that of the versions", () =>
    Effect.gen(function* () {
      const { url } = yield* serving(honest)
      const { outcomes, probe } = yield* probesOf(`${url}/nowhere`, url)
      const { callback: _, ...others } = outcomes
      assert.deepStrictEqual(others, stuck("versions"))
      assert.match(probe("versions").message, /404/)
    })
  )

  it.scoped("stops at a token that the partner does not take, in either form", () =>
    Effect.gen(function* () {
      const { url } = yield* serving(honest)
      const { outcomes, probe } = yield* probesOf(`${url}/versions`, url, { token: "other" })
      const { callback: _, ...others } = outcomes
      assert.deepStrictEqual(others, stuck("token"))
      assert.strictEqual(probe("token").class, "auth")
      assert.match(probe("versions").message, /401/)
    })
  )

  it.scoped("does not know of the token, where the partner answers without one", () =>
    Effect.gen(function* () {
      const open = (url: string): Answers => ({
        ...honest(url),
        "/versions": ok([{ version: "2.2.1", url: `${url}/2.2.1` }])
      })
      const { url } = yield* serving(open)
      const guardedDetails = yield* probesOf(`${url}/versions`, url)
      assert.strictEqual(guardedDetails.outcomes["token"], "ok")
      assert.isTrue(isReady(guardedDetails.probes))
      const { url: all } = yield* serving((url) => ({
        ...open(url),
        "/2.2.1": ok({ version: "2.2.1", endpoints: endpoints(url) })
      }))
      const { outcomes, probe, probes } = yield* probesOf(`${all}/versions`, all, { token: "nonsense" })
      assert.strictEqual(outcomes["token"], "skipped")
      assert.match(probe("token").message, /not known/)
      assert.isFalse(isReady(probes))
    })
  )

  it.scoped("says that there is no token, when we hold none", () =>
    Effect.gen(function* () {
      const { url } = yield* serving(honest)
      const { outcomes, probe } = yield* probesOf(`${url}/versions`, url, { token: null })
      const { callback: _, ...others } = outcomes
      assert.deepStrictEqual(others, stuck("token"))
      assert.match(probe("token").message, /no token/)
    })
  )

  it.scoped("stops at a partner of other versions", () =>
    Effect.gen(function* () {
      const { url } = yield* serving((url) => ({
        ...honest(url),
        "/versions": ok([{ version: "2.1.1", url: `${url}/2.1.1` }])
      }))
      const { outcomes, probe } = yield* probesOf(`${url}/versions`, url)
      const { callback: _, ...others } = outcomes
      assert.deepStrictEqual(others, stuck("version"))
      assert.strictEqual(probe("version").class, "unsupported")
    })
  )

  it.scoped.each([
    ["a redirect", 302, null, /^Make a connection with the URL that the redirect leads to/],
    ["the details of a version", 200, { version: "2.2.1", endpoints: [] }, /^Correct the versions URL/],
    ["some other object", 200, { hello: 1 }, /^Correct the versions URL/],
    ["an empty list", 200, [], /^Have the partner answer GET versions/],
    ["a fault of the partner's", 500, null, /^Have the partner answer GET versions/]
  ] as const)("names one next action for %s, the same as its message", ([, status, data, action]) =>
    Effect.gen(function* () {
      const { url } = yield* serving((url) => ({ ...honest(url), "/versions": () => [status, data] }))
      const { outcomes, probe } = yield* probesOf(`${url}/versions`, url)
      assert.strictEqual(outcomes["versions"], "failed")
      assert.match(probe("versions").nextAction!, action)
    })
  )

  it.scoped("stops at version details without what the role offers", () =>
    Effect.gen(function* () {
      const { url } = yield* serving((url) => ({
        ...honest(url),
        "/2.2.1": ok({ version: "2.2.1", endpoints: endpoints(url).slice(0, 1) })
      }))
      const { outcomes, probe } = yield* probesOf(`${url}/versions`, url)
      const { callback: _, ...others } = outcomes
      assert.deepStrictEqual(others, stuck("endpoints"))
      assert.match(probe("endpoints").nextAction!, /what a CPO offers/)
    })
  )

  it.scoped("finds something else where partners are told to call us", () =>
    Effect.gen(function* () {
      const { url } = yield* serving((url) => ({ ...honest(url), "/ocpi/versions": ok("hello") }))
      const { probe } = yield* probesOf(`${url}/versions`, url)
      assert.strictEqual(probe("callback").outcome, "failed")
      assert.match(probe("callback").nextAction!, /PUBLIC_URL/)
    })
  )

  it.scoped("does not take our own listening address for one that a distant partner can reach", () =>
    Effect.gen(function* () {
      const { url } = yield* serving(honest)
      const reserved = [{ host: "127.0.0.1", port: Number(new URL(url).port) }]
      const resolve = () => Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }))
      const { probe } = yield* probesOf("http://cpo.example.com/versions", url, {
        egress: { reserved, resolve }
      })
      assert.strictEqual(probe("callback").outcome, "failed")
      assert.strictEqual(probe("callback").class, "config")
      assert.match(probe("callback").message, /of this machine alone/)
    })
  )
})
