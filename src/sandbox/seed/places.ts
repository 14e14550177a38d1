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
  {
    name: "Utrecht Centraal",
    address: "Stationsplein 1",
    city: "Utrecht",
    postalCode: "3511 ED",
    country: "NLD",
    countryCode: "NL",
    latitude: 52.090142,
    longitude: 5.109665,
    timeZone: "Europe/Amsterdam",
    kind: "street"
  },
  {
    name: "Rotterdam Markthal",
    address: "Verlengde Nieuwstraat 1",
    city: "Rotterdam",
    postalCode: "3011 GM",
    country: "NLD",
    countryCode: "NL",
    latitude: 51.919957,
    longitude: 4.486769,
    timeZone: "Europe/Amsterdam",
    kind: "garage"
  },
  {
    name: "Berlin Alexanderplatz",
    address: "Alexanderplatz 7",
    city: "Berlin",
    postalCode: "10178",
    country: "DEU",
    countryCode: "DE",
    latitude: 52.521918,
    longitude: 13.413215,
    timeZone: "Europe/Berlin",
    kind: "street"
  },
  {
    name: "Muenchen Messe",
    address: "Messeplatz 1",
    city: "Muenchen",
    postalCode: "81829",
    country: "DEU",
    countryCode: "DE",
    latitude: 48.137154,
    longitude: 11.702254,
    timeZone: "Europe/Berlin",
    kind: "lot"
  },
  {
    name: "Gent Sint-Pieters",
    address: "Koningin Maria Hendrikaplein 1",
    city: "Gent",
    postalCode: "9000",
    country: "BEL",
    countryCode: "BE",
    latitude: 51.036097,
    longitude: 3.710634,
    timeZone: "Europe/Brussels",
    kind: "garage"
  },
  {
    name: "Luxembourg Gare",
    address: "Place de la Gare 11",
    city: "Luxembourg",
    postalCode: "1616",
    country: "LUX",
    countryCode: "LU",
    latitude: 49.599971,
    longitude: 6.133646,
    timeZone: "Europe/Luxembourg",
    kind: "street"
  },
  {
    name: "Lyon Part-Dieu",
    address: "Boulevard Vivier Merle 5",
    city: "Lyon",
    postalCode: "69003",
    country: "FRA",
    countryCode: "FR",
    latitude: 45.760583,
    longitude: 4.859438,
    timeZone: "Europe/Paris",
    kind: "garage"
  },
  {
    name: "Paris Bercy",
    address: "Rue de Bercy 48",
    city: "Paris",
    postalCode: "75012",
    country: "FRA",
    countryCode: "FR",
    latitude: 48.838703,
    longitude: 2.381492,
    timeZone: "Europe/Paris",
    kind: "garage"
  },
  {
    name: "Valencia Nord",
    address: "Carrer de Xativa 24",
    city: "Valencia",
    postalCode: "46007",
    country: "ESP",
    countryCode: "ES",
    latitude: 39.466531,
    longitude: -0.377408,
    timeZone: "Europe/Madrid",
    kind: "street"
  },
  {
    name: "Milano Centrale",
    address: "Piazza Duca d'Aosta 1",
    city: "Milano",
    postalCode: "20124",
    country: "ITA",
    countryCode: "IT",
    latitude: 45.485188,
    longitude: 9.202954,
    timeZone: "Europe/Rome",
    kind: "lot"
  },
  {
    name: "Helsinki Pasila",
    address: "Pasilansilta 9",
    city: "Helsinki",
    postalCode: "00520",
    country: "FIN",
    countryCode: "FI",
    latitude: 60.198742,
    longitude: 24.933643,
    timeZone: "Europe/Helsinki",
    kind: "lot"
  }
]
