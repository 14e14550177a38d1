/** Objects of a list as a reader knows them. */

import { itemsOf } from "../../../findings/answers.ts"
import { isObject, textIn } from "../../../findings/json.ts"
import { shown } from "../../../findings/words.ts"
import type { Answered } from "../../model/Evidence.ts"
import { identity } from "./movement.ts"

/** The object for a reader: `LOC056 of NL HLD`. */
export const nameOfItem = (item: unknown): string => {
  if (!isObject(item)) return shown(item)
  const id = textIn(item["id"]) ?? textIn(item["uid"]) ?? "an object without an id"
  const owner = [item["country_code"], item["party_id"]].flatMap((part) => textIn(part) ?? []).join(" ")
  return owner === "" ? id : `${id} of ${owner}`
}

/** Some of the objects of the pages for a reader, by their `identity`: at most five. */
export const namesOf = (pages: ReadonlyArray<Answered>, keys: ReadonlyArray<string>): string => {
  const names = new Map(
    pages.flatMap((page) => (itemsOf(page) ?? []).map((item) => [identity(item), nameOfItem(item)]))
  )
  return keys
    .slice(0, 5)
    .map((key) => names.get(key) ?? key)
    .join(", ")
}
