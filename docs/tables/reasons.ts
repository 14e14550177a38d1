/** Why nothing checks a row of the catalogue, where the row itself does not tell. A row that is done needs none. */

const secondConnection =
  "needs a second EMSP of ours, registered at the partner by a Token A of its own; a run belongs to one connection and writes through no other"

export const reasons: Readonly<Record<string, string>> = {
  "CMD-027": secondConnection,
  "CMD-036": secondConnection,
  "HUB-004": "needs us to play a hub with a second party behind it"
}
