/** What the pages read, each under one key, so that pages share answers. */
import {
  infiniteQueryOptions,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions
} from "@tanstack/react-query"
import { type Data, type OperationId, PlugfestError } from "../../client/plugfest.ts"
import type { ReportCause } from "../format/ReportCause.ts"
import { client } from "./client.ts"
import { pagesOf } from "./pagesOf.ts"
import { readSession } from "./session.ts"

/** What an operation answers. */
export type Answer<Id extends OperationId> = Data<Id>
export type Connection = Data<"connections.read">
export type Journey = Data<"journeyRuns.read">
export type Exchange = Data<"connections.exchanges">[number]
export type Machine = Data<"machines.read">

const sessionKey = ["session"]

/** A session that has ended shows the page for signing in, wherever it is noticed. */
const noticeEnd = (error: unknown) => {
  if (error instanceof PlugfestError && error.status === 401) queries.setQueryData(sessionKey, null)
}
/** An answer of the service is final; no answer is asked for again. */
const isFinal = (error: unknown) => error instanceof PlugfestError && error.status !== undefined

/** The cache of all answers. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      networkMode: "always",
      retry: (count, error) => count < 2 && !isFinal(error)
    },
    mutations: { networkMode: "always" }
  }
})

const open = new Set(["queued", "running", "waiting", "interrupted", "recovering", "cancelling"])
/** Whether events can follow. */
export const isOpen = (status: string | undefined): boolean => status !== undefined && open.has(status)

export const sessionQuery = () =>
  queryOptions({ queryKey: sessionKey, queryFn: readSession, staleTime: 60_000, refetchInterval: 60_000 })

/** Whether the service takes requests and its database takes writes, how long it took to say so, and why not. */
export const healthQuery = () =>
  queryOptions({
    queryKey: ["health"],
    queryFn: async () => {
      const begun = performance.now()
      const answer = await fetch("/health/ready")
      const millis = performance.now() - begun
      const { message } = answer.ok ? { message: undefined } : await answer.json()
      return { isReady: answer.ok, millis, message: message as string | undefined }
    },
    // While the service is away it is asked more often, so that the note on the page goes within seconds of its return.
    refetchInterval: ({ state }) =>
      state.status === "error" || state.data?.isReady === false ? 3_000 : 15_000,
    retry: false
  })

/** How many connections one answer has. */
export const mostConnections = 100
/** The newest connections. */
export const connectionsQuery = () =>
  queryOptions({
    queryKey: ["connections"],
    queryFn: () => client.connections.list({ query: { limit: mostConnections } }),
    refetchInterval: 20_000
  })

/** The newest connections whose last handshake failed, however many others there are. */
export const failedConnectionsQuery = () =>
  queryOptions({
    queryKey: ["connections", "failed"],
    queryFn: () => client.connections.list({ query: { limit: mostConnections, status: "failed" } }),
    refetchInterval: 20_000
  })

/** The newest connections without a registration whose partner was invited, and may or can no longer register. */
export const invitedConnectionsQuery = () =>
  queryOptions({
    queryKey: ["connections", "invited"],
    queryFn: async () =>
      (await client.connections.list({ query: { limit: mostConnections, status: "pending" } })).filter(
        ({ invitation }) => invitation?.state === "open" || invitation?.state === "expired"
      ),
    refetchInterval: 20_000
  })

/** All connections, newest first, page by page; those of the first page are kept up to date while it is the only one. */
export const connectionPagesQuery = () =>
  infiniteQueryOptions({
    queryKey: ["connections", "pages"],
    ...pagesOf(
      50,
      (query): Promise<ReadonlyArray<Connection>> => client.connections.list({ query }),
      ({ _id }) => _id
    ),
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : 20_000)
  })

export const connectionQuery = (id: string) =>
  queryOptions({ queryKey: ["connections", id], queryFn: () => client.connections.read({ path: { id } }) })

