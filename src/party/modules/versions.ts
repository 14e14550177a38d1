/** Version information (version_information_endpoint): the list, and the endpoints of one version. */
import type { Role } from "../../../schema/ocpi/Role.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import type { Party } from "../../store/parties/PartyStore.ts"
import { detailsUrl, moduleUrl } from "../wire/roots.ts"
import type { ModuleAnswer } from "./Route.ts"
import { success } from "./Route.ts"
import { interfacesOf } from "./routes.ts"

/**
 * All that we speak, except to a partner that has yet to register: it is to pick the highest version in common, and that
 * shall be the one that the connection was made for. Once registered it may go over to another one.
 */
export const versionList = (root: string, party: Party | undefined): ModuleAnswer =>
  success(
    (party?.registration === "none" ? [party.version] : versionNumbers).map((version) => ({
      version,
      url: detailsUrl(root, version)
    }))
  )

/** The endpoints of the party's role, or of both roles when nobody says who asks; undefined for an unknown version. */
export const versionDetails = (
  root: string,
  version: string,
  party: Party | undefined
): ModuleAnswer | undefined => {
  const known = versionNumbers.find((one) => one === version)
  if (known === undefined) return undefined
  const profile = profileOf(known)
  const roles: ReadonlyArray<Role> = party === undefined ? ["CPO", "EMSP"] : [party.role]
  const endpoints = roles.flatMap((role) =>
    interfacesOf(profile, role).map(([module, interfaceRole]) => ({
      identifier: module,
      ...(profile.endpointRoles ? { role: interfaceRole } : {}),
      url: moduleUrl(root, known, module)
    }))
  )
  const distinct = new Map(endpoints.map((endpoint) => [JSON.stringify(endpoint), endpoint]))
  return success({ version: known, endpoints: [...distinct.values()] })
}
