/** How viewers behind the head read on, a page after the other, until they join those at the head. */
import { Effect } from "effect"
import { untilBack } from "../../database/retry.ts"
import type { Ledger, StoredLine } from "../Ledger.ts"
import { isTerminalLine } from "../run/ledgerLine.ts"
import type { Channels } from "./channels.ts"
import { makeSharedPages, type Page } from "./sharedPages.ts"
import { end, type Viewer } from "./Viewer.ts"

/** Most lines of a page, and the bytes after which it ends. */
interface PageSizes {
  readonly pageSize: number
  readonly pageBytes: number
}

/** Reads pages for the viewers of these channels. `fork` runs what nobody waits for. */
export const makePageReader = (
  ledger: Pick<Ledger["Type"], "page">,
  channels: Channels,
  fork: (work: Effect.Effect<void>) => unknown,
  { pageBytes, pageSize }: PageSizes
) => {
  /**
   * A page for a viewer. While the database or the archive is away it is tried again for as long as the viewer is connected;
   * undefined when the viewer has disconnected. When the archived object is damaged, the stream is closed: the viewer's next
   * request is answered with the reason.
   */
  const linesFor = (viewer: Viewer, after: number, limit: number) =>
    Effect.retry(ledger.page(viewer.runId, after, limit, { maxBytes: pageBytes }), {
      schedule: untilBack,
      while: ({ _tag }) => _tag !== "ArchiveDamaged" && channels.holds(viewer)
    }).pipe(
      Effect.tapErrorTag("ArchiveDamaged", () => Effect.sync(() => viewer.stream.destroy())),
      Effect.orElseSucceed(() => undefined)
    )

  /** Did the page reach the end of the run when it was read? */
  const isLast = (lines: ReadonlyArray<StoredLine>) =>
    lines.length < pageSize &&
    lines.reduce((bytes, { line }) => bytes + Buffer.byteLength(line), 0) < pageBytes

  const pageFor = makeSharedPages((viewer) => linesFor(viewer, viewer.cursor, pageSize), isLast, fork)

  /** Hands over one page; true: read another one. Clears `reading` in the same tick in which it decides to stop. */
  const takePage = (viewer: Viewer, page: Page | undefined): boolean => {
    const goOn =
      channels.holds(viewer) &&
      (page === undefined ||
        ((page.frames === undefined || channels.deliver(viewer, page.lines, page.frames)) &&
          !(isLast(page.lines) && channels.join(viewer))))
    viewer.reading = goOn
    return goOn
  }

  const readOn = (viewer: Viewer): void => {
    if (viewer.reading || !channels.holds(viewer)) return
    viewer.reading = true
    fork(
      Effect.repeat(
        Effect.map(
          Effect.suspend(() => pageFor(viewer, channels.companyOf(viewer))),
          (page) => takePage(viewer, page)
        ),
        { while: (goOn) => goOn }
      ).pipe(Effect.tapDefect(() => Effect.sync(() => viewer.stream.destroy())))
    )
  }

  /** Ends a viewer that resumed at the terminal line, after which there is nothing. */
  const endIfOver = (viewer: Viewer) =>
    Effect.map(linesFor(viewer, viewer.cursor - 1, 1), (lines) => {
      const at = lines?.[0]
      if (at === undefined || !isTerminalLine(at.line)) return readOn(viewer)
      channels.leave(viewer)
      end(viewer)
    })

  return { readOn, endIfOver, isLast }
}
