/** The partner renews its credentials with us, and ours with it. */
import type { Role } from "../../../../schema/ocpi/Role.ts"
import { objectIn, objectsIn, sameId } from "../../../findings/json.ts"
import type { JourneyStage } from "../../model/JourneyTemplate.ts"
import { jsonOf, type RunHistory } from "../../model/RunHistory.ts"
import { admitted, awaitCredentials } from "./partnerRegisters.ts"

const renewal = (history: RunHistory) => admitted(history, "PUT")

/** Parties that the renewed credentials are for, as `country/party`. */
function partiesIn(history: RunHistory): ReadonlyArray<string> {
  const body = objectIn(jsonOf(renewal(history)?.request))
  const holders = history.profile.credentialsRoles ? objectsIn(body["roles"]) : [body]
  return holders.map(({ country_code, party_id }) => `${String(country_code)}/${String(party_id)}`)
}

/** `theirRole`: as what it is registered. */
export const partnerRenews = (theirRole: Role): JourneyStage => ({
  id: "partner-renews",
  name: "The partner renews the tokens",
  actor: "partner",
  module: "credentials",
  description:
    "The partner PUTs its credentials with a new token in them; we look at its versions while it waits, and answer with a new token of ours.",
  timeoutSeconds: 900,
  act: awaitCredentials(
    "PUT",
    theirRole,
    ({ profile }) =>
      `Renew the tokens with us: PUT your credentials with a new token to our credentials endpoint of OCPI ${profile.version}, with the token that you call us with now, and use the one in our answer from then on.`
  ),
  writes: false,
  idempotent: true,
  optionalForLater: false,
  expect: [
    {
      id: "partner-renews.came",
      title: "The partner renews with credentials that are valid",
      strength: "must",
      reference: "credentials, PUT Method",
      judge: (history) =>
        renewal(history) === undefined
          ? {
              message: "The partner has not renewed its credentials",
              expected: "PUT credentials that we can take",
              actual: "nothing that would do"
            }
          : undefined
    },
    {
      id: "partner-renews.same-party",
      title: "The renewed credentials are still for the party that registered",
      strength: "should",
      reference: "credentials, Credentials object",
      judge: (history) => {
        if (renewal(history) === undefined)
          return { notTested: "The partner has not renewed its credentials" }
        if (history.them === undefined) return { notTested: "It never said which party it is" }
        const known = `${history.them.countryCode}/${history.them.partyId}`
        const now = partiesIn(history)
        return now.some((party) => sameId(party, known))
          ? undefined
          : {
              message: "The credentials are for another party than before",
              expected: known,
              actual: now.join(", ")
            }
      }
    }
  ]
})
