/** The requests of a receiver script: PUT, POST, PATCH, GET and DELETE of an object of ours at the partner, and its clean-up. */

import { dateTimeOf } from "../../../../../schema/ocpi/DateTime.ts"
import type { VersionProfile } from "../../../../../schema/ocpi/VersionProfile.ts"
import type { JsonObject } from "../../../../findings/json.ts"
import { keyText } from "../../../../findings/json.ts"
import type { Answered, Evidence, NotGathered } from "../../../model/Evidence.ts"
import type { ProbeRequest, ProbeStep } from "../../../model/Probe.ts"
import type { LostFields } from "./lostFields.ts"

/** Makes an object, or a change of one, from the fixed points of a run. */
export type Make = (evidence: Evidence) => JsonObject

/** The evidence of a run, as one of its scripts sees it. */
export interface ScriptEvidence extends Evidence {
  /** The answer to a step of the script; undefined when it was left out or not answered. */
  readonly answerTo: (step: ScriptStep) => Answered | undefined
  /**
   * Must this GET return an object? It must when the receiver has returned another one to a GET of this run, and the script has
   * had a PUT accepted at the URL.
   */
  readonly mustReturn: (read: Answered) => boolean
  /** Was a PUT of the script at the URL of this GET answered with HTTP 202, so that it may be stored later? */
  readonly isQueued: (read: Answered) => boolean
  /** What the receiver does not return as it was sent of a plain object; undefined: nothing, or the rule is the one that reports it. */
  readonly lost?: LostFields
}

type IsIn = (profile: VersionProfile) => boolean

/** One request of a script. */
export interface ScriptStep {
  /** Unique in its script. It stands in ledgers, so it never changes. */
  readonly id: string
  /** Absent: a method that the version does not have there. */
  readonly method?: NonNullable<ProbeRequest["method"]>
  /** The object that it writes, or expects to read. */
  readonly json: Make
  /** The part of an object that it is, as a JSON Pointer: `/evses/*`; absent: a whole object. */
  readonly part?: string
  /** What to send; undefined leaves the step out, and a reason ends the script. */
  readonly act: (evidence: ScriptEvidence) => ReturnType<ProbeStep["act"]>
  /** Writes a valid object whole. Where it only prepares, the rules after it require that it is accepted. */
  readonly isPlain?: true
  /** The versions in which the step is sent; absent: all. */
  readonly isIn?: IsIn
}

interface CleanUp {
  readonly method: NonNullable<ProbeRequest["method"]>
  readonly body?: JsonObject
}

/** Objects of ours that a partner keeps: their addresses at its Receiver Interface, and how they are cleaned up. */
export interface OwnedObjects {
  /** OCPI module. */
  readonly module: string
  /** The names of the object, of its parts and of theirs: `location`, `evse`, `connector`. */
  readonly nouns: ReadonlyArray<string>
  /** Field with the id that ends the address; absent: `id`. */
  readonly idField?: string
  /** Query of the address of an object; absent: none. */
  readonly query?: (object: JsonObject, profile: VersionProfile) => ProbeRequest["query"]
  /** Why none of them can be sent to this partner; undefined: they can. */
  readonly lacking?: (evidence: Evidence) => NotGathered | undefined
  /** The request to the object's address after which it does no harm; undefined: the version has none. */
  readonly cleanUp: (object: JsonObject, evidence: Evidence) => CleanUp | undefined
}

/** A part of an object that has a URL below the object's. */
export interface ObjectPart {
  readonly of: Make
  readonly below: (evidence: Evidence) => ReadonlyArray<string>
  /** Where such parts are in the object, as a JSON Pointer with `*` for any element: `/evses/*`. */
  readonly part: string
  readonly json: Make
}

interface Options {
  /** Sent instead of the object. */
  readonly body?: Make
  /** Changes the object before it is sent. The clean-up is about the object as it was. */
  readonly change?: (object: JsonObject, evidence: Evidence) => JsonObject
  /** What is wrong with the request on purpose; its clean-up is as it should be. */
  readonly wrongOnPurpose?: ProbeRequest["wrongOnPurpose"]
  /** What tells a request that is valid in itself from others: `of an unknown tariff`. */
  readonly about?: string
  /** Laid over the request. */
  readonly more?: (
    evidence: Evidence
  ) => Pick<ProbeRequest, "headers" | "path" | "query" | "rawBody" | "wrongOnPurpose">
  /** Default: only a PUT or POST of a whole object is cleaned up. */
  readonly isCleanedUp?: boolean
  /** The step whose clean-up this one makes unnecessary. */
  readonly undoes?: ScriptStep
  readonly isIn?: IsIn
}

