import type { Input } from "../../client/plugfest.ts"
import { client } from "../data/client.ts"
import type { Answer, Connection } from "../data/queries.ts"

/** What the form says of a partner; without a Token A it is invited. */
export type PartnerEntry = Omit<Input<"connections.create">["body"], "tokenA" | "label"> & {
  readonly tokenA: string | undefined
  readonly label: string | undefined
}

/** Enters a partner and, where nobody has a token of it yet, issues one with which it can register. */
export async function enterPartner({ label, tokenA, ...entry }: PartnerEntry): Promise<{
  readonly made: Connection
  readonly invitation?: Answer<"connections.invite">
  /** Why the partner is entered and not invited. */
  readonly problem?: unknown
}> {
  const made = await client.connections.create({
    body: {
      ...entry,
      ...(tokenA === undefined ? {} : { tokenA }),
      ...(label === undefined ? {} : { label })
    }
  })
  if (tokenA !== undefined) return { made }
  try {
    return { made, invitation: await client.connections.invite({ path: { id: made._id } }) }
  } catch (problem) {
    return { made, problem }
  }
}

/**
 * Whether the partner was invited and has not registered. There is then no Token A, or, in a connection that an earlier release
 * made, one that nobody issued: neither a registration nor a diagnosis with it is offered.
 */
export const awaitsPartner = ({ invitation, status }: Connection): boolean =>
  status === "pending" && invitation !== null
