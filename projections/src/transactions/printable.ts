/** What Windows-1252 has beyond Latin-1: with these, the fonts that every PDF reader brings know a Portuguese text whole. */
const beyondLatin1 = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'

const isPrintable = (character: string): boolean =>
  /[\x20-\x7e\xa1-\xff]/.test(character) || beyondLatin1.includes(character)

/** One line of text as the standard fonts of PDF can print it: what they lack comes without its marks, or as '?'. */
export const printable = (text: string): string =>
  [
    ...text
      .normalize('NFC')
      .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
      .trim(),
  ]
    .map((character) => {
      if (isPrintable(character)) return character
      const bare = character.normalize('NFKD').replace(/\p{M}/gu, '')
      return bare !== '' && [...bare].every(isPrintable) ? bare : '?'
    })
    .join('')
