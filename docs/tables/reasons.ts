/** Why nothing checks a row of the catalogue, where the row itself does not tell. A row that is done needs none. */

const begunByPartner =
  "needs a registration that the partner begins; its refusals are told to the owner of the connection instead"
const ourMisbehaviour = (how: string) => `needs our own side to misbehave on purpose: ${how}`
const secondConnection =
  "needs a second EMSP of ours, registered at the partner by a Token A of its own; a run belongs to one connection and writes through no other"

export const reasons: Readonly<Record<string, string>> = {
  "CRED-031": "needs a partner that calls by itself after the grace of a rotation is over",
  "CRED-032": "needs our endpoints to move during a run",
  "CRED-033": "needs a run that goes over to another version",
  "CRED-037": "a call with a token that is dead belongs to nobody, and is not kept",
  ...Object.fromEntries([41, 42, 43, 44, 45, 46].map((number) => [`CRED-0${number}`, begunByPartner])),
  "CRED-047": ourMisbehaviour("its answers during a registration would have to be late"),
  "TRANS-056": ourMisbehaviour("a push would have to be answered with HTTP 500"),
  "TRANS-057": ourMisbehaviour("it would have to be away for ten minutes"),
  "TRANS-058": ourMisbehaviour("one of its lists would have to hold an invalid object"),
  "CMD-027": secondConnection,
  "CMD-036": secondConnection,
  "HUB-004": "needs us to play a hub with a second party behind it"
}
