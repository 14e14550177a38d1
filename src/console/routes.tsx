/** The pages by path. Those below Home are read when they are first shown. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet
} from "@tanstack/react-router"
import { Failure, Loading } from "./elements/States.tsx"
import { HomePage } from "./home/HomePage.tsx"
import { SignInPage } from "./session/SignInPage.tsx"
import { NoSuchPage } from "./shell/NoSuchPage.tsx"
import { Shell } from "./shell/Shell.tsx"

const viewOf = (search: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)]))

const root = createRootRoute({ component: Outlet, validateSearch: viewOf })
const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell })

const signIn = createRoute({ getParentRoute: () => root, path: "/sign-in", component: SignInPage })
const home = createRoute({ getParentRoute: () => shell, path: "/", component: HomePage })
const runs = createRoute({
  getParentRoute: () => shell,
  path: "/runs",
  component: lazyRouteComponent(() => import("./runs/RunsPage.tsx"), "RunsPage")
})
const report = createRoute({
  getParentRoute: () => shell,
  path: "/runs/$id",
  component: lazyRouteComponent(() => import("./reports/ReportPage.tsx"), "ReportPage")
})
const journey = createRoute({
  getParentRoute: () => shell,
  path: "/journeys/$id",
  component: lazyRouteComponent(() => import("./journeys/JourneyPage.tsx"), "JourneyPage")
})
const file = createRoute({
  getParentRoute: () => shell,
  path: "/journeys/file",
  component: lazyRouteComponent(() => import("./journeys/FilePage.tsx"), "FilePage")
})
const connections = createRoute({
  getParentRoute: () => shell,
  path: "/connections",
  component: lazyRouteComponent(() => import("./connections/ConnectionsPage.tsx"), "ConnectionsPage")
})
const newConnection = createRoute({
  getParentRoute: () => shell,
  path: "/connections/new",
  component: lazyRouteComponent(() => import("./connections/NewConnectionPage.tsx"), "NewConnectionPage")
})
const connection = createRoute({
  getParentRoute: () => shell,
  path: "/connections/$id",
  component: lazyRouteComponent(() => import("./connections/ConnectionPage.tsx"), "ConnectionPage")
})
const suites = createRoute({
  getParentRoute: () => shell,
  path: "/suites",
  component: lazyRouteComponent(() => import("./suites/SuitesPage.tsx"), "SuitesPage")
})
const machines = createRoute({
  getParentRoute: () => shell,
  path: "/machines",
  component: lazyRouteComponent(() => import("./machines/MachinesPage.tsx"), "MachinesPage")
})
const decide = createRoute({
  getParentRoute: () => shell,
  path: "/machines/decide",
  component: lazyRouteComponent(() => import("./machines/DecidePage.tsx"), "DecidePage")
})
const sandbox = createRoute({
  getParentRoute: () => shell,
  path: "/sandbox",
  component: lazyRouteComponent(() => import("./sandbox/SandboxPage.tsx"), "SandboxPage")
})
const settings = createRoute({
  getParentRoute: () => shell,
  path: "/settings",
  component: lazyRouteComponent(() => import("./settings/SettingsPage.tsx"), "SettingsPage")
})
const others = createRoute({ getParentRoute: () => shell, path: "$", component: NoSuchPage })

/** The router of the console. */
export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    shell.addChildren([
      home,
      runs,
      report,
      journey,
      file,
      connections,
      newConnection,
      connection,
      suites,
      machines,
      decide,
      sandbox,
      settings,
      others
    ])
  ]),
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString()
    return text === "" ? "" : `?${text}`
  },
  scrollRestoration: true,
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) => (
    <main className="alone">
      <Failure error={error} retry={reset} />
    </main>
  )
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
