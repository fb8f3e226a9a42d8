import Box from '@mui/material/Box'
import { StatusDot } from '../components/status-dot.tsx'
import { useSocketTrouble } from '../lib/socket-trouble.ts'

export const SocketNotice = () => {
  const trouble = useSocketTrouble()
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
