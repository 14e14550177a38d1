/**
 * All that an honest sandbox partner says in one version and role: its answers to every kind of request, and its pushes
 * while a session, a reservation and charging profiles run. Faults are held against it.
 */
import { Clock, Effect, Layer, Redacted, Ref, Schedule } from "effect"
import { OwnerId } from "../../../schema/Ids.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { PartnerCalls } from "../../../src/party/outbound/PartnerCalls.ts"
import { Parties } from "../../../src/party/Parties.ts"
import { ChargingSimulation } from "../../../src/party/simulation/ChargingSimulation.ts"
import { PartnerQuirks, type Push } from "../../../src/party/wire/PartnerQuirks.ts"
import type { OcpiReply, OcpiRequest } from "../../../src/party/wire/Request.ts"
import { Sandbox } from "../../../src/sandbox/Sandbox.ts"
import { seedObjects } from "../../../src/sandbox/seed/seedObjects.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../../src/store/parties/PartyStoreMemory.ts"
import { jumpingClock } from "../../support/jumpingClock.ts"
import { base64 } from "../../support/parties/parties.ts"
import { takingClient } from "../../support/parties/takingClient.ts"
import { requestsTo } from "./requests.ts"

export interface Wire {
  readonly version: OcpiVersion
  readonly role: Role
  readonly answers: ReadonlyArray<{
    readonly name: string
    readonly module: string
    readonly request: OcpiRequest
    readonly reply: OcpiReply
  }>
  readonly pushes: ReadonlyArray<Push>
}

/** A request by its name, below the partner's root. `token`: none, or a wrong one, or none of the two forms. */
export interface Asked {
  readonly name: string
  readonly module: string
  readonly path: ReadonlyArray<string>
  readonly method?: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly token?: "none" | "wrong" | "malformed" | "other form"
}

const publicUrl = "https://us.example"
const identities = {
  CPO: { countryCode: "NL", partyId: "SBX", name: "A CPO" },
  EMSP: { countryCode: "DE", partyId: "SBM", name: "An EMSP" }
}
const otherRole = { CPO: "EMSP", EMSP: "CPO" } as const

export const recordWire = (version: OcpiVersion, role: Role): Effect.Effect<Wire> =>
  Effect.gen(function* () {
    const replies = yield* Ref.make<ReadonlyArray<readonly [OcpiRequest, OcpiReply]>>([])
    const pushes = yield* Ref.make<ReadonlyArray<Push>>([])
    const remember = <A>(all: Ref.Ref<ReadonlyArray<A>>, one: A) =>
      Effect.runSync(Ref.update(all, (before) => [...before, one]))
    const recording = Layer.succeed(PartnerQuirks, {
      of: () => ({
        reply: (request, reply) => {
          remember(replies, [request, reply] as const)
          return reply
        },
        push: (push) => {
          remember(pushes, push)
          return [push]
        }
      })
    })
    const room = Parties.layer({ publicUrl }).pipe(
      Layer.provideMerge(ChargingSimulation.layer),
      Layer.provideMerge(
        Layer.mergeAll(
          recording,
          takingClient(),
          Sandbox.layer({ publicUrl }),
          PartnerCalls.layer({ publicUrl, sandbox: true })
        )
      ),
      Layer.provideMerge(PartyStoreMemory)
    )
    const names = yield* Effect.gen(function* () {
      const { party, tokenA } = yield* (yield* Sandbox)
        .create(OwnerId.make("own_1"), {
          theirRole: role,
          ocpiVersion: version,
          speed: 10_000,
          activity: "catalogue"
        })
        .pipe(Effect.orDie)
      yield* (yield* PartyStore).update(party.id, (now) => ({
        ...now,
        registration: "registered",
        registeredAt: "2026-01-01T00:00:00.000Z",
        counterpart: {
          ...now.counterpart,
          parties: [{ role: otherRole[role], ...identities[otherRole[role]] }],
          endpoints: profileOf(version).interfaces[otherRole[role]].map(([identifier, interfaceRole]) => ({
            identifier,
            role: interfaceRole,
            url: `https://partner.example/${identifier}`
          }))
        }
      }))
      yield* (yield* PartyStore).putToken(party.id, "issued", { name: "tokenC", value: tokenA })
      yield* (yield* ChargingSimulation).startActivity(party.id)
      const now = yield* Clock.currentTimeMillis
      const seeds = (of: Role) =>
        seedObjects({
          role: of,
          profile: profileOf(version),
          identity: identities[of],
          seed: 1,
          now
        })
      const names: Array<Asked> = []
      const ask = (asked: Asked) =>
        Effect.gen(function* () {
          names.push(asked)
          const parties = yield* Parties
          return yield* parties.serve(
            { kind: "sandbox", partyId: party.id },
            requestOf(asked, version, Redacted.value(tokenA), yield* Clock.currentTimeMillis)
          )
        })
      const pushed = (operation: string, times = 1) =>
        Effect.filterOrFail(
          Ref.get(pushes),
          (all) => all.filter((push) => push.operation === operation).length >= times
        ).pipe(Effect.retry(Schedule.spaced("10 millis")), Effect.timeout("10 seconds"), Effect.orDie)
      yield* requestsTo({ version, role, own: seeds(role), theirs: seeds(otherRole[role]), ask, pushed })
      return names
    }).pipe(Effect.provide(room), Effect.scoped)
    const seen = yield* Ref.get(replies)
    return {
      version,
      role,
      answers: names.map(({ module, name }, index) => ({
        name,
        module,
        request: seen[index]![0],
        reply: seen[index]![1]
      })),
      pushes: yield* Ref.get(pushes)
    }
    // An answer has the time of its request, however long the machine takes.
  }).pipe(Effect.withClock(jumpingClock(Date.parse("2026-06-01T12:00:00.000Z"))))

function requestOf(asked: Asked, version: OcpiVersion, token: string, now: number): OcpiRequest {
  const query = new URLSearchParams(asked.query ?? {})
  const [usual, other] =
    profileOf(version).authorization === "raw" ? [token, base64(token)] : [base64(token), token]
  const value = {
    none: undefined,
    wrong: "Token wrong-token",
    malformed: "Bearer x",
    "other form": `Token ${other}`,
    right: `Token ${usual}`
  }[asked.token ?? "right"]
  return {
    method: asked.method ?? "GET",
    path: asked.path,
    query,
    headers: {
      "x-request-id": "request-1",
      "x-correlation-id": "correlation-1",
      ...(value === undefined ? {} : { authorization: value })
    },
    body: asked.body === undefined ? "" : JSON.stringify(asked.body),
    url: `${publicUrl}/sandbox/x/ocpi/${asked.path.join("/")}?${query}`,
    receivedAt: new Date(now).toISOString()
  }
}
