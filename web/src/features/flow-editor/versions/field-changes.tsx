import Box from '@mui/material/Box'
import type { FieldChange } from './compare-flows.ts'

/** The headings are visual, on wide screens; each value names its side for screen readers. */
const side = {
  px: 2,
  py: 1,
  borderRadius: 'var(--radius-control)',
  overflowWrap: 'anywhere',
  whiteSpace: 'pre-wrap',
} as const

const Side = ({ name, value }: { name: 'Antes' | 'Depois'; value: string | null }) => (
  <Box
    component="td"
    sx={{
      ...side,
      display: 'block',
      bgcolor: name === 'Antes' ? 'dangerSoft' : 'primarySoft',
      color: name === 'Antes' ? 'danger' : 'primary.main',
    }}
  >
    <Box component="span" sx={{ typography: 'caption', display: 'block', fontWeight: 500 }}>
      {name}
    </Box>
    {value ?? '—'}
  </Box>
)

export const FieldChanges = ({ about, fields }: { about: string; fields: readonly FieldChange[] }) => (
  <Box component="table" aria-label={`O que mudou em ${about}`} sx={{ display: 'block', width: '100%' }}>
    <Box component="tbody" sx={{ display: 'grid', gap: 2 }}>
      {fields.map(({ label, before, after }) => (
        <Box
          component="tr"
          key={label}
          sx={{
            display: 'grid',
            gap: 1,
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
          }}
        >
          <Box
            component="th"
            scope="row"
            sx={{
              display: 'block',
              gridColumn: '1 / -1',
              p: 0,
              textAlign: 'left',
              typography: 'caption',
              color: 'text.secondary',
            }}
          >
            {label}
          </Box>
          <Side name="Antes" value={before} />
          <Side name="Depois" value={after} />
        </Box>
      ))}
    </Box>
  </Box>
)
