/** A single way in which a stranger breaks a rule on purpose; without one it keeps them all. */
import type { StrangerVersion } from "./Freedoms.ts"
import type { Json } from "./objects/validity.ts"
import type { Asked, Call, Heard, Said } from "./wire.ts"

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

/** What a receiver is about to store. */
export interface Storing {
  readonly module: string
  readonly method: string
  readonly before: Json | undefined
}

/** What is bent; each part is asked about everything and leaves most of it alone. */
export interface Bend {
  /** Takes a request for another, before it is looked up where it belongs. */
  readonly arrives?: (asked: Asked) => Asked
  /** Lets a request in whatever its token is. */
  readonly admits?: (asked: Asked, where: Where) => boolean
  /** Does what a request that is not valid asks for, and answers that it has refused it. */
  readonly lets?: (asked: Asked, where: Where) => boolean
  /** Answers a request of a known caller at once, without doing what it asks for. */
  readonly instead?: (asked: Asked, where: Where) => Said | undefined
  /** How an object of its own looks, in lists, by its id and in pushes; `place`: its place in the list, from 0. */
  readonly shows?: (json: Json, name: string, place: number, now: number) => Json
  /** What is in a list of its own. */
  readonly lists?: (objects: ReadonlyArray<Json>, module: string, now: number) => ReadonlyArray<Json>
  /** What its receiver stores. */
  readonly keeps?: (json: Json, storing: Storing) => Json
  /** Reads another request than the one that came. */
  readonly reads?: (asked: Asked, where: Where) => Asked
  /** Says something else. */
  readonly says?: (said: Said, asked: Asked, where: Where) => Said
  /** Writes another envelope. */
  readonly wraps?: (envelope: Json) => Json
  /** Sends these one after another instead of any request of its own, and takes the last answer; or sends nothing and takes that. */
  readonly asks?: (call: Call) => ReadonlyArray<Call> | Heard
  /** Hears something else than was answered. */
  readonly hears?: (heard: Heard, call: Call) => Heard
  /** Sends a request once more after that answer. */
  readonly retries?: (heard: Heard, call: Call) => boolean
  /** Milliseconds after which it gives up a request of its own. */
  readonly patienceMillis?: number
  /** Goes on with its routine after the registration was ended. */
  readonly staysAfterDelete?: boolean
  /** Keeps the endpoints and the token that it had before PUT credentials. */
  readonly keepsOld?: { readonly token?: boolean; readonly endpoints?: boolean }
  /** Sends these instead of a push or a result. */
  readonly sends?: (call: Call, module: string) => ReadonlyArray<Call>
  /** Stands before the service, as a gateway does: answers by itself, or lets the request in with `proceed`. */
  readonly fronts?: (asked: Asked, gate: Gate) => Promise<Said>
  /** Changes every request that the stranger sends, those of a registration too. */
  readonly carries?: (call: Call) => Call
  /** By how much its clock is wrong. */
  readonly skewMillis?: number
}

/** What stands behind a gateway. */
export interface Gate {
  /** The service's answer to that request. */
  readonly proceed: (asked: Asked) => Promise<Said>
  /** Does the service know the token? */
  readonly isKnown: boolean
  /** Milliseconds since 1970, by the stranger's clock. */
  readonly now: () => number
  readonly sleep: (millis: number) => Promise<void>
}
