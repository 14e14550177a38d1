/** The order of a journey run, by which it can be played again. */
import { queryOptions } from "@tanstack/react-query"
import type { Input } from "../../client/plugfest.ts"
import { client } from "./client.ts"
import { journeysQuery, queries } from "./queries.ts"

export type JourneyOrder = NonNullable<Input<"journeyRuns.start">["body"]>

/** What of the plan on the first line of a run tells its order. */
interface StoredPlan {
  readonly templateId?: string
  readonly inputs?: Readonly<Record<string, unknown>>
  readonly scenario?: { readonly id: string | null }
}

/** What was played, and with which inputs; without the connection. Undefined: the run's first line does not tell. */
export const journeyOrderQuery = (runId: string) =>
  queryOptions({
    queryKey: ["journey", runId, "order"],
    queryFn: async (): Promise<JourneyOrder | null> => {
      const [[first], { packs }] = await Promise.all([
        client.journeyRuns.events({ path: { id: runId }, query: { after: 0, limit: 1 } }),
        queries.ensureQueryData(journeysQuery())
      ])
      if (first?.type !== "run.created") return null
      const { inputs = {}, scenario, templateId } = (first.data.plan ?? {}) as StoredPlan
      if (templateId === undefined) return null
      const scenarioId = scenario?.id ?? undefined
      return {
        ...(scenarioId !== undefined
          ? { scenarioId }
          : packs.some(({ id }) => id === templateId)
            ? { packId: templateId }
            : { templateId }),
        ...(Object.keys(inputs).length === 0 ? {} : { inputs })
      }
    },
    staleTime: Number.POSITIVE_INFINITY
  })
