/** Pages that several viewers of a run want at once: read once, encoded once, one Buffer for all of them. */
import { Deferred, Effect, FiberId } from "effect"
import { type Frames, framesOf } from "./frames.ts"
import type { StoredLine } from "./Ledger.ts"
import type { Viewer } from "./Viewer.ts"

export interface Page {
  readonly lines: ReadonlyArray<StoredLine>
  /** Of all lines; undefined when there are none. */
  readonly frames: Frames | undefined
}

/**
 * The page after a viewer's cursor, with others of its company when one of them waits for the same page already. The
 * company is those who were told of the run's commits since the reading began: what such a page misses moved the head
 * that they must reach. Undefined when the one who read it has left meanwhile: whoever still wants it asks again.
 */
export const makeSharedPages = (
  read: (viewer: Viewer) => Effect.Effect<ReadonlyArray<StoredLine> | undefined>
) => {
  const underWay = new WeakMap<ReadonlySet<Viewer>, Map<number, Deferred.Deferred<Page | undefined>>>()

  const readFirst = (viewer: Viewer, pages: Map<number, Deferred.Deferred<Page | undefined>>) => {
    const after = viewer.cursor
    const shared = Deferred.unsafeMake<Page | undefined>(FiberId.none)
    pages.set(after, shared)
    return Effect.map(
      read(viewer),
      (lines) => lines && { lines, frames: lines.length === 0 ? undefined : framesOf(lines) }
    ).pipe(
      Effect.onExit((exit) => {
        pages.delete(after)
        return Deferred.succeed(shared, exit._tag === "Success" ? exit.value : undefined)
      })
    )
  }

  return (viewer: Viewer, company: ReadonlySet<Viewer>): Effect.Effect<Page | undefined> =>
    Effect.suspend(() => {
      const pages = underWay.get(company) ?? new Map<number, Deferred.Deferred<Page | undefined>>()
      underWay.set(company, pages)
      const known = pages.get(viewer.cursor)
      return known === undefined ? readFirst(viewer, pages) : Deferred.await(known)
    })
}
