/** All routes that a party can serve, and those of a role. */
import { Array } from "effect"
import type { Role } from "../../../schema/ocpi/Role.ts"
import type { InterfaceRole, ModuleId, VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { cdrRoutes } from "./cdrs.ts"
import { chargingProfileRoutes } from "./commands/chargingProfiles.ts"
import { commandRoutes } from "./commands/commands.ts"
import { credentialsRoutes } from "./credentials.ts"
import { hubClientInfoRoutes } from "./hubClientInfo.ts"
import { locationRoutes } from "./locations.ts"
import { paymentRoutes } from "./payments.ts"
import type { Route } from "./Route.ts"
import { sessionRoutes } from "./sessions.ts"
import { tariffRoutes } from "./tariffs.ts"
import { tokenRoutes } from "./tokens.ts"

const routes: ReadonlyArray<Route> = [
  ...credentialsRoutes,
  ...locationRoutes,
  ...sessionRoutes,
  ...cdrRoutes,
  ...tariffRoutes,
  ...tokenRoutes,
  ...commandRoutes,
  ...chargingProfileRoutes,
  ...hubClientInfoRoutes,
  ...paymentRoutes
]

/** The interfaces that a party of the role offers in that version, of those with routes. */
export const interfacesOf = (
  profile: VersionProfile,
  role: Role
): ReadonlyArray<readonly [ModuleId, InterfaceRole]> =>
  profile.interfaces[role].filter(([module, interfaceRole]) =>
    routes.some((route) => belongs(route, module, interfaceRole))
  )

/** The routes of one module that a party of the role serves. */
export const routesOf = (profile: VersionProfile, role: Role, module: string): ReadonlyArray<Route> => {
  const known = byModule.get(profile)?.[role] ?? routesByModule(profile, role)
  byModule.set(profile, { ...byModule.get(profile), [role]: known })
  return known.get(module) ?? []
}

const byModule = new Map<
  VersionProfile,
  { readonly [R in Role]?: ReadonlyMap<string, ReadonlyArray<Route>> }
>()

function routesByModule(profile: VersionProfile, role: Role): ReadonlyMap<string, ReadonlyArray<Route>> {
  const offered = interfacesOf(profile, role)
  const served = routes.filter(
    (route) =>
      route.offered?.(profile) !== false &&
      offered.some(([id, interfaceRole]) => belongs(route, id, interfaceRole))
  )
  return new Map(Object.entries(Array.groupBy(served, ({ module }) => module)))
}

const belongs = (route: Route, module: ModuleId, interfaceRole: InterfaceRole) =>
  route.module === module && (route.interfaceRole === undefined || route.interfaceRole === interfaceRole)
