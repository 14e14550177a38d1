/** What our party serves: the routes of each module that a role offers in a version. */
import { Array } from "effect"
import type { Role } from "../../schema/ocpi/Role.ts"
import type { VersionProfile } from "../../schema/ocpi/VersionProfile.ts"
import type { Route } from "../../src/party/modules/Route.ts"
import { routesOf } from "../../src/party/modules/routes.ts"
import { codes } from "./markdown.ts"

/** `` SENDER: `GET /` ``; empty when the role serves nothing of the module. */
export const served = (profile: VersionProfile, role: Role, module: string): string => {
  // Answered before any module is looked for, so no table of routes has it.
  if (module === "versions") return codes(["GET /versions", "GET /{version}/"])
  const sides = Array.groupBy(routesOf(profile, role, module), sideOf)
  return Object.entries(sides)
    .map(([side, routes]) => `${side}${codes(byPath(routes))}`)
    .join("; ")
}

function sideOf({ interfaceRole }: Route): string {
  return interfaceRole === undefined ? "" : `${interfaceRole}: `
}

function byPath(routes: ReadonlyArray<Route>): ReadonlyArray<string> {
  const paths = Array.groupBy(routes, ({ pattern }) => `/${pattern.join("/")}`)
  return Object.entries(paths).map(([path, same]) => `${same.map(({ method }) => method).join(" ")} ${path}`)
}
