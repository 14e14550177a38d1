/** A module of a party: interface, method and path pattern, and what happens there. Serving is a table of these. */
import { Data, type Effect } from "effect"
import type { InterfaceRole, ModuleId, VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { RegistrationErrorKind } from "../../../schema/Preflight.ts"
import type { OcpiClient } from "../../ocpi/OcpiClient.ts"
import type { AcceptedToken, Party, PartyStore } from "../../store/parties/PartyStore.ts"
import type { PartnerCalls } from "../outbound/PartnerCalls.ts"
import type { ChargingSimulation } from "../simulation/ChargingSimulation.ts"
import type { PartnerQuirks } from "../wire/PartnerQuirks.ts"
import type { OcpiRequest } from "../wire/Request.ts"

/** An authenticated request that has found its route. */
export interface ModuleCall {
  readonly party: Party
  readonly profile: VersionProfile
  /** The token that it came with. */
  readonly token: AcceptedToken
  readonly request: OcpiRequest
  /** Path segments by the names of the pattern. */
  readonly params: Readonly<Record<string, string>>
  /** The parsed body; undefined when there was none. */
  readonly json: unknown
  /** Root URL of the party, without trailing slash. */
  readonly root: string
  /** Id of the exchange that will be recorded for it. */
  readonly exchangeId: string
  readonly correlationId: string
}

/** What goes into the envelope, and what stands round it. */
export interface ModuleAnswer {
  readonly httpStatus: number
  readonly statusCode: number
  readonly message?: string
  readonly data?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Of a refusal, for our owner: what it comes of, where that is not the partner's protocol. Not sent. */
  readonly kind?: RegistrationErrorKind
}

/** An answer that is a refusal; fails a handler early. */
export class Refusal extends Data.TaggedError("Refusal")<{ readonly answer: ModuleAnswer }> {}

/** What was read and changed has been changed by somebody else meanwhile: the request is handled anew. */
export class Overtaken extends Data.TaggedError("Overtaken")<{ readonly key: string }> {}

/** What handlers work with. */
export type ModuleServices = PartnerQuirks | PartyStore | OcpiClient | PartnerCalls | ChargingSimulation

export interface Route {
  readonly module: ModuleId
  /** Undefined: the module has no interfaces (credentials). */
  readonly interfaceRole?: InterfaceRole
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Segments after the module: a name in braces matches any one segment. */
  readonly pattern: ReadonlyArray<string>
  /** The exchange's operation: `PUT session`. Braces are filled from the path. */
  readonly operation: string
  /** In which versions there is such a route; absent: in all that have the module. */
  readonly offered?: (profile: VersionProfile) => boolean
  readonly handle: (call: ModuleCall) => Effect.Effect<ModuleAnswer, Refusal | Overtaken, ModuleServices>
}

/** 200 and success. */
export const success = (data?: unknown, headers?: Readonly<Record<string, string>>): ModuleAnswer => ({
  httpStatus: 200,
  statusCode: 1000,
  ...(data === undefined ? {} : { data }),
  ...(headers === undefined ? {} : { headers })
})

/** 201 for a new object, 200 for a replaced one; no data. */
export const stored = (created: boolean, headers?: Readonly<Record<string, string>>): ModuleAnswer => ({
  ...success(undefined, headers),
  httpStatus: created ? 201 : 200
})

/** Wrong content at an existing resource is no HTTP error: 200, unless said otherwise. */
export const refusal = (statusCode: number, message: string, httpStatus = 200): Refusal =>
  new Refusal({ answer: { httpStatus, statusCode, message } })

export const notFound = (statusCode: number, message: string): Refusal => refusal(statusCode, message, 404)

/** The values of the pattern's braces, or undefined when the segments do not match it. */
export const matchPattern = (
  pattern: ReadonlyArray<string>,
  segments: ReadonlyArray<string>
): Readonly<Record<string, string>> | undefined => {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index]!
    if (part.startsWith("{")) params[part.slice(1, -1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}
