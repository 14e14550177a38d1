import type { Answer } from "../data/queries.ts"
import { CopyBlock } from "../elements/Copy.tsx"
import { Until } from "../elements/Time.tsx"

const isOfThisMachine = (url: string): boolean =>
  URL.canParse(url) && /^(127\.|\[::1\]$|(.+\.)?localhost$)/.test(new URL(url).hostname)

/** Our versions URL to copy, and that nobody else can reach it where that is so. */
export const OwnVersionsUrl = ({ url }: { readonly url: string }) => (
  <>
    <h3>Versions URL</h3>
    <CopyBlock text={url} />
    {isOfThisMachine(url) ? (
      <p className="note warn small">
        Only a partner on this machine can reach this URL. For any other, start the service with PUBLIC_URL,
        and invite the partner again.
      </p>
    ) : null}
  </>
)

/** What the partner needs to register with us; the token is in this answer and in no other. */
export const Invitation = ({
  invitation: { expiresAt, token, versionsUrl }
}: {
  readonly invitation: Answer<"connections.invite">
}) => (
  <>
    <p>Give both to the partner. The token is shown this once.</p>
    <OwnVersionsUrl url={versionsUrl} />
    <h3>Token A</h3>
    <CopyBlock text={token} />
    <p className="quiet">
      Valid until <Until at={expiresAt} />.
    </p>
  </>
)
