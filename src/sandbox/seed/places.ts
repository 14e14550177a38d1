/** The addresses of the sandbox's locations: public places, all in the euro area. */

/** An address of a sandbox location, in decimal degrees and with its IANA time zone. */
export interface SeedPlace {
  readonly name: string
  readonly address: string
  readonly city: string
  readonly postalCode: string
  /** ISO 3166-1 alpha-3. */
  readonly country: string
  /** ISO 3166-1 alpha-2, for EVSE ids. */
  readonly countryCode: string
  readonly latitude: number
  readonly longitude: number
  readonly timeZone: string
  readonly kind: "street" | "garage" | "lot"
}

/** The places of the sandbox's locations, one location each. */
export const places: ReadonlyArray<SeedPlace> = [
  place(
    "Utrecht Centraal",
    "Stationsplein 1",
    "Utrecht",
    "3511 ED",
    "NLD",
    "NL",
    52.090142,
    5.109665,
    "Europe/Amsterdam",
    "street"
  ),
  place(
    "Rotterdam Markthal",
    "Verlengde Nieuwstraat 1",
    "Rotterdam",
    "3011 GM",
    "NLD",
    "NL",
    51.919957,
    4.486769,
    "Europe/Amsterdam",
    "garage"
  ),
  place(
    "Berlin Alexanderplatz",
    "Alexanderplatz 7",
    "Berlin",
    "10178",
    "DEU",
    "DE",
    52.521918,
    13.413215,
    "Europe/Berlin",
    "street"
  ),
  place(
    "Muenchen Messe",
    "Messeplatz 1",
    "Muenchen",
    "81829",
    "DEU",
    "DE",
    48.137154,
    11.702254,
    "Europe/Berlin",
    "lot"
  ),
  place(
    "Gent Sint-Pieters",
    "Koningin Maria Hendrikaplein 1",
    "Gent",
    "9000",
    "BEL",
    "BE",
    51.036097,
    3.710634,
    "Europe/Brussels",
    "garage"
  ),
  place(
    "Luxembourg Gare",
    "Place de la Gare 11",
    "Luxembourg",
    "1616",
    "LUX",
    "LU",
    49.599971,
    6.133646,
    "Europe/Luxembourg",
    "street"
  ),
  place(
    "Lyon Part-Dieu",
    "Boulevard Vivier Merle 5",
    "Lyon",
    "69003",
    "FRA",
    "FR",
    45.760583,
    4.859438,
    "Europe/Paris",
    "garage"
  ),
  place(
    "Paris Bercy",
    "Rue de Bercy 48",
    "Paris",
    "75012",
    "FRA",
    "FR",
    48.838703,
    2.381492,
    "Europe/Paris",
    "garage"
  ),
  place(
    "Valencia Nord",
    "Carrer de Xativa 24",
    "Valencia",
    "46007",
    "ESP",
    "ES",
    39.466531,
    -0.377408,
    "Europe/Madrid",
    "street"
  ),
  place(
    "Milano Centrale",
    "Piazza Duca d'Aosta 1",
    "Milano",
    "20124",
    "ITA",
    "IT",
    45.485188,
    9.202954,
    "Europe/Rome",
    "lot"
  ),
  place(
    "Helsinki Pasila",
    "Pasilansilta 9",
    "Helsinki",
    "00520",
    "FIN",
    "FI",
    60.198742,
    24.933643,
    "Europe/Helsinki",
    "lot"
  )
]

function place(
  name: string,
  address: string,
  city: string,
  postalCode: string,
  country: string,
  countryCode: string,
  latitude: number,
  longitude: number,
  timeZone: string,
  kind: SeedPlace["kind"]
): SeedPlace {
  return { name, address, city, postalCode, country, countryCode, latitude, longitude, timeZone, kind }
}
