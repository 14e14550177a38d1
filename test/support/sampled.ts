/** What `npm test` plays in part, another part for each commit. */

/** SAMPLE_TURN: a number that comes from the commit. Absent, as wherever tests are run by hand: everything is played. */
const turn = process.env["SAMPLE_TURN"]

/** Other digits than those that pick files: else a file that is played in turn would always play the same part. */
const within = Math.floor(Number(turn) / 1009)

/** Is only a part of everything played? */
export const isSampled: boolean = turn !== undefined

/** Which one of so many is played, from 0; where everything is, the first. */
export const turnOf = (parts: number): number => (isSampled ? within % parts : 0)

/** Of what stands in a row: is the one at this place (from 0) played, where one of so many is? */
export const isPlayed = (index: number, parts: number): boolean =>
  !isSampled || index % parts === turnOf(parts)

/** For `filter`: one of so many. */
export const oneOf =
  (parts: number) =>
  (_: unknown, index: number): boolean =>
    isPlayed(index, parts)