/** All that was exchanged with a partner is below this key. */
export const exchangesKey = (id: string) => ["connections", id, "exchanges"]

/** How many exchanges are read where no more are asked for. */
export const exchangesAtOnce = 100
/** The newest exchanges, and, where a registration is not among them, the oldest: it is where the traffic begins. */
export const latestExchangesQuery = (id: string) =>
  queryOptions({
    queryKey: [...exchangesKey(id), "latest"],
    queryFn: () =>
      client.connections.exchanges({ path: { id }, query: { order: "newest", limit: exchangesAtOnce } })
  })
/** The exchanges before that one, newest first. */
export const earlierExchangesQuery = (id: string, cursor: string) =>
  queryOptions({
    queryKey: [...exchangesKey(id), "before", cursor],
    queryFn: () =>
      client.connections.exchanges({
        path: { id },
        query: { order: "newest", limit: exchangesAtOnce, cursor }
      }),
    staleTime: 60_000
  })
export const firstExchangesQuery = (id: string) =>
  queryOptions({
    queryKey: [...exchangesKey(id), "first"],
    queryFn: () => client.connections.exchanges({ path: { id }, query: { limit: exchangesAtOnce } }),
    staleTime: 60_000
  })

type Direction = Exchange["direction"]
const exchangePagesOf = (
  read: (query: {
    order: "newest"
    limit: number
    direction?: Direction
    cursor?: string
  }) => Promise<ReadonlyArray<Exchange>>,
  direction: Direction | undefined,
  size: number
) =>
  pagesOf(
    size,
    (page) => read({ order: "newest", ...page, ...(direction === undefined ? {} : { direction }) }),
    ({ id }) => id
  )

/** All exchanges with a partner, newest first, page by page. */
export const exchangePagesQuery = (id: string, direction: Direction | undefined) =>
  infiniteQueryOptions({
    queryKey: [...exchangesKey(id), "pages", direction],
    ...exchangePagesOf((query) => client.connections.exchanges({ path: { id }, query }), direction, 50)
  })

/** What a sandbox partner was asked and has asked, newest first, page by page. */
export const sandboxExchangePagesQuery = (id: string, direction: Direction | undefined) =>
  infiniteQueryOptions({
    queryKey: ["sandbox", id, "exchanges", direction],
    ...exchangePagesOf((query) => client.sandbox.exchanges({ path: { id }, query }), direction, 20)
  })

type CommandName = Answer<"testing.draftCommand">["command"]
/** A command with the fields that it would be sent with; what the form begins with does not change under the user's hands. */
export const commandDraftQuery = (id: string, command: CommandName) =>
  queryOptions({
    queryKey: ["connections", id, "draft", command],
    queryFn: () => client.testing.draftCommand({ body: { connectionId: id, command } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0
  })

/** A command that was sent, asked for until its result is final. */
export const commandQuery = (id: string) =>
  queryOptions({
    queryKey: ["command", id],
    queryFn: () => client.testing.readCommand({ path: { id } }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && ["sent", "accepted"].includes(state.data.state) ? 2_000 : false
  })

/** The latest reports. */
export const runsQuery = () =>
  queryOptions({
    queryKey: ["runs", "latest"],
    queryFn: () => client.testing.runs({ query: { limit: 25 } }),
    refetchInterval: 10_000
  })

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: ["report", id],
    queryFn: () => client.testing.run({ path: { id } }),
    refetchInterval: ({ state }) => (isOpen(state.data?.status) ? 2_500 : false)
  })

/** The checks of a run at a revision: an answer never changes. */
export const checksQuery = (id: string, revision: number, running: boolean) =>
  queryOptions({
    queryKey: ["report", id, "checks", running ? "live" : revision],
    queryFn: () => client.testing.checks({ path: { id } }),
    refetchInterval: running ? 4_000 : false,
    staleTime: running ? 0 : Number.POSITIVE_INFINITY,
    placeholderData: (before) => before
  })

/** What only the whole document of a run says. */
export interface ReportDocument {
  readonly causes: ReadonlyArray<ReportCause>
  readonly name: string
  readonly reason: string | null
  readonly leftBehind: ReadonlyArray<string>
  /** Whose turn it is after a run that did not pass; absent in a file that an earlier release wrote. */
  readonly turns?: ReadonlyArray<{ readonly party: string; readonly words: string }>
  readonly unjudged: ReadonlyArray<{
    readonly reason: string
    /** Does the reason end with what to do? */
    readonly isSaid: boolean
    readonly next: string
    readonly checks: ReadonlyArray<string>
  }>
  readonly exchanges: ReadonlyArray<{ readonly stageId: string | null; readonly exchange: Exchange }>
}

export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: ["report", id, "document"],
    queryFn: async (): Promise<ReportDocument> =>
      JSON.parse(await client.testing.exportRun({ path: { id }, query: { format: "json" } })),
    staleTime: Number.POSITIVE_INFINITY
  })

