import { useVirtualizer } from "@tanstack/react-virtual"
import { useEffect, useRef } from "react"
import type { Assertion } from "../../client/plugfest.ts"
import { Badge } from "../elements/Badge.tsx"
import { count } from "../format/words.ts"

/** The checks, of which only those in sight are drawn. */
export function CheckList({
  checks,
  select,
  selected
}: {
  readonly checks: ReadonlyArray<Assertion>
  readonly selected: string | undefined
  readonly select: (id: string) => void
}) {
  const frame = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: checks.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 62,
    overscan: 8
  })
  const at = checks.findIndex(({ id }) => id === selected)
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at, { align: "auto" })
  }, [at, rows])
  const previous = useRef(selected)
  useEffect(() => {
    // The button that closed the check is gone: the keyboard goes on from the list.
    if (selected === undefined && previous.current !== undefined && document.activeElement === document.body)
      frame.current?.focus({ preventScroll: true })
    previous.current = selected
  }, [selected])
  return (
    <div
      className="check-list card"
      ref={frame}
      tabIndex={0}
      role="group"
      aria-label={count(checks.length, "check")}
    >
      <div className="virtual" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const check = checks[index]!
          return (
            <button
              key={check.id}
              type="button"
              className="check-row"
              data-index={index}
              ref={rows.measureElement}
              style={{ transform: `translateY(${start}px)` }}
              aria-pressed={check.id === selected}
              onClick={() => select(check.id)}
            >
              <span className="row apart">
                <span className="mono">{check.id}</span>
                <Badge word={check.outcome} />
              </span>
              <span className="check-title">{check.title}</span>
            </button>
          )
        })}
      </div>
    </div>
  )
}
