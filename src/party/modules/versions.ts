/** Version information (version_information_endpoint): the list, and the endpoints of one version. */
import type { Role } from "../../../schema/ocpi/Role.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import type { Party } from "../../store/parties/Party.ts"
import { detailsUrl, moduleUrl } from "../wire/roots.ts"
import type { ModuleAnswer } from "./Route.ts"
import { success } from "./Route.ts"
import { interfacesOf } from "./routes.ts"

/**
 * The versions list: all that we support; but to a partner that has yet to register only its connection's version,
 * because it must pick the highest version in common. Once registered it may change to another one.
 */
export const versionList = (root: string, party: Party | undefined): ModuleAnswer =>
  success(
    (party?.registration === "none" ? [party.version] : versionNumbers).map((version) => ({
      version,
      url: detailsUrl(root, version)
    }))
  )

/**
 * The version details: the endpoints of the party's role, or of both roles for an anonymous caller; undefined for an
 * unknown version.
 */
export const versionDetails = (
  root: string,
  version: string,
  party: Party | undefined
): ModuleAnswer | undefined => {
  const known = versionNumbers.find((one) => one === version)
  if (known === undefined) return undefined
  const profile = profileOf(known)
  const roles: ReadonlyArray<Role> = party === undefined ? ["CPO", "EMSP"] : [party.role]
  // A hub tells of its clients and is told of none.
  const isServed = ([module]: readonly [string, unknown]) =>
    party?.hub === undefined || module !== "hubclientinfo"
  const endpoints = roles.flatMap((role) =>
    interfacesOf(profile, role)
      .filter(isServed)
      .map(([module, interfaceRole]) => ({
        identifier: module,
        ...(profile.endpointRoles ? { role: interfaceRole } : {}),
        url: moduleUrl(root, known, module)
      }))
  )
  const distinct = new Map(endpoints.map((endpoint) => [JSON.stringify(endpoint), endpoint]))
  return success({ version: known, endpoints: [...distinct.values()] })
}
