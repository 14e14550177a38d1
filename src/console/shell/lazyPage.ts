import { lazyRouteComponent } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { healthQuery, queries } from "../data/queries.ts"

const millisBetweenTries = 2_000

/**
 * A page whose code is read when it is first shown. While the service does not answer, the code is waited for: the router would
 * load the whole document anew, and the browser's own error page would take the place of the console. Code that a service which
 * answers does not have is of an earlier release: then the router loads the document anew.
 */
export const lazyPage = <Module extends Record<string, () => ReactNode>, Name extends keyof Module>(
  read: () => Promise<Module>,
  name: Name
) => lazyRouteComponent(() => read().catch(() => serviceAnswers().then(read)), name)

/** Resolves when the service answers anything; while it does not, the pages say so. */
async function serviceAnswers(): Promise<void> {
  for (;;) {
    try {
      await queries.fetchQuery({ ...healthQuery(), staleTime: 0 })
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, millisBetweenTries))
    }
  }
}
