/** A single way in which a stranger breaks a rule on purpose; without one it keeps them all. */
import type { StrangerVersion } from "./Freedoms.ts"
import type { Json } from "./validity.ts"
import type { Asked, Call, Said } from "./wire.ts"

/** Where a request arrived. */
export interface Where {
  /** `versions`, `credentials` or a module. */
  readonly module: string
  readonly version: StrangerVersion
  /** The decoded segments below the endpoint. */
  readonly below: ReadonlyArray<string>
  /** Is it an endpoint of a list of its own? */
  readonly isSender: boolean
}

/** What is bent; each part is asked about everything and leaves most of it alone. */
export interface Bend {
  /** Lets a request in whatever its token is. */
  readonly admits?: (asked: Asked, where: Where) => boolean
  /** Reads another request than the one that came. */
  readonly reads?: (asked: Asked, where: Where) => Asked
  /** Says something else. */
  readonly says?: (said: Said, asked: Asked, where: Where) => Said
  /** Writes another envelope. */
  readonly wraps?: (envelope: Json) => Json
  /** Sends these instead. */
  readonly sends?: (call: Call, module: string) => ReadonlyArray<Call>
}
