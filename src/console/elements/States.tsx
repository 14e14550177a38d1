import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { PlugfestError } from "../../client/plugfest.ts"
import { asPages } from "../format/asPages.ts"

/** The sentence of an error: the service's own words without the name of the operation, as pages say it. */
export const sentenceOf = (error: unknown): string =>
  error instanceof PlugfestError
    ? asPages(error.message.replace(/^[\w.]+: /, ""))
    : error instanceof Error
      ? error.message
      : String(error)

/** Something went wrong: what, and how to try again. What is not there is so at the second try, too, and in no log. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const isMissing = error instanceof PlugfestError && error.status === 404
  const requestId = error instanceof PlugfestError && !isMissing ? error.requestId : undefined
  return (
    <div className="note bad stack tight" role="alert">
      <p>{sentenceOf(error)}</p>
      {requestId === undefined ? null : (
        <p className="small">
          Request <code>{requestId}</code> in the service's log
        </p>
      )}
      {isMissing ? <p className="small">Look it up in its list, or with Go to (Ctrl K).</p> : null}
      {retry === undefined || isMissing ? null : (
        <div>
          <button type="button" className="button small" onClick={retry}>
            Try again
          </button>
        </div>
      )}
    </div>
  )
}

/** In the place of what is being read. */
export const Loading = () => (
  <div className="waiting-bars" role="status">
    <span className="unseen">Loading</span>
    <i />
    <i />
    <i />
  </div>
)

/** There is nothing, and what to do about it. */
export const Empty = ({ children }: { readonly children: ReactNode }) => (
  <div className="empty">{children}</div>
)

/** Shows an answer once it is there, its error, or that it is being read. An answer that could not be refreshed stays. */
export function Shown<A>({
  children,
  of
}: {
  readonly of: UseQueryResult<A>
  readonly children: (data: NonNullable<A>) => ReactNode
}) {
  if (of.data !== undefined && of.data !== null)
    return (
      <>
        {of.isError ? <Failure error={of.error} retry={() => void of.refetch()} /> : null}
        {children(of.data)}
      </>
    )
  if (of.isError) return <Failure error={of.error} retry={() => void of.refetch()} />
  return <Loading />
}
