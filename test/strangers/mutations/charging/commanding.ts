/** What the rows of commands share. */
import type { Json } from "../../partner/objects/validity.ts"
import type { Call } from "../../partner/wire.ts"
import { type At, at, data, isResult, json, sending, set, those } from "../bends.ts"

export const commands = at("commands", "POST")
export const command =
  (name: string): At =>
  (asked, where) =>
    commands(asked, where) && where.below[0] === name
export const accepted = { http: 200, code: 1000, data: { result: "ACCEPTED", timeout: 30 } }
export const answer = (edit: (json: Json) => unknown) => data(commands, edit)
export const result = (edit: (call: Call) => Call | ReadonlyArray<Call>) => sending(isResult, edit)
export const results = (word: string) => result(json(set({ result: word })))
export const isOurs = (session: Json) => session["auth_method"] !== "WHITELIST"
export const started = (edit: (one: Json) => Json) => those("Session", isOurs, edit)
export const isReservation = (session: Json) => session["status"] === "RESERVATION"
export const rejected = (reason: string): Json => ({ result: reason, timeout: 30 })

export function isRejected(value: unknown): boolean {
  return (value as Json | undefined)?.["result"] === "REJECTED"
}
