/**
 * A sandbox partner in memory: the same party code, data and faults as the served one, without sockets. What probes find
 * at it is evidence; delays of faults count as durations and nobody waits for them.
 */
import { Effect, Layer, Redacted } from "effect"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { probesOf } from "../../../src/conformance/catalogue/probes.ts"
import { grade } from "../../../src/conformance/grading/grade.ts"
import { type Check, probesFor } from "../../../src/conformance/model/Check.ts"
import {
  type Evidence,
  type Gathered,
  makeEvidence,
  type Observation
} from "../../../src/conformance/model/Evidence.ts"
import type { ProbeRequest } from "../../../src/conformance/model/Probe.ts"
import { gather } from "../../../src/conformance/run/gather.ts"
import { withCredentials } from "../../../src/conformance/run/registration/withCredentials.ts"
import type { OcpiCall } from "../../../src/ocpi/OcpiClient.ts"
import { authorizationValue } from "../../../src/ocpi/tokens.ts"
import { PartnerCalls } from "../../../src/party/outbound/PartnerCalls.ts"
import { Parties } from "../../../src/party/Parties.ts"
import { ChargingSimulation } from "../../../src/party/simulation/ChargingSimulation.ts"
import { PartnerQuirks } from "../../../src/party/wire/PartnerQuirks.ts"
import type { OcpiReply, OcpiRequest } from "../../../src/party/wire/Request.ts"
import { callRouting } from "../../../src/party/wire/routing.ts"
import { behaviourOf } from "../../../src/sandbox/SandboxQuirks.ts"
import { seedObjects } from "../../../src/sandbox/seed/seedObjects.ts"
import type { Party } from "../../../src/store/parties/Party.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../../src/store/parties/PartyStoreMemory.ts"
import { jumpingClock } from "../jumpingClock.ts"
import { partyWith, tokenOf } from "./parties.ts"
import { takingClient } from "./takingClient.ts"

const publicUrl = "https://us.example"
const startedAt = "2026-06-01T12:00:00.000Z"
const secret = "token-c-0123456789"
const otherRole = { CPO: "EMSP", EMSP: "CPO" } as const

export interface Scene {
  readonly version: OcpiVersion
  /** Of the partner under test. */
  readonly role: Role
  readonly faults?: ReadonlyArray<string>
  /** Objects beside or instead of those of the seed, by module. */
  readonly objects?: Readonly<Record<string, ReadonlyArray<Record<string, unknown>>>>
  /** What the same partner answered before, when it was honest: filled here, and for scenes that differ in faults only. */
  readonly answers?: Answers
}

/** By question. */
export type Answers = Map<string, HonestAnswer>
interface HonestAnswer {
  readonly request: OcpiRequest
  readonly served: OcpiReply
}

/** The headers that a request has of its own, its credentials among them. */
const authorized = (profile: VersionProfile, asking: ProbeRequest) =>
  Effect.map(
    withCredentials(
      {
        method: asking.method ?? "GET",
        url: publicUrl,
        headers: asking.headers ?? {},
        authorization: { token: Redacted.make(secret), form: profile.authorization },
        secrets: []
      } as unknown as OcpiCall, // its other fields play no part in its credentials
      asking.credentials ?? { use: "live" },
      profile.authorization
    ),
    ({ authorization, headers }): Record<string, string> => ({
      ...lowerCase(headers ?? {}),
      ...(authorization === undefined
        ? {}
        : { authorization: authorizationValue(authorization.token, authorization.form) })
    })
  )
/** Header names as they are spelt in the request. */
const namesOf = ({ credentials = { use: "live" }, headers = {} }: ProbeRequest) => [
  ...Object.keys(headers),
  ...("headerName" in credentials ? [credentials.headerName] : [])
]
const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const partiesOf = ({ faults = [], role, version }: Scene) => {
  const profile = profileOf(version)
  const id = "sbx_1"
  const ours = partyWith({ id: "conn_1", role: otherRole[role], version })
  const identity =
    role === "CPO"
      ? { countryCode: "NL", partyId: "SBX", name: "Sandbox Charging" }
      : { countryCode: "DE", partyId: "SBM", name: "Sandbox Mobility" }
  const partner = partyWith({
    id,
    role,
    version,
    kind: "sandbox",
    identity,
    counterpart: {
      role: otherRole[role],
      versionsUrl: `${publicUrl}/ocpi/versions`,
      endpoints: [],
      parties: [{ role: otherRole[role], ...ours.identity }]
    },
    sandbox: { faults, seed: 1, speed: 60 }
  })
  const connection: Party = {
    ...ours,
    counterpart: {
      role,
      versionsUrl: `${publicUrl}/sandbox/${id}/ocpi/versions`,
      endpoints: profile.interfaces[role].map(([identifier, side]) => ({
        identifier,
        role: profile.endpointRoles ? side : null,
        url: `${publicUrl}/sandbox/${id}/ocpi/${version}/${identifier}`
      })),
      parties: [{ role, ...identity }]
    }
  }
  return { partner, connection }
}

