import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { ScreenReaderText } from '../../../components/screen-reader-text.tsx'
import { connectionsQuery, nameAndNumber } from '../../../lib/account/connections.ts'

const useNumber = (connectionId: string) => {
  const { data: connections = [] } = useQuery(connectionsQuery)
  return connections.find(({ id }) => id === connectionId)
}

/** A removed number has no name. */
export const LineChip = ({ connectionId }: { connectionId: string }) => {
  const connection = useNumber(connectionId)
  if (!connection) return null
  return (
    <Typography
      noWrap
      component="span"
      variant="caption"
      title={`Por ${nameAndNumber(connection)}`}
      sx={{
        flexShrink: 0,
        maxWidth: 'var(--label-width)',
        px: 1.5,
        lineHeight: '14px',
        color: 'text.secondary',
        border: '1px solid',
        borderColor: 'borderStrong',
        borderRadius: 'var(--radius-control)',
      }}
    >
      <ScreenReaderText>por </ScreenReaderText>
      {connection.name}
    </Typography>
  )
}

export const LineMark = ({ connectionId }: { connectionId: string }) => {
  const connection = useNumber(connectionId)
  return (
    <Typography noWrap variant="caption" component="p" sx={{ maxWidth: '100%', px: 1, color: 'text.secondary' }}>
      {connection ? `Por ${nameAndNumber(connection)}` : 'Por um número removido'}
    </Typography>
  )
}
