import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }

/** fast-check's `binary` builds a table of a million characters per arbitrary. */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: 0x10ffff - surrogates.count }).map(
  (index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (code === undefined || text !== String.fromCodePoint(code)) throw new Error('not one character')
    if (code < surrogates.first) return code
    if (code < surrogates.first + surrogates.count) throw new Error('half a character')
    return code - surrogates.count
  },
)
