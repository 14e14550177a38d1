/** A CPO: its charge points, and what it does with them when it is asked. */
import { ChargePoints, type Platform } from "./ChargePoints.ts"
import { ChargingProfiles } from "./ChargingProfiles.ts"
import { Commands } from "./Commands.ts"

/** The operator of a stranger. */
export class Operator {
  readonly points: ChargePoints
  readonly commands: Commands
  readonly profiles: ChargingProfiles

  constructor(platform: Platform) {
    this.points = new ChargePoints(platform)
    this.commands = new Commands(platform, this.points)
    this.profiles = new ChargingProfiles(platform, this.points)
  }
}
