/** Whose token a session or a CDR names. */
import type { VersionProfile } from "../../schema/ocpi/VersionProfile.ts"
import { type JsonObject, objectIn, textIn } from "./json.ts"

/**
 * `CC-PPP` of the EMSP whose token the object names: by its owner where the version tells it, else by its contract.
 * Undefined when neither tells.
 */
export const tokenOwner = (
  profile: Pick<VersionProfile, "contract" | "tokenReference" | "tokenReferenceOwner">,
  object: JsonObject
): string | undefined => {
  const token = profile.tokenReference === "cdr_token" ? objectIn(object["cdr_token"]) : object
  if (!profile.tokenReferenceOwner) return providerOf(textIn(token[profile.contract]))
  const owner = [textIn(token["country_code"]), textIn(token["party_id"])].join("-")
  return owner === "-" ? undefined : owner
}

/** `CC-PPP` of a contract id in the eMAID form; undefined when it has another form and so tells nothing. */
function providerOf(contract: string | undefined): string | undefined {
  const [, country, provider] =
    /^([a-z]{2})-?([a-z0-9]{3})-?C[a-z0-9]{8}(-?[a-z0-9])?$/i.exec(contract ?? "") ?? []
  return country === undefined ? undefined : `${country}-${provider}`
}
