import { type ReactNode, useEffect } from "react"

/** A page: its title, what it is about, its actions. The title is the tab's too. */
export function Page({
  actions,
  children,
  lead,
  title
}: {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · plugfest`
  }, [title])
  return (
    <div className="stack page">
      <header className="page-head">
        <div className="stack tight">
          <h1>{title}</h1>
          {lead === undefined ? null : <div className="quiet">{lead}</div>}
        </div>
        {actions === undefined ? null : <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
