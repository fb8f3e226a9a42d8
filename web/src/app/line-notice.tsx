import Box from '@mui/material/Box'
import { StatusDot } from '../components/status-dot.tsx'
import { useLine } from '../lib/socket.tsx'

const notices = { offline: 'Sem internet', reconnecting: 'Reconectando...', crowded: 'Abas demais abertas' }

/** Says in the header when the browser has no line to Prosa; silent while all is well. */
export const LineNotice = () => {
  const line = useLine()
  return (
    <Box role="status" sx={{ display: 'flex', alignItems: 'center', gap: 2, color: 'text.secondary', minWidth: 0 }}>
      {line !== 'online' && (
        <>
          <StatusDot tone={line === 'offline' ? 'bad' : 'busy'} />
          {notices[line]}
        </>
      )}
    </Box>
  )
}
