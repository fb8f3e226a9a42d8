/** Longer texts are collapsed. */
const shownLength = 1_000
/** Fewer characters more are not worth a press. */
const spare = 100

/** At the last blank before the limit; never splits a surrogate pair. */
const beginningOf = (text: string): string => {
  const cut = text.slice(0, shownLength).replace(/[\ud800-\udbff]$/, '')
  const blank = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'))
  return blank > shownLength / 2 ? cut.slice(0, blank) : cut
}

export const shownAtFirst = (text: string): string =>
  text.length > shownLength + spare ? `${beginningOf(text)}…` : text