/** What a request about an object of ours has beside its address. */
interface ObjectRequest extends Partial<ProbeRequest> {
  readonly method: NonNullable<ProbeRequest["method"]>
  /** Segments of the path below the object. */
  readonly below?: ReadonlyArray<string>
}

/** A request about an object of ours, or with `below` about a part of it. */
export const objectRequest = (
  { idField = "id", module, nouns, query: queryOf }: OwnedObjects,
  evidence: Evidence,
  object: JsonObject,
  { below = [], method, ...more }: ObjectRequest
): ProbeRequest => {
  const { countryCode, partyId } = evidence.party.identity
  const query = queryOf?.(object, evidence.profile)
  return {
    module,
    interfaceRole: "RECEIVER",
    operation: `${method} ${nouns[below.length] ?? nouns[0]}`,
    method,
    // For a POST the partner chooses the object's URL.
    ...(method === "POST" ? {} : { path: [countryCode, partyId, keyText(object[idField]), ...below] }),
    ...(query === undefined ? {} : { query }),
    ...more
  }
}

/** The request that cleans up after a write of the object; undefined if there is none. */
export const cleanUpOf = (
  objects: OwnedObjects,
  evidence: Evidence,
  object: JsonObject,
  more: Partial<ProbeRequest> = {}
): ProbeRequest | undefined => {
  const request = objects.cleanUp(object, evidence)
  return request && objectRequest(objects, evidence, object, { ...request, ...more })
}

/** Makes the steps of scripts about such objects: PUT and POST of the object, PATCH with a body, GET and DELETE of its address. */
export const objectSteps = (objectsOf: (evidence: Evidence) => OwnedObjects) => {
  const step =
    (method: NonNullable<ProbeRequest["method"]>) =>
    (
      id: string,
      about: Make | ObjectPart,
      { about: named, body, change, isCleanedUp, isIn, more, undoes, wrongOnPurpose }: Options = {}
    ): ScriptStep => {
      const part = typeof about === "function" ? { of: about, json: about } : about
      const writesWhole = (method === "PUT" || method === "POST") && !("below" in part)
      const sent = body ?? (method === "PUT" || method === "POST" ? changed(part.json, change) : undefined)
      return {
        id,
        method,
        json: part.json,
        ...("part" in part ? { part: part.part } : {}),
        ...(isIn === undefined ? {} : { isIn }),
        ...(writesWhole && body === undefined && change === undefined ? { isPlain: true as const } : {}),
        act: (evidence) => {
          const objects = objectsOf(evidence)
          const lacking = objects.lacking?.(evidence)
          if (lacking !== undefined) return lacking
          const whole = part.of(evidence)
          const added = more?.(evidence) ?? {}
          const { query } = added
          const undo =
            (isCleanedUp ?? writesWhole)
              ? cleanUpOf(objects, evidence, whole, query === undefined ? {} : { query })
              : undefined
          return {
            send: objectRequest(objects, evidence, whole, {
              method,
              ...(named === undefined ? {} : { about: named }),
              ...(wrongOnPurpose === undefined ? {} : { about: Object.values(wrongOnPurpose).join(", ") }),
              ...("below" in part ? { below: part.below(evidence) } : {}),
              ...(sent === undefined || added.rawBody !== undefined ? {} : { body: sent(evidence) }),
              ...added,
              ...(wrongOnPurpose === undefined ? {} : { wrongOnPurpose })
            }),
            ...(undo === undefined ? {} : { undo }),
            ...(undoes === undefined ? {} : { undoes: undoes.id })
          }
        }
      }
    }
  return {
    del: step("DELETE"),
    get: step("GET"),
    post: step("POST"),
    put: step("PUT"),
    patch: (id: string, about: Make | ObjectPart, body: Make, options: Options = {}) =>
      step("PATCH")(id, about, { ...options, body })
  }
}

const changed =
  (object: Make, change: Options["change"]): Make =>
  (evidence) =>
    change === undefined ? object(evidence) : change(object(evidence), evidence)

/** `seconds` after the start of the run, as `last_updated`. */
export const stamp = (evidence: Evidence, seconds: number): string =>
  dateTimeOf(Date.parse(evidence.startedAt) + seconds * 1000)

/** Removes fields. */
export const without =
  (...names: ReadonlyArray<string>) =>
  (json: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)))
