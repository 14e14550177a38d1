/** The runs that have not ended. Of each status those that were started first: the ones that are stuck are among them. */
import { queryOptions } from "@tanstack/react-query"
import type { RunReport } from "../../client/plugfest.ts"
import { client } from "./client.ts"
import type { Journey } from "./queries.ts"

/** As many of each status as are read. */
export const oldestListed = 100
export const openStatuses = [
  ...["interrupted", "waiting", "running", "recovering", "cancelling", "queued"]
] as ReadonlyArray<"interrupted" | "waiting" | "running" | "recovering" | "cancelling" | "queued">

const journeysIn = (status: (typeof openStatuses)[number]) =>
  client.journeyRuns.list({ query: { status, order: "oldest", limit: oldestListed } })
const suitesIn = (status: (typeof openStatuses)[number]) =>
  client.testing.runs({ query: { kind: "conformance", status, order: "oldest", limit: oldestListed } })

export const openJourneysQuery = () =>
  queryOptions({
    queryKey: ["journeys", "open"],
    queryFn: async () => (await Promise.all(openStatuses.map(journeysIn))).flat(),
    refetchInterval: 20_000
  })

export const openSuitesQuery = () =>
  queryOptions({
    queryKey: ["runs", "open suites"],
    queryFn: async () =>
      (await Promise.all((["interrupted", "running", "cancelling", "queued"] as const).map(suitesIn))).flat(),
    refetchInterval: 20_000
  })

/** Runs that wait for somebody, of both kinds: for a person, or for the partner and the clock. */
export interface WaitingRuns {
  readonly journeys: ReadonlyArray<Journey>
  readonly suites: ReadonlyArray<RunReport>
}

/** A conformance run goes on while it waits: its status does not say so. */
export const waitingRunsQuery = () =>
  queryOptions({
    queryKey: ["runs", "waiting"],
    queryFn: async (): Promise<WaitingRuns> => {
      const [stopped, waiting, stoppedSuites, suites] = await Promise.all([
        journeysIn("interrupted"),
        journeysIn("waiting"),
        suitesIn("interrupted"),
        suitesIn("running")
      ])
      return {
        journeys: [...stopped, ...waiting],
        suites: [...stoppedSuites, ...suites.filter(({ waitingFor }) => waitingFor !== undefined)]
      }
    },
    refetchInterval: 20_000
  })

/** Whether a person has to act for the run. Only an interrupted journey offers decisions: a conformance run goes on by itself. */
export const needsPerson = (run: Journey | RunReport): boolean =>
  (run.status === "interrupted" && !("kind" in run && run.kind === "conformance")) ||
  run.waitingFor?.party === "operator"
