/** The pages by path. The code of those below Home is read when they are first shown. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Outlet
} from "@tanstack/react-router"
import { Page } from "./elements/Page.tsx"
import { Failure, Loading } from "./elements/States.tsx"
import { HomePage } from "./home/HomePage.tsx"
import { SignInPage } from "./session/SignInPage.tsx"
import { lazyPage } from "./shell/lazyPage.ts"
import { NoSuchPage } from "./shell/NoSuchPage.tsx"
import { Shell } from "./shell/Shell.tsx"

const viewOf = (search: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)]))

/** In place of a page that failed. */
const FailedPage = ({ error, reset }: ErrorComponentProps) => (
  <Page title="This page cannot be shown">
    <Failure error={error} retry={reset} />
  </Page>
)
/** The same where nothing else is on the screen. */
const FailedAlone = (props: ErrorComponentProps) => (
  <main className="alone">
    <FailedPage {...props} />
  </main>
)

const root = createRootRoute({ component: Outlet, errorComponent: FailedAlone, validateSearch: viewOf })
const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  errorComponent: FailedAlone
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  component: SignInPage,
  errorComponent: FailedAlone
})
const home = createRoute({ getParentRoute: () => shell, path: "/", component: HomePage })
const runs = createRoute({
  getParentRoute: () => shell,
  path: "/runs",
  component: lazyPage(() => import("./runs/RunsPage.tsx"), "RunsPage")
})
const report = createRoute({
  getParentRoute: () => shell,
  path: "/runs/$id",
  component: lazyPage(() => import("./reports/ReportPage.tsx"), "ReportPage")
})
const journey = createRoute({
  getParentRoute: () => shell,
  path: "/journeys/$id",
  component: lazyPage(() => import("./journeys/JourneyPage.tsx"), "JourneyPage")
})
const file = createRoute({
  getParentRoute: () => shell,
  path: "/journeys/file",
  component: lazyPage(() => import("./journeys/FilePage.tsx"), "FilePage")
})
const connections = createRoute({
  getParentRoute: () => shell,
  path: "/connections",
  component: lazyPage(() => import("./connections/ConnectionsPage.tsx"), "ConnectionsPage")
})
const newConnection = createRoute({
  getParentRoute: () => shell,
  path: "/connections/new",
  component: lazyPage(() => import("./connections/NewConnectionPage.tsx"), "NewConnectionPage")
})
const connection = createRoute({
  getParentRoute: () => shell,
  path: "/connections/$id",
  component: lazyPage(() => import("./connections/ConnectionPage.tsx"), "ConnectionPage")
})
const suites = createRoute({
  getParentRoute: () => shell,
  path: "/suites",
  component: lazyPage(() => import("./suites/SuitesPage.tsx"), "SuitesPage")
})
const machines = createRoute({
  getParentRoute: () => shell,
  path: "/machines",
  component: lazyPage(() => import("./machines/MachinesPage.tsx"), "MachinesPage")
})
const decide = createRoute({
  getParentRoute: () => shell,
  path: "/machines/decide",
  component: lazyPage(() => import("./machines/DecidePage.tsx"), "DecidePage")
})
const sandbox = createRoute({
  getParentRoute: () => shell,
  path: "/sandbox",
  component: lazyPage(() => import("./sandbox/SandboxPage.tsx"), "SandboxPage")
})
const settings = createRoute({
  getParentRoute: () => shell,
  path: "/settings",
  component: lazyPage(() => import("./settings/SettingsPage.tsx"), "SettingsPage")
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
  defaultErrorComponent: FailedPage
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
