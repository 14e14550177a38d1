/** Sandbox partners and faults as the API shows them. */
import type { FaultView, SandboxPartner } from "../../../schema/Sandbox.ts"
import { faultLibrary } from "../../sandbox/faults/faultLibrary.ts"
import type { Party } from "../../store/parties/Party.ts"

/** A party with the time at which it was stored, ISO 8601 UTC. */
export type StoredParty = Party & { readonly createdAt: string }

/** The partner as the API shows it. `tokenA` is null except where it was just made; `partnerBaseUrl` is its versions URL. */
export const partnerView = (
  party: StoredParty,
  tokenA: string | null,
  partnerBaseUrl: string
): SandboxPartner => ({
  _id: party.id,
  theirRole: party.role,
  ocpiVersion: party.version,
  partnerBaseUrl,
  tokenA,
  faults: party.sandbox?.faults ?? [],
  seed: party.sandbox?.seed ?? 0,
  speed: party.sandbox?.speed ?? 1,
  activity: party.sandbox?.activity ?? "quiet",
  registered: party.registration === "registered",
  ...(typeof party.lastError === "string" ? { lastError: party.lastError } : {}),
  createdAt: party.createdAt
})

/** Every fault of the library. */
export const faultViews: ReadonlyArray<FaultView> = faultLibrary.map(
  ({ caughtBy, description, id, module, roles, strength, versions }) => ({
    id,
    module,
    versions,
    roles,
    strength,
    description,
    caughtBy
  })
)
