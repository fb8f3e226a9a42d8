/**
 * Controls, and marks that nobody sees but that turn or break the text around them. The joiners stay: emojis, and some languages, are
 * written with them.
 */
const unseen = /[\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]+/gu

/** Letters and signs that fonts draw as nothing; people on WhatsApp call themselves so. */
const blank = /[\s\p{Cf}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/gu

/** A person's name as others may see it; '' where there is nothing to see. */
export const visibleName = (name: string): string => {
  const shown = name.replace(unseen, (mark) => (/\s/.test(mark) ? ' ' : '')).trim()
  return shown.replace(blank, '') === '' ? '' : shown
}
