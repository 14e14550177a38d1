/** What a page shows stands in the query of its URL: a reload, the way back and a pasted link show the same. */
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useCallback } from "react"

/** Parameters of the query by name. */
export type View = Readonly<Record<string, string>>

/** How the browser's history keeps a change. `push`: as a step that one wants to go back from; default: in place of the one before. */
interface ChangeOptions {
  readonly push?: boolean
}

/** The view, and how to change parts of it; undefined removes a part. */
export function useView(): readonly [
  View,
  (patch: Readonly<Record<string, string | undefined>>, options?: ChangeOptions) => void
] {
  const view = useSearch({ strict: false }) as View
  const navigate = useNavigate()
  const change = useCallback(
    (patch: Readonly<Record<string, string | undefined>>, { push = false }: ChangeOptions = {}) => {
      void navigate({
        to: ".",
        search: (before: Readonly<Record<string, string | undefined>>) =>
          Object.fromEntries(
            Object.entries({ ...before, ...patch }).filter(([, value]) => value !== undefined && value !== "")
          ) as Record<string, string>,
        replace: !push,
        resetScroll: false
      })
    },
    [navigate]
  )
  return [view, change]
}
