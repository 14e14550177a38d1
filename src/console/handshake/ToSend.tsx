import { useQuery } from "@tanstack/react-query"
import { type Connection, ownVersionsUrlQuery } from "../data/queries.ts"
import { CopyBlock } from "../elements/Copy.tsx"
import { Shown } from "../elements/States.tsx"
import { Time, Until } from "../elements/Time.tsx"
import { isUnderWay } from "./handshakeSteps.ts"
import { OwnVersionsUrl } from "./Invitation.tsx"

/** What an invited partner needs in order to register with us, until it has. */
export function ToSend({ connection }: { readonly connection: Connection }) {
  const { invitation, status } = connection
  const url = useQuery(ownVersionsUrlQuery())
  if (invitation === null || status === "registered" || isUnderWay(connection)) return null
  if (invitation.state === "expired")
    return (
      <section className="card stack" aria-label="What to send to the partner">
        <h2>The invitation has expired</h2>
        <p>
          The partner did not register before <Until at={invitation.expiresAt} />. “Invite the partner” issues
          another Token A.
        </p>
      </section>
    )
  if (invitation.state !== "open") return null
  return (
    <section className="card stack" aria-label="What to send to the partner">
      <h2>What to send to the partner</h2>
      <p>
        The partner was invited <Time at={invitation.issuedAt} /> and has not registered. Its Token A was
        shown then and is valid until <Until at={invitation.expiresAt} />. If it is lost, “Invite the partner”
        issues another one, and ends this one.
      </p>
      <Shown of={url}>
        {(versionsUrl) => (
          <>
            <OwnVersionsUrl url={versionsUrl} />
            <details>
              <summary>A message with what the partner has to do</summary>
              <CopyBlock text={messageFor(connection, versionsUrl)} />
            </details>
          </>
        )}
      </Shown>
    </section>
  )
}

const messageFor = ({ ocpiVersion, ourRole, theirRole }: Connection, versionsUrl: string): string =>
  [
    `Please register your OCPI ${ocpiVersion} ${theirRole} with our ${ourRole}.`,
    "",
    `Versions URL: ${versionsUrl}`,
    "Token A: we send it over another channel.",
    "",
    `1. GET the versions URL, with Token A in the header Authorization: Token …, in the form of OCPI ${ocpiVersion}.`,
    `2. GET the details of version ${ocpiVersion}, with the same header.`,
    "3. POST your credentials to the credentials endpoint that they name. They have your versions URL and the token by which we call you.",
    "4. We then call your versions URL with that token. From our answer on, use the token in it instead of Token A."
  ].join("\n")
