/** Endpoints that a partner lists in its version details, by module and interface. */
import type { Endpoint } from "../../../schema/Connection.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import type { Party } from "../../store/parties/Party.ts"

type InterfaceRole = Endpoint["role"] & string

/** Does the role of an endpoint tell two interfaces apart? Not in 2.1.1, and of credentials never (version_information_endpoint). */
const hasInterface = (version: Party["version"], module: string): boolean =>
  profileOf(version).endpointRoles && module !== "credentials"

/** The endpoint of that interface; one without a role serves both. Undefined: the partner lists none. */
export const endpointOf = (
  { counterpart, version }: Pick<Party, "counterpart" | "version">,
  module: string,
  interfaceRole: InterfaceRole
): Endpoint | undefined =>
  counterpart.endpoints.find(
    ({ identifier, role }) =>
      identifier === module && (!hasInterface(version, module) || role === null || role === interfaceRole)
  )

/** How a text names it: with its role where the version has roles. */
export const endpointNamed = (
  version: Party["version"],
  module: string,
  interfaceRole: InterfaceRole
): string =>
  hasInterface(version, module) ? `${module} endpoint with role ${interfaceRole}` : `${module} endpoint`
