/** What a partner's credentials say beside their shape: the role that it has, and a token that is new. */
import type { Exchange } from "../../../../schema/Exchange.ts"
import type { Role } from "../../../../schema/ocpi/Role.ts"
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { type JsonObject, keyText, objectsIn } from "../../../findings/json.ts"
import { withArticle } from "../../../findings/words.ts"
import type { Rule, Ruling } from "../../model/JourneyTemplate.ts"
import type { RunHistory } from "../../model/RunHistory.ts"

/** A platform that passes messages on has the roles of those behind it, and names but its own. */
const hub = "HUB"

/** Rule `<stage>.role`. `handed`: the credentials, and where they are in their message; undefined: there are none. */
export const namesRole = (
  stageId: string,
  theirRole: Role,
  handed: (
    history: RunHistory
  ) => { readonly profile: VersionProfile; readonly credentials: JsonObject; readonly at: string } | undefined
): Rule => ({
  id: `${stageId}.role`,
  title: "The partner's credentials name the role that it has in this connection",
  strength: "must",
  reference: "credentials, Credentials object",
  judge: (history): Ruling => {
    const found = handed(history)
    if (found === undefined) return { notTested: "The partner handed over no credentials" }
    if (!found.profile.credentialsRoles) return { notApplicable: "Credentials of this version name no role" }
    const roles = objectsIn(found.credentials["roles"]).map(({ role }) => keyText(role))
    if (roles.length === 0) return { notTested: "The credentials name no role" }
    return roles.some((role) => role === theirRole || role === hub)
      ? undefined
      : {
          message: `The credentials do not name the role ${theirRole}`,
          pointer: `${found.at}/roles`,
          expected: `a role ${theirRole}`,
          actual: [...new Set(roles)].join(", "),
          hint: `List the party that is ${withArticle(theirRole)} in roles, with the role ${theirRole}. If your platform has no such party, the connection is set up for the wrong role.`
        }
  }
})

/** The token in that text, as it is kept: a placeholder, which is the same for the same token. */
const keptToken = /«token[A-C]:[0-9a-f]+»/

/** Did the partner answer with the token that our request carried? */
export const isSameToken = ({ request, response }: Exchange): boolean => {
  const [answered] = keptToken.exec(response?.body ?? "") ?? []
  return answered !== undefined && (request.headers["authorization"] ?? "").includes(answered)
}
