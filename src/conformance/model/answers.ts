/** What the checks of receivers import from here. */
export { dataOf, envelope, header, named, statusLine, succeeded } from "../../findings/answers.ts"
export { isObject, type JsonObject as Json } from "../../findings/json.ts"
export { shown } from "../../findings/words.ts"
