import Box from '@mui/material/Box'
import { StatusDot } from '../components/status-dot.tsx'
import { useLineTrouble } from '../lib/line-trouble.ts'

export const LineNotice = () => {
  const trouble = useLineTrouble()
  return (
    <Box role="status" sx={{ display: 'flex', alignItems: 'center', gap: 2, color: 'text.secondary', minWidth: 0 }}>
      {trouble && (
        <>
          <StatusDot tone={trouble.tone} />
          {trouble.words}
        </>
      )}
    </Box>
  )
}
