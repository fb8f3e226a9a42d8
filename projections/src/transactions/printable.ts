/** Windows-1252 beyond Latin-1, as in standard PDF fonts. */
const beyondLatin1 = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'

const isPrintable = (character: string): boolean =>
  /[\x20-\x7e\xa1-\xff]/.test(character) || beyondLatin1.includes(character)

/** Others lose marks or become '?'. */
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
