import { useInfiniteQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { itemsOf } from "../data/pagesOf.ts"
import { type RunFilter, runPagesQuery } from "../data/reportQueries.ts"
import { ShowOlder } from "../elements/ShowOlder.tsx"
import { Empty, Shown } from "../elements/States.tsx"
import { RunTable } from "./RunTable.tsx"

/** Runs newest first, a page at a time. `none`: the sentence where there is no such run; `children`: what can be done then. */
export function RunPages({
  children,
  filter,
  none
}: {
  readonly filter: RunFilter
  readonly none: string
  readonly children?: ReactNode
}) {
  const runs = useInfiniteQuery(runPagesQuery(filter))
  return (
    <>
      <Shown of={runs}>
        {(read) =>
          itemsOf(read).length === 0 ? (
            <Empty>
              <p>{none}</p>
              {children}
            </Empty>
          ) : (
            <RunTable runs={itemsOf(read)} />
          )
        }
      </Shown>
      <ShowOlder of={runs} what="runs" />
    </>
  )
}
