/**
 * Module, none of OCPI, of what a party has done unasked: objects `catalogue` and `outage`, and under `keeper` the
 * process that does it (claims.ts).
 */
export const activityModule = "activity"

/** Key of the record that names the process. */
export const keeperKey = "keeper"
