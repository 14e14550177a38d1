/** Brings the part of a page that was chosen into sight, and the focus with it. */
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react"

/** Whether the element that was taken away last had the focus, which is then nowhere. */
let hadFocus = false

/**
 * Scrolls to the element when it appears out of sight, and again when `settled` becomes true after that: what came above it has
 * pushed it down. What is in sight stays where it is. The focus follows, and takes the place of what it replaces; it stays in the
 * element `.check-list`, from which one goes on choosing.
 */
export function useInSight(element: RefObject<HTMLElement | null>, settled: boolean): void {
  const hasAppeared = useRef(false)
  // Before the element is taken away: afterwards nothing has the focus.
  useLayoutEffect(() => {
    const { current } = element
    return () => {
      hadFocus = current?.contains(document.activeElement) === true
    }
  }, [element])
  useEffect(() => {
    const { current } = element
    if (current === null || (hasAppeared.current && !settled)) return
    const { top } = current.getBoundingClientRect()
    const isBelow = top > window.innerHeight * 0.7
    // Once it was shown, one may have read on: its beginning is then above on purpose.
    const moves = isBelow || (top < 0 && !hasAppeared.current)
    if (moves) current.scrollIntoView({ block: "start" })
    const focused = document.activeElement
    if ((hadFocus && focused === document.body) || (moves && focused?.closest(".check-list") == null))
      current.focus({ preventScroll: true })
  }, [element, settled])
  useEffect(() => {
    hadFocus = false
    hasAppeared.current = true
  }, [])
}
