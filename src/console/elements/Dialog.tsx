import { type ReactNode, useEffect, useId, useRef } from "react"

/** A dialog of the browser itself: it keeps the focus inside, and Escape closes it. */
export function Dialog({
  children,
  onClose,
  title
}: {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    element.current?.showModal()
    // The browser would begin at the first button, which closes the dialog.
    element.current?.querySelector<HTMLElement>("input, select, textarea")?.focus()
  }, [])
  return (
    <dialog ref={element} onClose={onClose} aria-labelledby={titleId}>
      <div className="stack">
        <div className="row apart">
          <h2 id={titleId}>{title}</h2>
          <button type="button" className="button small plain" onClick={() => element.current?.close()}>
            Close
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
