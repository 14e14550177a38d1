/** The last registration that we began, found among the evidence. */
import { inconclusive, type Judgement } from "../../model/Check.ts"
import { type Answered, asAnswered, type Evidence, type Observation } from "../../model/Evidence.ts"

/** A registration that we began, as it was recorded. */
export interface Registration {
  /** Our POST or PUT credentials, and its answer. */
  readonly opener: Answered
  /** What the partner called while it was open, oldest first. */
  readonly calls: ReadonlyArray<Observation>
}

/** The registration that we began; or why there is none to look at. */
const registrationIn = (evidence: Evidence): Registration | Judgement => {
  const [first, ...others] = evidence.seen("registration")
  const [opener] = first === undefined ? [] : asAnswered(first)
  if (opener === undefined)
    return inconclusive("unobservable", "no registration is on record: run the handshake of the connection")
  if (opener.exchange.direction === "inbound")
    return inconclusive(
      "unobservable",
      "the partner registered with us: run the handshake of the connection, and it is asked from our side"
    )
  return { opener, calls: others.filter(({ exchange }) => exchange.direction === "inbound") }
}

/** Judges that registration; without one, says what there is to do. */
export const judged =
  (judge: (registration: Registration, evidence: Evidence) => Judgement) =>
  (evidence: Evidence): Judgement => {
    const found = registrationIn(evidence)
    return "is" in found ? found : judge(found, evidence)
  }
