/** The places of a check's findings, each under an id for the URL: `kind.place`, both counted from 0. Pure. */
import type { Assertion } from "../../client/plugfest.ts"

type Place = NonNullable<Assertion["findings"]>[number]["places"][number]

export const placeIdOf = (kind: number, place: number): string => `${kind}.${place}`

/** The place that the URL names. */
export function placeById({ findings = [] }: Assertion, id: string | undefined): Place | undefined {
  const [kind = "", place = ""] = id?.split(".") ?? []
  return findings[Number(kind || "-1")]?.places[Number(place || "-1")]
}

/** The first place that lies in an exchange, or in this one. */
export const firstPlace = ({ findings = [] }: Assertion, exchangeId?: string): Place | undefined =>
  findings
    .flatMap(({ places }) => places)
    .find((place) =>
      exchangeId === undefined ? place.exchangeId !== undefined : place.exchangeId === exchangeId
    )
