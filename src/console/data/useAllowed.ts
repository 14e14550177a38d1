import { useQuery } from "@tanstack/react-query"
import { sessionQuery } from "./queries.ts"
import type { BrowserSession } from "./session.ts"

/** What the API key of this browser's session may do. */
export type KeyScope = BrowserSession["scopes"][number]

/** Whether the key that this browser is signed in with has the scope. */
export function useAllowed(scope: KeyScope): boolean {
  const { data } = useQuery(sessionQuery())
  return data?.scopes.includes(scope) === true
}
