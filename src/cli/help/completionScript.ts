/** Completions as the library writes them, put right. Pure. */

/** The script for bash with the choices of an option as words: the library joins them by commas, which compgen takes for one word. */
export const completionScript = (script: string): string =>
  script.replace(
    /compgen -W "([^"\n]*)"/g,
    (_, words: string) => `compgen -W "${words.replaceAll(",", " ")}"`
  )
