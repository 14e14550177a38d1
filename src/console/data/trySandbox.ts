/** A partner to try everything with: made by the service, connected, and registered. */
import { client } from "./client.ts"
import type { Answer, Connection } from "./queries.ts"

/** Connects a sandbox partner and registers with it. */
export async function connectSandbox(partner: Answer<"sandbox.create">): Promise<Connection> {
  const { ocpiVersion, partnerBaseUrl, theirRole, tokenA } = partner
  if (tokenA === null) throw new Error("This partner has given its Token A already: make another one")
  const made = await client.connections.create({
    body: {
      partnerBaseUrl,
      tokenA,
      theirRole,
      ourRole: theirRole === "CPO" ? "EMSP" : "CPO",
      ocpiVersion,
      label: `sandbox ${theirRole} ${ocpiVersion}`
    }
  })
  return await client.connections.handshake({ path: { id: made._id } })
}

/** One click from nothing to a graded run: a conformant partner of the newest version, and its shortest suite. */
export async function trySandbox(): Promise<Answer<"testing.startRun">> {
  const suites = await client.testing.suites()
  const suite = suites.filter(({ id }) => id.endsWith("-cpo-core")).at(-1)
  if (suite === undefined) throw new Error("This service has no suite for a CPO")
  const partner = await client.sandbox.create({ body: { theirRole: "CPO", ocpiVersion: suite.ocpiVersion } })
  const { _id } = await connectSandbox(partner)
  return await client.testing.startRun({ body: { connectionId: _id, suiteId: suite.id } })
}
