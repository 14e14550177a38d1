/** The query parameter `wait` of the reads that wait for a run. */

const maxWaitSeconds = 30

/** In seconds: 1 to 30; more is reduced to 30, anything else is 0, which means no wait. */
export const waitSeconds = (text: string | undefined): number =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Math.min(Number(text), maxWaitSeconds) : 0
