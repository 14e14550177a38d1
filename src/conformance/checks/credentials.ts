/** Credentials as they stand: read back, and compared with what was registered. */

import type { PartnerParty } from "../../../schema/Connection.ts"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { violations } from "../../findings/violations.ts"
import { dataOf, isObject, type Json, shown } from "../answers.ts"
import { type Check, either, type Finding, noneOf, undecided } from "../Check.ts"
import type { Answered, Evidence } from "../Evidence.ts"
import { at, notSuccess } from "./findings.ts"

export const credentialsChecks: ReadonlyArray<Check> = [
  {
    id: "CRED-039",
    title: "Gives its credentials back as registered",
    module: "credentials",
    versions: versionNumbers,
    roles: either,
    mode: "RO",
    strength: "must",
    reference: "credentials, GET Method; Credentials object",
    sends: "GET credentials with the current token",
    passes: "HTTP 200, status_code 1000, a valid object whose url and parties are those of the registration",
    needs: () => ["credentials"],
    judge: (evidence) => {
      const [seen] = evidence.answered("credentials")
      if (seen === undefined) return undecided("not_tested", "credentials were not read")
      const status = notSuccess(seen)
      if (status.length > 0) return noneOf(status)
      const data = dataOf(seen)
      const flaws = shapeFlaws(seen, data, evidence)
      return noneOf(flaws.length > 0 || !isObject(data) ? flaws : changed(seen, data, evidence))
    }
  }
]

function shapeFlaws(seen: Answered, data: unknown, { profile }: Evidence): ReadonlyArray<Finding> {
  const schema = profile.objects.Credentials
  if (schema === undefined)
    return isObject(data)
      ? []
      : [at(seen, "/data", "data is no object", { expected: "an object", actual: data })]
  return violations(schema, data).map((flaw) => {
    const pointer = `/data${flaw.pointer ?? ""}`
    const secret = pointer.startsWith("/data/token")
    return {
      // What stands in the place of a token may be one: it is not shown.
      ...at(seen, pointer, secret ? "token does not have the legal form" : flaw.message, {
        expected: flaw.expected ?? "a Credentials object",
        actual: undefined
      }),
      actual: secret ? "(not shown)" : (flaw.actual ?? "absent")
    }
  })
}

/** What differs from the registration. Another URL may be right (an alias), other parties are not. */
function changed(seen: Answered, data: Json, { party, profile }: Evidence): ReadonlyArray<Finding> {
  const { parties, versionsUrl } = party.counterpart
  const url =
    data["url"] === versionsUrl
      ? []
      : [
          at(seen, "/data/url", "url is not the versions URL that we registered with", {
            expected: versionsUrl,
            actual: data["url"],
            strength: "should"
          })
        ]
  if (parties === null || parties.length === 0) return url
  const listed = partiesOf(data, profile.credentialsRoles)
  const expected = parties.map((one) => nameOf(one, profile.credentialsRoles)).toSorted()
  const same = shown(listed) === shown(expected) && listed.length === expected.length
  return same
    ? url
    : [
        at(
          seen,
          profile.credentialsRoles ? "/data/roles" : "/data/party_id",
          "the parties are not those of the registration",
          {
            expected: expected.join(", "),
            actual: listed.join(", ")
          }
        ),
        ...url
      ]
}

function nameOf(one: Pick<PartnerParty, "role" | "countryCode" | "partyId">, withRole: boolean): string {
  const party = `${one.countryCode}-${one.partyId}`.toUpperCase()
  return withRole ? `${one.role} ${party}` : party
}

function partiesOf(data: Json, withRoles: boolean): ReadonlyArray<string> {
  const roles = withRoles ? data["roles"] : [data]
  return Array.isArray(roles)
    ? roles
        .filter(isObject)
        .map((one) =>
          nameOf(
            {
              role: String(one["role"]),
              countryCode: String(one["country_code"]),
              partyId: String(one["party_id"])
            },
            withRoles
          )
        )
        .toSorted()
    : []
}
