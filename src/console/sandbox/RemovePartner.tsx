import { useMutation } from "@tanstack/react-query"
import { client } from "../data/client.ts"
import { partnersQuery, queries } from "../data/queries.ts"
import { Dialog } from "../elements/Dialog.tsx"
import { Failure } from "../elements/States.tsx"

/** Removes a sandbox partner, after saying what comes of it. `connection`: the label of the connection to it. */
export function RemovePartner({
  connection,
  id,
  name,
  onClose
}: {
  readonly id: string
  readonly name: string
  readonly connection: string | undefined
  readonly onClose: () => void
}) {
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => client.sandbox.remove({ path: { id } }),
    onSuccess: async () => {
      onClose()
      await queries.invalidateQueries({ queryKey: partnersQuery().queryKey })
    }
  })
  return (
    <Dialog title={`Remove the sandbox partner ${name}`} onClose={onClose}>
      <ul className="bullets">
        <li>The partner, its objects and its requests are deleted. This cannot be undone.</li>
        <li>
          {connection === undefined
            ? "No connection of yours leads to it."
            : `The connection ${connection} stays, and finds nobody at its URL: requests to it fail from now on.`}
        </li>
        <li>Reports and ledgers stay.</li>
      </ul>
      {error === null ? null : <Failure error={error} />}
      <div>
        <button type="button" className="button grave" disabled={isPending} onClick={() => mutate()}>
          Remove the partner
        </button>
      </div>
    </Dialog>
  )
}
