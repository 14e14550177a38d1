import type { Answer } from "../data/queries.ts"
import { Dialog } from "../elements/Dialog.tsx"
import { Failure } from "../elements/States.tsx"

/**
 * Asks before a journey begins that changes the registration of the connection, and says what it will do to it. Why the journey could not
 * begin stands in the dialog, or in its place where nothing is asked.
 */
export const BeginDialog = ({
  begin,
  changes,
  error,
  isAsking,
  isPending,
  onClose
}: {
  readonly isAsking: boolean
  /** The journeys that change it; at least one. */
  readonly changes: ReadonlyArray<Answer<"testing.journeys">["templates"][number]>
  readonly begin: () => void
  readonly isPending: boolean
  readonly error: unknown
  readonly onClose: () => void
}) => {
  const failure = error === null ? null : <Failure error={error} />
  if (!isAsking) return failure
  return (
    <Dialog title="This changes the registration of the connection" onClose={onClose}>
      <ul className="bullets">
        {changes.map(({ description, id, name, outcome }) => (
          <li key={id}>
            <b>{name}</b>. {description} Afterwards: {outcome}
          </li>
        ))}
      </ul>
      <p className="quiet small">Other runs with this connection use the same registration.</p>
      {failure}
      <div className="row">
        <button type="button" className="button grave" disabled={isPending} onClick={begin}>
          {isPending ? "Starting…" : "Begin"}
        </button>
        <button type="button" className="button" onClick={onClose}>
          Do not begin
        </button>
      </div>
    </Dialog>
  )
}
