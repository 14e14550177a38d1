import { useVirtualizer } from "@tanstack/react-virtual"
import { type ReactNode, useEffect, useRef } from "react"

/** A list of which one item can be chosen. Only those in sight are drawn; the chosen one is brought into sight. */
export function ChoiceList<A>({
  children,
  idOf,
  items,
  label,
  rowHeight,
  select,
  selected
}: {
  readonly items: ReadonlyArray<A>
  readonly idOf: (item: A) => string
  readonly label: string
  /** About how high a row is, in pixels; each is measured once it is drawn. */
  readonly rowHeight: number
  readonly selected: string | undefined
  readonly select: (id: string) => void
  /** What stands in the row of an item. */
  readonly children: (item: A) => ReactNode
}) {
  const frame = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // The padding of the frame, which the offsets of the rows do not have.
    scrollPaddingStart: 8,
    scrollPaddingEnd: 8
  })
  const at = items.findIndex((item) => idOf(item) === selected)
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at, { align: "auto" })
  }, [at, rows])
  const previous = useRef(selected)
  useEffect(() => {
    // The button that closed the chosen item is gone: the keyboard goes on from the list.
    if (selected === undefined && previous.current !== undefined && document.activeElement === document.body)
      frame.current?.focus({ preventScroll: true })
    previous.current = selected
  }, [selected])
  return (
    <div className="check-list card" ref={frame} tabIndex={0} role="group" aria-label={label}>
      <div className="virtual" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const item = items[index]!
          const id = idOf(item)
          return (
            <button
              key={id}
              type="button"
              className="check-row"
              data-index={index}
              ref={rows.measureElement}
              style={{ transform: `translateY(${start}px)` }}
              aria-pressed={id === selected}
              onClick={() => select(id)}
            >
              {children(item)}
            </button>
          )
        })}
      </div>
    </div>
  )
}