export const journeyQuery = (id: string) =>
  queryOptions({
    queryKey: ["journey", id],
    queryFn: () => client.journeyRuns.read({ path: { id } }),
    refetchInterval: ({ state }) => (isOpen(state.data?.status) ? 8_000 : false)
  })

export const suitesQuery = () =>
  queryOptions({ queryKey: ["suites"], queryFn: () => client.testing.suites(), staleTime: 600_000 })

/** The modules that a version has, by our own version details, which anybody may read. */
export const modulesQuery = (version: Connection["ocpiVersion"]) =>
  queryOptions({
    queryKey: ["modules", version],
    queryFn: async (): Promise<ReadonlyArray<string>> => {
      const { data } = await (await fetch(`/ocpi/${version}/`)).json()
      return [...new Set<string>(data.endpoints.map(({ identifier }: { identifier: string }) => identifier))]
    },
    staleTime: Number.POSITIVE_INFINITY
  })

/** Our versions URL as partners reach it, by our own list of versions, which anybody may read. */
export const ownVersionsUrlQuery = () =>
  queryOptions({
    queryKey: ["own versions"],
    queryFn: async (): Promise<string> => {
      const { data } = await (await fetch("/ocpi/versions")).json()
      return new URL("../versions", `${String(data[0].url).replace(/\/$/, "")}/`).href
    },
    staleTime: Number.POSITIVE_INFINITY
  })

/** The versions that have suites, oldest first. */
export const versionsOf = (
  suites: Answer<"testing.suites"> = []
): ReadonlyArray<Connection["ocpiVersion"]> => [...new Set(suites.map(({ ocpiVersion }) => ocpiVersion))]

export const suiteQuery = (id: string) =>
  queryOptions({
    queryKey: ["suites", id],
    queryFn: () => client.testing.suite({ path: { id } }),
    staleTime: 600_000
  })

export const journeysQuery = (connectionId?: string) =>
  queryOptions({
    queryKey: ["journeys", connectionId ?? "all"],
    queryFn: () => client.testing.journeys({ query: connectionId === undefined ? {} : { connectionId } }),
    staleTime: 60_000
  })

export const machinesQuery = () =>
  queryOptions({ queryKey: ["machines"], queryFn: () => client.machines.list(), refetchInterval: 5_000 })

export const machineQuery = (id: string) =>
  queryOptions({
    queryKey: ["machines", id],
    queryFn: () => client.machines.read({ path: { id: id as Machine["id"] } }),
    staleTime: 600_000
  })

export const partnersQuery = () =>
  queryOptions({ queryKey: ["sandbox"], queryFn: () => client.sandbox.list() })

export const faultsQuery = () =>
  queryOptions({
    queryKey: ["sandbox", "faults"],
    queryFn: () => client.sandbox.faults(),
    staleTime: 600_000
  })
