/** Where countries lie, roughly. */
import { inWords } from "../../../findings/words.ts"

interface Box {
  readonly south: number
  readonly north: number
  readonly west: number
  readonly east: number
}

/** Generous boxes, islands included, for the countries where most chargers stand: south, north, west, east. */
const boxes: Readonly<Record<string, readonly [number, number, number, number]>> = {
  AUT: [46.2, 49.2, 9.3, 17.3],
  AUS: [-44, -9, 112, 160],
  BEL: [49.3, 51.7, 2.3, 6.6],
  BGR: [41, 44.4, 22.2, 28.8],
  CAN: [41.5, 83.3, -141.2, -52.4],
  CHE: [45.7, 47.9, 5.8, 10.7],
  CHN: [17.5, 53.8, 73.3, 135.3],
  CYP: [34.4, 35.9, 32, 34.8],
  CZE: [48.4, 51.2, 12, 19],
  DEU: [47.1, 55.3, 5.7, 15.2],
  DNK: [54.4, 58, 7.9, 15.4],
  ESP: [27.4, 44, -18.4, 4.6],
  EST: [57.4, 60, 21.4, 28.4],
  FIN: [59.3, 70.3, 19, 31.8],
  FRA: [41.1, 51.3, -5.4, 9.8],
  GBR: [49.7, 61, -8.9, 2],
  GRC: [34.6, 42, 19.1, 29.9],
  HRV: [42.2, 46.7, 13.3, 19.6],
  HUN: [45.6, 48.7, 16, 23],
  IND: [6.4, 37.2, 67.9, 97.6],
  IRL: [51.2, 55.6, -10.8, -5.8],
  ISL: [63, 67.4, -24.8, -13.2],
  ISR: [29.3, 33.5, 34.1, 36],
  ITA: [35.3, 47.2, 6.5, 18.7],
  JPN: [20.2, 45.7, 122.7, 154.2],
  KOR: [32.9, 38.8, 124.4, 132],
  LIE: [46.9, 47.4, 9.3, 9.8],
  LTU: [53.7, 56.6, 20.8, 27],
  LUX: [49.3, 50.3, 5.6, 6.7],
  LVA: [55.5, 58.2, 20.8, 28.4],
  MEX: [14.4, 32.9, -118.6, -86.5],
  MLT: [35.7, 36.2, 14, 14.7],
  NLD: [50.6, 53.8, 3.2, 7.4],
  NOR: [57.7, 71.5, 4.2, 31.5],
  NZL: [-53, -29, 160, 180],
  POL: [48.8, 55, 13.9, 24.3],
  PRT: [29.9, 42.3, -31.5, -6],
  ROU: [43.4, 48.4, 20.1, 30],
  SRB: [41.7, 46.3, 18.7, 23.2],
  SVK: [47.6, 49.7, 16.7, 22.7],
  SVN: [45.3, 47, 13.2, 16.7],
  SWE: [55.1, 69.2, 10.5, 24.3],
  TUR: [35.6, 42.3, 25.4, 45],
  UKR: [44, 52.5, 22, 40.4],
  USA: [18.7, 71.6, -179.3, -66.7]
}

const inside = ({ east, north, south, west }: Box, latitude: number, longitude: number): boolean =>
  latitude >= south && latitude <= north && longitude >= west && longitude <= east

/** Why a point is not plausible for a country; undefined when it is, or when the country's place is not known here. */
export const implausible = (country: unknown, latitude: number, longitude: number): string | undefined => {
  if (latitude === 0 && longitude === 0) return "the point is 0/0, in the Gulf of Guinea"
  const edges = typeof country === "string" && Object.hasOwn(boxes, country) ? boxes[country] : undefined
  if (edges === undefined) return undefined
  const [south, north, west, east] = edges
  const box = { south, north, west, east }
  if (inside(box, latitude, longitude)) return undefined
  return inside(box, longitude, latitude)
    ? "latitude and longitude are swapped"
    : `the point does not lie in ${inWords(country)}`
}
