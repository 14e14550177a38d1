/** The published client, signed in by the browser's cookie. The header shows the service that a page of ours asks, and no form. */
import { plugfest } from "../../client/plugfest.ts"

export const client = plugfest({
  url: window.location.origin,
  headers: { "x-plugfest-console": "1" },
  // Pages show an error soon, and ask again by themselves.
  patienceMillis: 6_000
})

/** Follows runs for as long as the page is open. */
export const patientClient = plugfest({
  url: window.location.origin,
  headers: { "x-plugfest-console": "1" },
  patienceMillis: Number.POSITIVE_INFINITY
})
