/** A partner to try everything with: made by the service, connected, and registered. */
import { client } from "./client.ts"
import type { Answer, Connection } from "./queries.ts"

/**
 * Registers with a sandbox partner, in its connection or in a new one. Where its Token A is not known, it issues another one; where it is
 * registered with a connection that is gone, it forgets that first.
 */
export async function connectSandbox(
  partner: Answer<"sandbox.create">,
  known?: Connection
): Promise<Connection> {
  const { _id: id, ocpiVersion, partnerBaseUrl, registered, theirRole } = partner
  if (registered) await client.sandbox.leave({ path: { id } })
  const tokenA = partner.tokenA ?? (await client.sandbox.issueToken({ path: { id } })).tokenA!
  if (known !== undefined)
    return await client.connections.handshake({ path: { id: known._id }, body: { tokenA } })
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
