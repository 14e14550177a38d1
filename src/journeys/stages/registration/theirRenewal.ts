/** The stage in which the partner renews its credentials with us, and gets new ones of ours. */

import type { Role } from "../../../../schema/ocpi/Role.ts"
import { objectIn, objectsIn, sameId } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import type { JourneyStage } from "../../model/JourneyTemplate.ts"
import { jsonOf, type RunHistory } from "../../model/RunHistory.ts"
import { namesRole } from "./handedOver.ts"
import { admitted, awaitCredentials, comeWith } from "./partnerRegisters.ts"

const renewal = (history: RunHistory) => admitted(history, "PUT")

/** The parties of the renewed credentials, as `country/party`. */
function partiesIn(history: RunHistory): ReadonlyArray<string> {
  const body = objectIn(jsonOf(renewal(history)?.request))
  const holders = history.profile.credentialsRoles ? objectsIn(body["roles"]) : [body]
  return holders.map(({ country_code, party_id }) => `${inWords(country_code)}/${inWords(party_id)}`)
}

/** Stage `partner-renews`. `theirRole`: the role in which the partner is registered. */
export const partnerRenews = (theirRole: Role): JourneyStage => ({
  id: "partner-renews",
  name: "The partner renews the tokens",
  actor: "partner",
  module: "credentials",
  description:
    "The partner PUTs its credentials with a new token; we read its versions, and answer with a new token of ours.",
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
      begunByPerson: true,
      title: "The partner PUTs valid credentials",
      strength: "must",
      reference: "credentials, PUT Method",
      judge: (history) =>
        renewal(history) === undefined
          ? {
              message: "The partner sent no PUT credentials that we could accept",
              expected: "a valid PUT credentials",
              actual: "none that is valid"
            }
          : undefined
    },
    namesRole("partner-renews", theirRole, (history) => comeWith(history, "PUT")),
    {
      id: "partner-renews.same-party",
      title: "The renewed credentials name the party that registered",
      strength: "should",
      reference: "credentials, Credentials object",
      judge: (history) => {
        if (renewal(history) === undefined)
          return { notTested: "The partner has not renewed its credentials" }
        if (history.them === undefined) return { notTested: "The partner's first credentials named no party" }
        const known = `${history.them.countryCode}/${history.them.partyId}`
        const now = partiesIn(history)
        return now.some((party) => sameId(party, known))
          ? undefined
          : {
              message: "The renewed credentials name another party than before",
              expected: known,
              actual: now.join(", ")
            }
      }
    }
  ]
})
