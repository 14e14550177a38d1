/**
 * What a party has done of its own accord, under names: `catalogue`, `outage`; and under `keeper` which process does it
 * (carrying.ts). Served by no module.
 */
export const activityModule = "activity"

export const keeperKey = "keeper"
