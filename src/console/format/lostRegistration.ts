/** A registration that the partner has lost, as the checks of a run say it, and the form that registers anew. Pure. */
import type { Data } from "../../client/plugfest.ts"

/** How the service begins the reason of each check of a run that could not begin for that. */
const forgotten = "The partner has lost the registration"

export const isRegistrationLost = (checks: ReadonlyArray<{ readonly reason?: string }>): boolean =>
  checks.some(({ reason }) => reason?.startsWith(forgotten) === true)

/** The form's part of the URL that enters this partner once more. The token is a secret, and has to be a new one. */
export const entryOf = ({
  environment,
  label,
  ocpiVersion,
  partnerBaseUrl,
  theirRole
}: Pick<
  Data<"connections.read">,
  "environment" | "label" | "ocpiVersion" | "partnerBaseUrl" | "theirRole"
>): Readonly<Record<string, string>> => ({
  url: partnerBaseUrl,
  role: theirRole,
  version: ocpiVersion,
  label,
  ...(environment === "production" ? { environment } : {})
})
