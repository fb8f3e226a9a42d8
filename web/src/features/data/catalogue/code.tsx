import Box from '@mui/material/Box'

export const Code = ({ label, value }: { label: string; value: unknown }) => (
  <Box
    component="pre"
    tabIndex={0}
    aria-label={label}
    sx={{
      m: 0,
      p: 3,
      overflowX: 'auto',
      bgcolor: 'sunken',
      borderRadius: 'var(--radius-control)',
      fontFamily: 'var(--mono)',
      fontSize: '0.8125rem',
    }}
  >
    {JSON.stringify(value, null, 2)}
  </Box>
)
