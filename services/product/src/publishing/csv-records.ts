import { stringify } from 'csv-stringify/sync'

/**
 * Records of RFC 4180, with commas: null and undefined are empty, empty text is quoted. What a spreadsheet would compute begins with an
 * apostrophe (OWASP, CSV injection), but in the column `asItIs`.
 */
export const csvRecords = (records: readonly (readonly unknown[])[], asItIs = -1): string =>
  stringify(
    records.map((record) => [...record]),
    {
      record_delimiter: 'windows',
      escape_formulas: true,
      quoted_match: /^$|[\r\n]/,
      cast: {
        boolean: String,
        string: (value, { index }) => (index === asItIs ? { value, escape_formulas: false } : value),
      },
    },
  )
