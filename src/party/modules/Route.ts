/** Routes: interface, method and path pattern of a module, and their handler. A party serves a table of them. */
import { Data, type Effect } from "effect"
import type { InterfaceRole, ModuleId, VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { RegistrationErrorKind } from "../../../schema/Preflight.ts"
import type { OcpiClient } from "../../ocpi/OcpiClient.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { AcceptedToken, PartyStore, PartyVersions } from "../../store/parties/PartyStore.ts"
import type { PartnerCalls } from "../outbound/PartnerCalls.ts"
import type { ChargingSimulation } from "../simulation/ChargingSimulation.ts"
import type { PartnerQuirks } from "../wire/PartnerQuirks.ts"
import type { OcpiRequest } from "../wire/Request.ts"

/** An authenticated request with its route's parameters. */
export interface ModuleCall {
  readonly party: Party
  readonly profile: VersionProfile
  /** The token of the request. */
  readonly token: AcceptedToken
  /** Present: the caller was read from memory, at these versions of party and tokens; no statement has confirmed them yet. */
  readonly asOf?: PartyVersions | undefined
  readonly request: OcpiRequest
  /** Path segments by the names of the pattern. */
  readonly params: Readonly<Record<string, string>>
  /** The parsed body; undefined when there was none. */
  readonly json: unknown
  /** Root URL of the party, without trailing slash. */
  readonly root: string
  /** Id under which the exchange will be recorded. */
  readonly exchangeId: string
  readonly correlationId: string
}

/** The content of the envelope, the HTTP status and headers. */
export interface ModuleAnswer {
  readonly httpStatus: number
  readonly statusCode: number
  readonly message?: string
  readonly data?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /**
   * For a refusal whose cause is not the partner's protocol: the kind of error that the connection's owner sees. Not
   * sent.
   */
  readonly kind?: RegistrationErrorKind
}

/** Ends a handler early with a refusal. */
export class Refusal extends Data.TaggedError("Refusal")<{ readonly answer: ModuleAnswer }> {}

/** Another request changed the object between our read and our write: the request is handled again. */
export class Overtaken extends Data.TaggedError("Overtaken")<{ readonly key: string }> {}

/** The party or its tokens changed after this process last read them: the request is authenticated and handled again. */
export class CallerChanged extends Data.TaggedError("CallerChanged") {}

/** The services of handlers. */
export type ModuleServices = PartnerQuirks | PartyStore | OcpiClient | PartnerCalls | ChargingSimulation

/** A request that a party can serve. */
export interface Route {
  readonly module: ModuleId
  /** Undefined: the module has no interfaces (credentials). */
  readonly interfaceRole?: InterfaceRole
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Path segments after the module: a name in braces matches any segment. */
  readonly pattern: ReadonlyArray<string>
  /** The exchange's operation: `PUT session`. Braces are filled from the path. */
  readonly operation: string
  /** The versions with this route; absent: all that have the module. */
  readonly offered?: (profile: VersionProfile) => boolean
  /**
   * The handler's first write, or a reading before it, fails with `CallerChanged` if the party is not as of `asOf`, so that no query
   * has to check it before.
   */
  readonly confirmsCaller?: true
  readonly handle: (
    call: ModuleCall
  ) => Effect.Effect<ModuleAnswer, Refusal | Overtaken | CallerChanged, ModuleServices>
}

/** HTTP 200 with status code 1000. */
export const success = (data?: unknown, headers?: Readonly<Record<string, string>>): ModuleAnswer => ({
  httpStatus: 200,
  statusCode: 1000,
  ...(data === undefined ? {} : { data }),
  ...(headers === undefined ? {} : { headers })
})

/** HTTP 201 for a new object, 200 for a replaced one; without data. */
export const stored = (
  { created }: { readonly created: boolean },
  headers?: Readonly<Record<string, string>>
): ModuleAnswer => ({
  ...success(undefined, headers),
  httpStatus: created ? 201 : 200
})

/**
 * A refusal. HTTP 200 unless another status is given, because in OCPI invalid content at an existing resource is no HTTP
 * error (transport_and_format, Response format).
 */
export const refusal = (statusCode: number, message: string, httpStatus = 200): Refusal =>
  new Refusal({ answer: { httpStatus, statusCode, message } })

/** A refusal with HTTP 405: the method is not allowed in the present state; `allow` lists those that are. */
export const notAllowed = (statusCode: number, message: string, allow: string): Refusal =>
  new Refusal({ answer: { httpStatus: 405, statusCode, message, headers: { Allow: allow } } })

/** A refusal with HTTP 404. */
export const notFound = (statusCode: number, message: string): Refusal => refusal(statusCode, message, 404)

/** The values of the names in braces; undefined when the segments do not match the pattern. */
export const matchPattern = (
  pattern: ReadonlyArray<string>,
  segments: ReadonlyArray<string>
): Readonly<Record<string, string>> | undefined => {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (let index = 0; index < pattern.length; index++) {
    const [part, segment] = [pattern[index]!, segments[index]!]
    if (part.startsWith("{")) params[part.slice(1, -1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}
