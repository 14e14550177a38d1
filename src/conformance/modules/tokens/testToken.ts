/** Tokens of ours for a CPO that is tested. */

import type { JsonObject } from "../../../findings/json.ts"
import { keyText } from "../../../findings/json.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { ProbeRequest } from "../../model/Probe.ts"
import {
  cleanUpOf,
  type Make,
  type OwnedObjects,
  objectRequest,
  stamp,
  without
} from "../shared/receivers/receiverSteps.ts"

/** A token cannot be deleted: the clean-up sets `valid` to false. */
export const ourTokens: OwnedObjects = {
  module: "tokens",
  nouns: ["token"],
  idField: "uid",
  // The receiver's Default is RFID (mod_tokens, Receiver Interface, Request Parameters).
  query: ({ type }, { tokenTypeInUrl }) =>
    tokenTypeInUrl && typeof type === "string" && type !== "RFID" ? { type } : undefined,
  cleanUp: (token, evidence) => ({
    method: "PUT",
    body: { ...token, valid: false, last_updated: stamp(evidence, 3) }
  })
}

/** The PUT of a token, and its clean-up. */
export const putToken = (
  evidence: Evidence,
  token: JsonObject
): { readonly send: ProbeRequest; readonly undo?: ProbeRequest } => {
  const undo = cleanUpOf(ourTokens, evidence, token)
  return {
    send: objectRequest(ourTokens, evidence, token, { method: "PUT", body: token }),
    ...(undo === undefined ? {} : { undo })
  }
}

/** A token of ours, with every field filled in. `name`: the end of its uid, in lower case. */
export const testToken = (evidence: Evidence, name: string, change: JsonObject = {}): JsonObject => {
  const { identity } = evidence.party
  const { contract, ownerFields } = evidence.profile
  return {
    ...(ownerFields ? { country_code: identity.countryCode, party_id: identity.partyId } : {}),
    uid: `${evidence.mark}-${name}`,
    type: "RFID",
    [contract]: contractOf(evidence, 1),
    visual_number: `${evidence.mark} 1`,
    issuer: identity.name,
    valid: true,
    whitelist: "ALLOWED",
    language: "en",
    last_updated: stamp(evidence, 0),
    ...change
  }
}

const contractOf = ({ mark, party: { identity } }: Evidence, number: number) =>
  `${identity.countryCode}-${identity.partyId}-C${mark.slice(-6)}${number}`

/** The test token of this name, with changed fields. */
export const token =
  (name: string, change: Make = () => ({})): Make =>
  (evidence) =>
    testToken(evidence, name, change(evidence))

/** Optional fields that the test tokens have. */
export const optionalFields: ReadonlyArray<string> = ["visual_number", "language"]
/** The token `rfid` without its optional fields, two seconds later. */
export const lean: Make = (evidence) =>
  without(...optionalFields)(testToken(evidence, "rfid", { last_updated: stamp(evidence, 2) }))

/** The body of a PATCH that sets `valid` to false. */
export const invalidated: Make = (evidence) => ({ valid: false, last_updated: stamp(evidence, 1) })

/** A token of another type with the uid of the RFID token `types`. */
export const appToken = token("types", (evidence) => ({
  type: evidence.profile.appToken,
  [evidence.profile.contract]: contractOf(evidence, 2),
  whitelist: "NEVER"
}))

/** A token whose uid and texts have their maximum length. */
export const longest: Make = (evidence) => {
  const text = `${evidence.mark} ${"0123456789".repeat(6)}`.slice(0, 64).padEnd(64, "x")
  const whole = testToken(evidence, "long")
  return { ...whole, uid: keyText(whole["uid"]).padEnd(36, "0"), visual_number: text, issuer: text }
}