/** Everything that the wanted probes find. */
export const evidenceAt = (scene: Scene, wanted: ReadonlyArray<string>): Effect.Effect<Evidence> =>
  Effect.gen(function* () {
    const { connection, partner } = partiesOf(scene)
    const profile = profileOf(scene.version)
    const store = yield* PartyStore
    const parties = yield* Parties
    yield* store.insert(partner, [tokenOf("issued", "tokenC", secret)])
    const seeded = seedObjects({
      role: scene.role,
      profile,
      identity: partner.identity,
      seed: 1,
      now: Date.parse(startedAt)
    })
    const more = Object.entries(scene.objects ?? {}).flatMap(([module, objects]) =>
      objects.map((json) => ({
        module,
        key: String(json["id"] ?? json["uid"]),
        side: "own" as const,
        json,
        lastUpdated: "2026-05-31T00:00:00.000Z"
      }))
    )
    yield* Effect.forEach([...seeded, ...more], (object) => store.putObject(partner.id, object), {
      discard: true
    })
    let number = 0
    const answers = scene.answers ?? new Map<string, HonestAnswer>()
    const turns = new Map<string, number>()
    /** What the honest partner answers; the same question is the same request, its first repetition another, and so on. */
    const honestly = (question: string, asking: ProbeRequest, url: URL) =>
      Effect.gen(function* () {
        const turn = (turns.get(question) ?? 0) + 1
        turns.set(question, turn)
        const known = answers.get(`${turn} ${question}`)
        if (known !== undefined) return known
        const request = {
          method: asking.method ?? "GET",
          path: url.pathname
            .replace(/^\/sandbox\/[^/]+\/ocpi\//, "")
            .split("/")
            .map(decodeURIComponent),
          query: url.searchParams,
          headers: {
            "x-request-id": `req-${answers.size}`,
            "x-correlation-id": `cor-${answers.size}`,
            "content-type": "application/json",
            ...lowerCase(callRouting(profile, connection, { ...asking, method: asking.method ?? "GET" })),
            ...(yield* authorized(profile, asking))
          },
          headerNames: namesOf(asking),
          body: asking.rawBody ?? (asking.body === undefined ? "" : JSON.stringify(asking.body)),
          url: url.href,
          // Each request comes a little later than the one before.
          receivedAt: new Date(Date.parse(startedAt) + answers.size).toISOString()
        }
        const served = yield* parties.serve({ kind: "sandbox", partyId: partner.id }, request)
        const answer = { request, served }
        answers.set(`${turn} ${question}`, answer)
        return answer
      })
    const ask = (asking: ProbeRequest) =>
      Effect.gen(function* () {
        number += 1
        const endpoint = connection.counterpart.endpoints.find(
          ({ identifier, role }) =>
            identifier === asking.module && (role === null || role === asking.interfaceRole)
        )
        if (asking.url === undefined && endpoint === undefined)
          return { withheld: "not_applicable" as const, reason: `no endpoint ${asking.module}` }
        const url = new URL(asking.url ?? [endpoint!.url, ...(asking.path ?? [])].join("/"))
        for (const [name, value] of Object.entries(asking.query ?? {})) url.searchParams.set(name, value)
        const { request, served } = yield* honestly(JSON.stringify([url.href, asking]), asking, url)
        const reply = behaviourOf(partner).reply(request, served)
        const json = reply.body === null ? undefined : (JSON.parse(reply.body) as { status_code?: number })
        const seen: Observation = {
          json,
          about: asking.about ?? "",
          exchange: {
            id: `exc_${number}`,
            direction: "outbound",
            module: asking.module,
            operation: asking.operation,
            request: {
              method: request.method,
              url: url.href,
              headers: request.headers,
              body: request.body,
              truncated: false
            },
            response: {
              httpStatus: reply.httpStatus,
              ocpiStatusCode: json?.status_code ?? null,
              headers: reply.headers,
              body: reply.body,
              truncated: false
            },
            outcome: "completed",
            startedAt: request.receivedAt,
            durationMs: 20 + (reply.delayMillis ?? 0),
            requestId: request.headers["x-request-id"] ?? "",
            correlationId: request.headers["x-correlation-id"] ?? ""
          }
        }
        return seen
      })
    const results = new Map<string, Gathered>()
    const world = {
      party: connection,
      profile,
      startedAt,
      trustedPrefixes: [],
      mark: "TST-000001",
      tokens: [],
      graceSeconds: 0
    }
    const evidence = makeEvidence(world, results)
    yield* gather(
      {
        probes: probesOf(profile, scene.role),
        results,
        evidence,
        send: ask,
        script: () => Effect.die("nothing is written here"),
        inbound: () => Effect.succeed({ seen: [] })
      },
      wanted
    )
    return evidence
  }).pipe(Effect.provide(partnerLayer), Effect.scoped, Effect.withClock(jumpingClock(Date.parse(startedAt))))

const partnerLayer = Layer.mergeAll(Parties.layer({ publicUrl })).pipe(
  Layer.provideMerge(ChargingSimulation.layer),
  Layer.provideMerge(
    Layer.mergeAll(
      // Faults are laid over the answers here, so that their delays are only counted.
      Layer.succeed(PartnerQuirks, { of: () => ({ reply: (_, reply) => reply, push: () => [] }) }),
      PartnerCalls.layer({ publicUrl, sandbox: true }),
      takingClient()
    ).pipe(Layer.provideMerge(PartyStoreMemory))
  )
)

/** The assertions of checks in the strict profile. */
export const gradedAt = (scene: Scene, checks: ReadonlyArray<Check>) => {
  const scope = { profile: profileOf(scene.version), role: scene.role }
  return Effect.map(
    evidenceAt(
      scene,
      checks.flatMap((check) => probesFor(check, scope))
    ),
    (evidence) => checks.map((check) => grade(check, evidence, { scope, profile: "strict", checks }))
  )
}
