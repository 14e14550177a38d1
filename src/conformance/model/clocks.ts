/** How much the partner's clock may differ from ours, in milliseconds, until a check says so (TRANS-014). */
export const clockSkewMillis = 300_000
