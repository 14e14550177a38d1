/** What is wrong with who a Credentials object says that it is. */

import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { dataOf } from "../../../findings/answers.ts"
import { type AnswerRule, refused } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, finding, unless } from "../../../findings/finding.ts"
import { isObject, type JsonObject } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import type { Answered, Observation } from "../../model/Evidence.ts"

/** HTTP 405; another refusal breaks no more than a `should`, as it changes no registration. */
export const notAllowed: AnswerRule = refused("HTTP 405", ({ response }) => response.httpStatus === 405)

/** Calls of the partner to the versions URL of a request that it had to refuse unread. */
export const calledFor = (calls: ReadonlyArray<Observation>): ReadonlyArray<Finding> =>
  calls.map((seen) =>
    finding(seen, "it called the versions URL of a POST or PUT credentials without a valid token", {
      expected: "no call: the request is refused before its body is read",
      actual: `GET of our ${seen.exchange.operation === "list" ? "versions" : "details"}`
    })
  )

const inCatalogue = (country: unknown, party: unknown) =>
  typeof country === "string" &&
  /^[A-Za-z]{2}$/.test(country) &&
  typeof party === "string" &&
  party.length >= 1 &&
  party.length <= 3

/** What one party in the returned object lacks. */
export function partyFlaws(seen: Answered, party: JsonObject, pointer: string): ReadonlyArray<Finding> {
  const { business_details, country_code, party_id } = party
  const name = isObject(business_details) ? business_details["name"] : undefined
  return [
    ...unless(inCatalogue(country_code, party_id), () =>
      at(seen, pointer, "country_code and party_id are not two letters and at most three characters", {
        expected: "country_code of 2 letters, party_id of 1 to 3 characters",
        actual: { country_code, party_id }
      })
    ),
    ...unless(typeof name === "string" && name !== "", () =>
      at(seen, `${pointer}/business_details/name`, "business_details has no name", {
        expected: "a name",
        actual: name
      })
    )
  ]
}

/** Role enum of the versions whose enumerations are closed (types, Role enum). */
const closedRoles: ReadonlyArray<unknown> = ["CPO", "EMSP", "HUB", "NAP", "NSP", "OTHER", "SCSP"]

/** What the roles of the returned object lack. */
export const roleFlaws = (
  seen: Answered,
  { openEnums }: Pick<VersionProfile, "openEnums">
): ReadonlyArray<Finding> => {
  const data = dataOf(seen)
  const roles = isObject(data) ? data["roles"] : undefined
  if (!Array.isArray(roles) || roles.length === 0)
    return [at(seen, "/data/roles", "there are no roles", { expected: "a non-empty array", actual: roles })]
  return roles.flatMap((role: unknown, index) => {
    const pointer = `/data/roles/${index}`
    if (!isObject(role))
      return [at(seen, pointer, "the role is no object", { expected: "an object", actual: role })]
    const known = openEnums
      ? typeof role["role"] === "string" && /^[A-Z]{2,10}$/.test(role["role"])
      : closedRoles.includes(role["role"])
    return [
      ...unless(known, () =>
        at(seen, `${pointer}/role`, "role is not the name of a role", {
          expected: "a Role",
          actual: role["role"]
        })
      ),
      ...partyFlaws(seen, role, pointer)
    ]
  })
}

/** Role and party, the same for the same ones in either case. */
export const nameOfRole = (role: JsonObject) =>
  [role["role"], role["country_code"], role["party_id"]].map(inWords).join(" ").toUpperCase()
