/** What follows the form, so that nobody fears to send it. */
export const WhatFollows = ({
  invites,
  ourRole
}: {
  readonly invites: boolean
  readonly ourRole: string
}) => (
  <aside className="card stack tight" aria-label="What happens next">
    <h2>What happens next</h2>
    <ol className="bullets numbers">
      {invites ? (
        <>
          <li>plugfest issues a Token A and shows it once, with its own versions URL.</li>
          <li>You give both to the partner, over a channel that you trust.</li>
          <li>The partner registers; the connection's page shows the handshake as it happens.</li>
        </>
      ) : (
        <>
          <li>
            The preflight looks from the network up to OCPI, and changes nothing at the partner: address, TLS,
            token, version.
          </li>
          <li>
            You register: GET versions, GET version details, POST credentials. The page draws each message.
          </li>
          <li>Then a suite or a journey tests the partner, with plugfest as {ourRole}.</li>
        </>
      )}
    </ol>
    <p className="quiet small">
      The partner has to reach this service, too: behind a firewall, start the service with PUBLIC_URL.
    </p>
  </aside>
)
