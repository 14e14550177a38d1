import type { ReactNode } from "react"

/** Chips that belong together, such as a filter. */
export const Chips = ({ children, label }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="chips" role="group" aria-label={label}>
    {children}
  </div>
)

/** A choice that is on or off. */
export const Chip = ({
  children,
  isOn,
  press
}: {
  readonly isOn: boolean
  readonly press: () => void
  readonly children: ReactNode
}) => (
  <button type="button" className="chip" aria-pressed={isOn} onClick={press}>
    {children}
  </button>
)
