/** Sandbox partners: complete OCPI parties with data of their own, made to be tested against. */
import { Clock, Context, Data, Effect, Layer, Option, type Redacted } from "effect"
import { type Dialect, defaultDialect } from "../../schema/Connection.ts"
import { type OwnerId, PartyId } from "../../schema/Ids.ts"
import type { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../schema/ocpi/Role.ts"
import { profileOf } from "../../schema/ocpi/versions.ts"
import type { SandboxActivity } from "../../schema/Sandbox.ts"
import { newId } from "../database/newId.ts"
import { meant } from "../findings/nearest.ts"
import { issueToken } from "../ocpi/tokens.ts"
import { rootUrl, versionsUrl } from "../party/wire/roots.ts"
import type { Party } from "../store/parties/Party.ts"
import { PartyStore } from "../store/parties/PartyStore.ts"
import type { PartyToken } from "../store/parties/TokenSlot.ts"
import { traced } from "../telemetry/traced.ts"
import { faultsById } from "./faults/faultLibrary.ts"
import { seedObjects } from "./seed/seedObjects.ts"

/** The fault library has no fault of this id, or the fault does not apply to the partner's version and role. */
class UnfitFault extends Data.TaggedError("UnfitFault")<{
  readonly id: string
  readonly message: string
}> {}

/** What a sandbox partner is created with; every field but the role and the version has a default. */
interface CreateSandbox {
  /**
   * Default: a new id. If a partner with this id exists, creation keeps its token A and adds missing data; a registered one is
   * left unchanged.
   */
  readonly id?: PartyId
  readonly theirRole: Role
  readonly ocpiVersion: OcpiVersion
  readonly faults?: ReadonlyArray<string>
  readonly seed?: number
  /** Simulated seconds per second. */
  readonly speed?: number
  /** Default: `quiet`, so that partners made by runs and tests start nothing of their own accord. */
  readonly activity?: SandboxActivity
  /** An order with the target `sandbox` makes it. */
  readonly isTarget?: true
}

/** Creates, changes and removes sandbox partners. */
export class Sandbox extends Context.Tag("sandbox/Sandbox")<
  Sandbox,
  {
    /**
     * Creates a partner with its data. Token A is returned here only. `admit` runs the insert of the partner, for instance
     * within a quota, and may fail instead; the data is written afterwards.
     */
    readonly create: <E = never>(
      ownerId: OwnerId,
      input: CreateSandbox,
      admit?: (insert: Effect.Effect<void>) => Effect.Effect<void, E>
    ) => Effect.Effect<{ readonly party: Party; readonly tokenA: Redacted.Redacted<string> }, UnfitFault | E>
    /** False if there is no such sandbox partner. */
    readonly remove: (id: PartyId) => Effect.Effect<boolean>
    /** Replaces the faults, from the next request on. None if there is no such sandbox partner. */
    readonly setFaults: (
      id: PartyId,
      faults: ReadonlyArray<string>
    ) => Effect.Effect<Option.Option<Party>, UnfitFault>
    /** The partner's versions endpoint: what a caller gives as `partnerBaseUrl` of a connection. */
    readonly versionsUrl: (id: PartyId) => string
  }
>() {
  /**
   * `publicUrl`: root of every URL that we hand out. `speed`: simulated seconds per second of partners created without one
   * (default 60).
   */
  static readonly layer = (options: {
    readonly publicUrl: string
    readonly speed?: number
  }): Layer.Layer<Sandbox, never, PartyStore> =>
    Layer.effect(
      Sandbox,
      Effect.gen(function* () {
        const store = yield* PartyStore

        const sandboxOnly = (id: PartyId) =>
          Effect.map(
            store.find(id),
            Option.filter(({ kind }) => kind === "sandbox")
          )

        const create = traced("Sandbox.create")(function* <E = never>(
          ownerId: OwnerId,
          input: CreateSandbox,
          admit: (insert: Effect.Effect<void>) => Effect.Effect<void, E> = (insert) => insert
        ) {
          const { ocpiVersion: version, theirRole: role } = input
          const faults = yield* fitting(input.faults ?? [], version, role)
          const party: Party = {
            id: input.id ?? PartyId.make(yield* newId("sandbox")),
            ownerId,
            kind: "sandbox",
            role,
            version,
            identity: identities[role],
            registration: "none",
            counterpart: {
              role: role === "CPO" ? "EMSP" : "CPO",
              versionsUrl: "",
              endpoints: [],
              parties: null
            },
            dialect: dialectOf(faults),
            registeredAt: null,
            sandbox: {
              faults,
              seed: input.seed ?? 1,
              speed: input.speed ?? options.speed ?? defaultSpeed,
              activity: input.activity ?? "quiet",
              ...(input.isTarget === true ? { isTarget: true as const } : {})
            }
          }
          const before = input.id === undefined ? Option.none<Party>() : yield* sandboxOnly(input.id)
          const issued = Option.isNone(before) ? [] : yield* store.tokens(party.id)
          const tokenA = issued.find(isTokenA)?.value ?? (yield* issueToken)
          if (Option.isSome(before) && before.value.registration === "registered")
            return { party: before.value, tokenA }
          if (Option.isNone(before))
            yield* admit(store.insert(party, [{ slot: "issued", name: "tokenA", value: tokenA }]))
          const objects = seedObjects({
            role,
            profile: profileOf(version),
            identity: party.identity,
            seed: input.seed ?? 1,
            now: yield* Clock.currentTimeMillis
          })
          yield* Effect.forEach(objects, (object) => store.putObject(party.id, object), {
            concurrency: 4,
            discard: true
          })
          return { party, tokenA }
        })

        const remove = traced("Sandbox.remove")(function* (id: PartyId) {
          if (Option.isNone(yield* sandboxOnly(id))) return false
          yield* store.remove(id)
          return true
        })

        const setFaults = traced("Sandbox.setFaults")(function* (id: PartyId, ids: ReadonlyArray<string>) {
          const found = yield* sandboxOnly(id)
          if (Option.isNone(found)) return Option.none<Party>()
          const faults = yield* fitting(ids, found.value.version, found.value.role)
          return yield* store.update(id, (party) => ({
            ...party,
            dialect: { ...party.dialect, tokenEncoding: dialectOf(faults).tokenEncoding },
            sandbox: { ...(party.sandbox ?? { seed: 1, speed: defaultSpeed }), faults }
          }))
        })

        return Sandbox.of({
          create,
          remove,
          setFaults,
          versionsUrl: (id) => versionsUrl(rootUrl(options.publicUrl, { kind: "sandbox", partyId: id }))
        })
      })
    )
}

const isTokenA = ({ name, slot }: PartyToken) => slot === "issued" && name === "tokenA"

const defaultSpeed = 60

const identities: Readonly<Record<Role, Party["identity"]>> = {
  CPO: { countryCode: "NL", partyId: "SBX", name: "Sandbox Charging" },
  EMSP: { countryCode: "DE", partyId: "SBM", name: "Sandbox Mobility" }
}

/** The fault ids without duplicates, in their order. Fails on the first one that is unknown or does not apply. */
function fitting(
  ids: ReadonlyArray<string>,
  version: OcpiVersion,
  role: Role
): Effect.Effect<ReadonlyArray<string>, UnfitFault> {
  for (const id of ids) {
    const fault = faultsById.get(id)
    if (fault === undefined)
      return new UnfitFault({
        id,
        message: `There is no fault ${id}; GET /sandbox/faults lists them${meant(id, [...faultsById.keys()])}`
      })
    if (!fault.versions.includes(version) || !fault.roles.includes(role)) {
      return new UnfitFault({
        id,
        message: `The fault ${id} is for ${fault.roles.join(" or ")} in ${fault.versions.join(", ")}, not for ${role} in ${version}`
      })
    }
  }
  return Effect.succeed([...new Set(ids)])
}

/** The form in which the partner sends its token follows its version, unless one of the faults sets another form. */
function dialectOf(faults: ReadonlyArray<string>): Dialect {
  const outbound = faults.flatMap((id) => faultsById.get(id)?.outboundToken ?? [])[0] ?? "auto"
  return { ...defaultDialect, tokenEncoding: { inbound: "auto", outbound } }
}
