/**
 * Faults of the sandbox that the report tells as several causes, and why each is no single one. What is not here has to be one cause.
 */
export const severalCauses: Readonly<Record<string, string>> = {
  "paging.objects-of-others":
    "Each list has every object once more, under another owner: that is too many objects, and objects of a party that nobody names.",
  "sessions.changed-after-end":
    "The push after the end also has a kwh of null: a value that is none, and a session that changes when it is over."
}
