/** Why nothing checks a row of the catalogue, where the row itself does not tell. A row that is done needs none. */

export const reasons: Readonly<Record<string, string>> = {}
