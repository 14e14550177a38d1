/** Where to read on after a run: the command that saves its report, and the console. `id`: of the report. */
export const readOn = (id: string): string =>
  `the whole report: plugfest report ${id} --format html --out report.html; in a browser: plugfest open`
