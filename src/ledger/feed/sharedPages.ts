/** Pages that several viewers of a run need at once: read once, encoded once, one Buffer for all. */
import { Deferred, Effect, FiberId } from "effect"
import type { StoredLine } from "../Ledger.ts"
import { type Frames, framesOf } from "./frames.ts"
import type { Viewer } from "./Viewer.ts"

/** Lines of a run and their encoded frames. */
export interface Page {
  readonly lines: ReadonlyArray<StoredLine>
  /** The frames of all lines; undefined when there are none. */
  readonly frames: Frames | undefined
}

/** How many full pages, of all runs together, are cached for later viewers, and for how long. */
const mostKept = 64
const keptFor = "1 second"

type Asked = Map<number, Deferred.Deferred<Page | undefined>>

/**
 * Reads the page after a viewer's cursor, in one query for all viewers of the run that need the same page. Only viewers
 * that were registered before the read started share it: any line committed after the read has advanced the head that
 * they must still reach. Undefined if the reading viewer left; the others then read again. `isLast`: the page reached the
 * end of the run, so it must not be cached.
 */
export const makeSharedPages = (
  read: (viewer: Viewer) => Effect.Effect<ReadonlyArray<StoredLine> | undefined>,
  isLast: (lines: ReadonlyArray<StoredLine>) => boolean,
  fork: (work: Effect.Effect<void>) => unknown
) => {
  const byCompany = new WeakMap<ReadonlySet<Viewer>, Asked>()
  let kept = 0

  const keep = (pages: Asked, after: number) => {
    if (kept === mostKept) return void pages.delete(after)
    kept += 1
    const forget = Effect.sync(() => {
      kept -= 1
      pages.delete(after)
    })
    fork(Effect.delay(forget, keptFor))
  }

  const readFirst = (viewer: Viewer, pages: Asked) => {
    const after = viewer.cursor
    const shared = Deferred.unsafeMake<Page | undefined>(FiberId.none)
    pages.set(after, shared)
    return Effect.map(
      read(viewer),
      (lines) => lines && { lines, frames: lines.length === 0 ? undefined : framesOf(lines) }
    ).pipe(
      Effect.onExit((exit) => {
        const page = exit._tag === "Success" ? exit.value : undefined
        if (page === undefined || isLast(page.lines)) pages.delete(after)
        else keep(pages, after)
        return Deferred.succeed(shared, page)
      })
    )
  }

  return (viewer: Viewer, company: ReadonlySet<Viewer>): Effect.Effect<Page | undefined> =>
    Effect.suspend(() => {
      const pages = byCompany.get(company) ?? (new Map() as Asked)
      byCompany.set(company, pages)
      const known = pages.get(viewer.cursor)
      return known === undefined ? readFirst(viewer, pages) : Deferred.await(known)
    })
}
