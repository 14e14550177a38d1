/** Pages that several viewers of a run want at once: read once, encoded once, one Buffer for all of them. */
import { Deferred, Effect, FiberId } from "effect"
import type { StoredLine } from "../Ledger.ts"
import { type Frames, framesOf } from "./frames.ts"
import type { Viewer } from "./Viewer.ts"

export interface Page {
  readonly lines: ReadonlyArray<StoredLine>
  /** Of all lines; undefined when there are none. */
  readonly frames: Frames | undefined
}

/** Full pages, of all runs together, that are kept for those who come a little later, and for how long. */
const mostKept = 64
const keptFor = "1 second"

type Asked = Map<number, Deferred.Deferred<Page | undefined>>

/**
 * The page after a viewer's cursor, with others of its company when one of them has asked for the same page just now. The
 * company is those who were told of the run's commits since the reading began: what such a page misses moved the head
 * that they must reach. Undefined when the one who read it has left meanwhile: whoever still wants it asks again.
 * `isLast`: nothing stood behind these lines, so the same question may have another answer soon.
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
