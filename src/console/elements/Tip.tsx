import { type ReactNode, type SyntheticEvent, useId, useRef } from "react"

/**
 * A tip for an element that can have the focus: spread `anchor` on it and put `bubble` beside it. It is shown while the element
 * has the pointer or the focus; Escape, scrolling and another size of the window put it away.
 */
export function useTip(text: string) {
  const id = useId()
  const bubble = useRef<HTMLSpanElement>(null)
  const hide = () => bubble.current?.hidePopover()
  const show = ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
    const element = bubble.current
    if (element === null || element.matches(":popover-open")) return
    element.showPopover()
    const { bottom, left, top } = currentTarget.getBoundingClientRect()
    const below = bottom + 4
    const fits = below + element.offsetHeight <= window.innerHeight
    element.style.top = `${fits ? below : top - 4 - element.offsetHeight}px`
    element.style.left = `${Math.max(8, Math.min(left, window.innerWidth - element.offsetWidth - 8))}px`
    window.addEventListener("scroll", hide, { capture: true, once: true })
    window.addEventListener("resize", hide, { once: true })
  }
  return {
    anchor: {
      "aria-describedby": id,
      onBlur: hide,
      onFocus: show,
      onKeyDown: ({ key }: { readonly key: string }) => {
        if (key === "Escape") hide()
      },
      onPointerEnter: show,
      onPointerLeave: hide
    },
    bubble: (
      <span id={id} ref={bubble} role="tooltip" popover="manual" className="tip">
        {text}
      </span>
    )
  }
}

/** Words with a tip; the keyboard stops at them, and a touch shows it. */
export function Tip({
  children,
  className = "",
  text
}: {
  readonly text: string
  readonly className?: string
  readonly children: ReactNode
}) {
  const { anchor, bubble } = useTip(text)
  return (
    <>
      <span className={`has-tip ${className}`} tabIndex={0} {...anchor}>
        {children}
      </span>
      {bubble}
    </>
  )
}
