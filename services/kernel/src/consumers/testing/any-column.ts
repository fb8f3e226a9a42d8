import fc from 'fast-check'
import { anyCharacter } from '../../testing/any-character.ts'

const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      'NULL',
      'null',
      '\\N',
      '\\.',
      '{}',
      '{a,b}',
      '"',
      '\\',
      '\\"',
      ',',
      "'",
      ' à frente',
      'a\tb',
      'a\nb\r\nc\vd',
    ],
    ...['\0', 'meio \ud83d', '\\u0000', '👩🏽‍💻', 'ação', '\u2028'],
  ),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
)

const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    anyText,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'ação', '', '"', '\\'), tie('value'), { maxKeys: 3 }),
  ),
})).value

const anyDate = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })

const scalars: Record<string, fc.Arbitrary<unknown>> = {
  text: anyText,
  int: fc.integer(),
  integer: fc.integer(),
  bigint: fc.maxSafeInteger(),
  float8: fc.double({ noNaN: true, noDefaultInfinity: true }),
  'double precision': fc.double({ noNaN: true, noDefaultInfinity: true }),
  boolean: fc.boolean(),
  jsonb: anyJson,
  timestamptz: fc.oneof(
    anyDate,
    anyDate.map((date) => date.toISOString()),
  ),
  date: anyDate.map((date) => date.toISOString().slice(0, 10)),
  uuid: fc.uuid(),
}

/** Throws on an unknown type. */
export const anyValueOf = (declaration: string): fc.Arbitrary<unknown> => {
  const [, type = '', array] = /^([a-z0-9 ]+?)(\[\])?(?= not null| collate| default|$)/.exec(declaration) ?? []
  const scalar = scalars[type]
  if (!scalar) throw new Error(`no values are known of the type of ${declaration}`)
  const value = array
    ? fc.array(fc.oneof({ weight: 9, arbitrary: scalar }, fc.constant(null)), { maxLength: 5 })
    : scalar
  if (!declaration.includes('not null')) return fc.option(value, { nil: null })
  // JSON null is stored as SQL null.
  return value.filter((found) => found !== null)
}
