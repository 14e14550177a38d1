/** Brings the part of a page that was chosen into sight, and the focus with it. */
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react"

/**
 * Whether the element that stood in this place before had the focus, which is nowhere once the element is taken away. Kept by the
 * component that puts one element in the place of another: `useRef(false)`.
 */
export type FormerFocus = RefObject<boolean>

/**
 * Scrolls to the element when it appears out of sight, and again when `isSettled` becomes true after that: what came above it has
 * pushed it down. What is in sight stays where it is. The focus follows, and takes the place of what it replaces; it stays in the
 * element `.check-list`, from which one goes on choosing.
 */
export function useInSight(
  element: RefObject<HTMLElement | null>,
  { formerFocus, isSettled }: { readonly formerFocus: FormerFocus; readonly isSettled: boolean }
): void {
  const hasAppeared = useRef(false)
  // Before the element is taken away: afterwards nothing has the focus.
  useLayoutEffect(() => {
    const { current } = element
    return () => {
      formerFocus.current = current?.contains(document.activeElement) === true
    }
  }, [element, formerFocus])
  useEffect(() => {
    const { current } = element
    if (current === null || (hasAppeared.current && !isSettled)) return
    const { top } = current.getBoundingClientRect()
    const isBelow = top > window.innerHeight * 0.7
    // Once it was shown, one may have read on: its beginning is then above on purpose.
    const moves = isBelow || (top < 0 && !hasAppeared.current)
    if (moves) current.scrollIntoView({ block: "start" })
    const focused = document.activeElement
    if (
      (formerFocus.current && focused === document.body) ||
      (moves && focused?.closest(".check-list") == null)
    )
      current.focus({ preventScroll: true })
  }, [element, formerFocus, isSettled])
  useEffect(() => {
    formerFocus.current = false
    hasAppeared.current = true
  }, [formerFocus])
}
