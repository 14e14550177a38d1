import { useMutation, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { client } from "../data/client.ts"
import { journeyOrderQuery } from "../data/journeyOrder.ts"
import { journeysQuery } from "../data/queries.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { registrationChanges } from "../format/registrationChanges.ts"
import { useKeys } from "../hooks/useKeys.ts"
import { BeginDialog } from "./BeginDialog.tsx"

/** Plays a journey again that is over: the same journey with the same inputs and the same connection. */
export function PlayJourneyAgain({
  connectionId,
  runId,
  templateId
}: {
  readonly runId: string
  readonly connectionId: string
  /** Of the journey or pack that was played. */
  readonly templateId: string | undefined
}) {
  const navigate = useNavigate()
  const mayRun = useAllowed("run")
  const order = useQuery({ ...journeyOrderQuery(runId), enabled: mayRun })
  const catalogue = useQuery(journeysQuery())
  const [isAsking, setAsking] = useState(false)
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => client.journeyRuns.start({ body: { ...order.data, connectionId } }),
    onSuccess: (made) => navigate({ to: "/journeys/$id", params: { id: made.runId } })
  })
  const isKnown = order.data !== undefined && order.data !== null && catalogue.data !== undefined
  const changes = catalogue.data === undefined ? [] : registrationChanges(catalogue.data, templateId)
  const play = () => {
    if (!isKnown || isPending || !mayRun) return
    if (changes.length > 0) setAsking(true)
    else mutate()
  }
  useKeys({ p: play })
  if (!mayRun || order.data === null) return null
  return (
    <>
      <button
        type="button"
        className="button"
        aria-keyshortcuts="p"
        disabled={!isKnown || isPending}
        onClick={play}
      >
        {isPending ? "Starting…" : "Play again"}
      </button>
      <BeginDialog
        changes={changes}
        begin={() => mutate()}
        isAsking={isAsking}
        isPending={isPending}
        error={error}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
