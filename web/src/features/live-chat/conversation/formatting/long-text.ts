/** Longer texts are shown to here, until somebody wants to read on. */
const shownLength = 1_000
/** So few characters more are not worth a press. */
const spare = 100

/** Up to the last blank before the limit; never within a character that takes two units. */
const beginningOf = (text: string): string => {
  const cut = text.slice(0, shownLength).replace(/[\ud800-\udbff]$/, '')
  const blank = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'))
  return blank > shownLength / 2 ? cut.slice(0, blank) : cut
}

/** How much of a text its bubble shows at first. */
export const shownAtFirst = (text: string): string =>
  text.length > shownLength + spare ? `${beginningOf(text)}…` : text
