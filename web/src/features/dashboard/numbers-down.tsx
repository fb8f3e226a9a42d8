import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { Connection } from '@prosa/contracts/http/connections'
import { Link } from 'react-router-dom'
import { Notice } from '../../components/notice.tsx'
import { nameAndNumber, numbersDown, numbersOf } from '../../lib/connections.ts'
import { settingsSection } from '../../lib/paths.ts'

const namedAtMost = 5

const sentenceOf = (connection: Connection): string => {
  const { line, statusReason } = connection
  const why = line === 'recovering' ? 'O Prosa está reconectando.' : (statusReason ?? '')
  return `${nameAndNumber(connection)} está desconectado. ${why}`
}

/** Shown only if there are several numbers, even if another one is connected. */
export const NumbersDown = ({ connections }: { connections: readonly Connection[] }) => {
  const down = numbersDown(connections)
  if (numbersOf(connections).length < 2 || down.length === 0) return null
  const more = down.length - namedAtMost
  return (
    <Notice kind="warning">
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 4, rowGap: 2 }}>
        <Box sx={{ flex: '1 1 16rem', minWidth: 0 }}>
          {down.slice(0, namedAtMost).map((connection) => (
            <Typography key={connection.id}>{sentenceOf(connection)}</Typography>
          ))}
          {more > 0 && <Typography>{`E mais ${more}.`}</Typography>}
          <Typography variant="caption" component="p">
            As respostas por um número desconectado esperam até ele voltar.
          </Typography>
        </Box>
        <Button component={Link} to={settingsSection('conexoes')} color="warning" variant="outlined">
          Abrir Conexões
        </Button>
      </Box>
    </Notice>
  )
}
