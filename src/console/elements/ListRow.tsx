import type { ReactNode } from "react"

/** A row of a list: its state, its name and what is said of it, a figure, and a time. */
export const ListRow = ({
  children,
  figure,
  state,
  time
}: {
  readonly state: ReactNode
  readonly children: ReactNode
  readonly figure?: ReactNode
  readonly time: ReactNode
}) => (
  <li>
    <span className="run-verdict">{state}</span>
    <span className="run-name">{children}</span>
    <span className="quiet small run-count">{figure}</span>
    <span className="quiet small">{time}</span>
  </li>
)
