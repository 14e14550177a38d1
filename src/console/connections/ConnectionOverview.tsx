import type { Connection } from "../data/queries.ts"
import { Time, Until } from "../elements/Time.tsx"
import { Dialect } from "./Dialect.tsx"
import { Modules } from "./Modules.tsx"

/** The partner, its dialect, and the modules that were negotiated. */
export function ConnectionOverview({ connection }: { readonly connection: Connection }) {
  const { invitation, partner, partnerBaseUrl, registeredAt } = connection
  return (
    <>
      <div className="columns">
        <section className="card">
          <h2>Partner</h2>
          <dl className="facts">
            <dt>Versions URL</dt>
            <dd className="mono">{partnerBaseUrl}</dd>
            {(partner ?? []).map(({ countryCode, name, partyId, role }) => (
              <div key={`${role} ${countryCode} ${partyId}`} className="contents">
                <dt>{role}</dt>
                <dd>
                  {name} ({countryCode} {partyId})
                </dd>
              </div>
            ))}
            <dt>Registered</dt>
            <dd>{registeredAt === null ? "not yet" : <Time at={registeredAt} />}</dd>
            {invitation === null ? null : (
              <>
                <dt>Invitation</dt>
                <dd>
                  {invitation.state}, until <Until at={invitation.expiresAt} />
                </dd>
              </>
            )}
          </dl>
        </section>
        <Dialect connection={connection} />
      </div>
      <Modules connection={connection} />
    </>
  )
}
