/** Controls and invisible marks. Joiners stay: emojis and some languages need them. */
const unseen = /[\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]+/gu

/** Characters that fonts draw as nothing. */
const blank = /[\s\p{Cf}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/gu

/** '' if nothing is visible. */
export const visibleName = (name: string): string => {
  const shown = name.replace(unseen, (mark) => (/\s/.test(mark) ? ' ' : '')).trim()
  return shown.replace(blank, '') === '' ? '' : shown
}
