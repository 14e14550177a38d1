/** What a party has done of its own accord, under names: `catalogue`, `outage`. Served by no module. */
export const activityModule = "activity"
