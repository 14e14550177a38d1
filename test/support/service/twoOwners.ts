/** Two accounts on one service, each with one of everything that an account can own. Needs no Vitest. */
import type { IdKind } from "./operations.ts"
import { connect, type Service, until } from "./Service.ts"

const api = "/api/v1"

/** Whose things these are: his key as a header, and the id of each kind of thing. */
export interface Owner {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** Ids for the places of the generator. */
  readonly ids: Readonly<Record<Exclude<IdKind, "open">, string>>
  /** Every id that he has, those of the second run too. */
  readonly all: ReadonlyArray<string>
  /** A word that stands in what he owns and nowhere else. */
  readonly mark: string
}

/** Makes one of everything with this key, and waits until nothing of it moves any more. */
export async function furnish(
  service: Service,
  name: string,
  headers: Record<string, string>
): Promise<Owner> {
  const mark = `mark-of-${name}`
  const post = async (path: string, body: object, status: number) => {
    const answer = await service.call("POST", api + path, body, headers)
    if (answer.status !== status) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`)
    return answer.body.data
  }
  const as: Service = {
    ...service,
    call: (method, path, body, more = {}) => service.call(method, path, body, { ...headers, ...more })
  }
  const partner = await post(
    "/sandbox/partners",
    { theirRole: "CPO", ocpiVersion: "2.2.1", seed: 1, activity: "quiet" },
    201
  )
  const registered = await connect(as, partner)
  const { partnerBaseUrl } = partner
  const labelled = await post(
    "/connections",
    {
      partnerBaseUrl,
      tokenA: `${mark}-token`,
      ourRole: "EMSP",
      theirRole: "CPO",
      ocpiVersion: "2.2.1",
      label: mark
    },
    201
  )
  const connectionId = registered
  const suite = await post(
    "/testing/runs",
    { connectionId, suiteId: "ocpi-2.2.1-cpo-core", modules: ["versions"] },
    202
  )
  const scenario = await post("/testing/scenarios", { name: mark, templateId: "first-reads" }, 201)
  const journey = await post("/testing/journey-runs", { connectionId, scenarioId: scenario.id }, 202)
  for (const id of [suite._id, journey.reportId]) {
    await until(`run ${id} of ${name} to end`, async () => {
      const { body } = await as.call("GET", `${api}/testing/runs/${id}?wait=5`)
      return body.data.verdict === null ? undefined : true
    })
  }
  const command = await post("/testing/command", { connectionId, command: "UNLOCK_CONNECTOR" }, 200)
  const key = await post("/settings/api-keys", { name: mark, scopes: ["read"] }, 201)
  const over = await until(`the command of ${name} to be over`, async () => {
    const { body } = await as.call("GET", `${api}/testing/commands/${command.commandId}`)
    return ["sent", "accepted"].includes(body.data.state) ? undefined : body.data
  })
  const ids = {
    connection: registered,
    sandbox: partner._id,
    report: suite._id,
    run: journey.runId,
    command: over.commandId,
    scenario: scenario.id,
    key: key._id
  }
  return {
    name,
    headers,
    ids,
    all: [...Object.values(ids), labelled._id, suite.runId, journey.reportId],
    mark
  }
}
