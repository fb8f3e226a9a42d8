import Box from '@mui/material/Box'
import type { RecordThen } from '@prosa/contracts/http/past/moments'

const cell = { px: 2, py: 1, textAlign: 'left', verticalAlign: 'top', overflowWrap: 'anywhere' } as const

const Head = ({ children }: { children: string }) => (
  <Box component="th" scope="col" sx={{ ...cell, color: 'text.secondary', fontWeight: 500 }}>
    {children}
  </Box>
)

interface Row {
  label: string
  before: string
  after: string
}

interface Props {
  caption: string
  heads: readonly [before: string, after: string]
  rows: readonly Row[]
}

/** What changed between two moments is bold. */
export const SideBySide = ({ caption, heads, rows }: Props) => (
  <Box component="table" sx={{ width: '100%', borderCollapse: 'collapse', tableLayout: 'fixed' }}>
    <Box component="caption" sx={{ textAlign: 'left', fontWeight: 600, px: 2, py: 1 }}>
      {caption}
    </Box>
    <thead>
      <tr>
        <td />
        <Head>{heads[0]}</Head>
        <Head>{heads[1]}</Head>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ label, before, after }) => (
        <Box component="tr" key={label} sx={{ borderTop: '1px solid', borderColor: 'divider' }}>
          <Box component="th" scope="row" sx={{ ...cell, fontWeight: 500, color: 'text.secondary' }}>
            {label}
          </Box>
          <Box component="td" sx={cell}>
            {before}
          </Box>
          <Box component="td" sx={{ ...cell, fontWeight: before === after ? 400 : 600 }}>
            {after}
          </Box>
        </Box>
      ))}
    </tbody>
  </Box>
)

/** '—' where one of the moments had no value. */
export const valuesTogether = (one: RecordThen, other: RecordThen): Row[] => {
  const labels = [...new Set([...one.values, ...other.values].map(({ label }) => label))]
  const valueIn = ({ values }: RecordThen, wanted: string) => values.find(({ label }) => label === wanted)?.value ?? '—'
  return labels.map((label) => ({ label, before: valueIn(one, label), after: valueIn(other, label) }))
}
