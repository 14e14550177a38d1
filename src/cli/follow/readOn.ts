/** Where to read on after a run: the console, and the command that prints its report or saves it. `id`: of the report. */
export const readOn = (id: string): string => `more: plugfest open; plugfest report ${id}`
