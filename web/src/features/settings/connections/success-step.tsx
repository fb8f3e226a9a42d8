import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Typography from '@mui/material/Typography'
import type { Connection } from '@prosa/contracts/http/connections'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import CheckIcon from '~icons/ic/round-check-circle'
import { phoneNumber } from '../../../lib/format/format.ts'
import { paths } from '../../../lib/paths.ts'

const closeAfterMs = 2000

type Props = { connection: Connection; disconnecting: boolean; onDisconnect: () => void; onClose: () => void }

/** Closes after two seconds, unless a pointer is on it. */
export const SuccessStep = ({ connection, disconnecting, onDisconnect, onClose }: Props) => {
  const close = useRef(onClose)
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    if (disconnecting || isHeld) return
    const timer = setTimeout(() => close.current(), closeAfterMs)
    return () => clearTimeout(timer)
  }, [disconnecting, isHeld])
  return (
    <Box onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', gap: 2, py: 8 }}>
        <Box sx={{ color: 'primary.main', '& svg': { fontSize: 'var(--row-height)' } }}>
          <CheckIcon aria-hidden="true" />
        </Box>
        <Typography variant="h2" component="p" role="status">
          Conexão Estabelecida!
        </Typography>
        <Typography>{connection.name}</Typography>
        <Typography sx={{ color: 'text.secondary' }}>{phoneNumber(connection.phoneNumber)}</Typography>
      </DialogContent>
      <DialogActions>
        <Button color="error" disabled={disconnecting} onClick={onDisconnect}>
          Desconectar
        </Button>
        <Button color="inherit" onClick={onClose}>
          Fechar
        </Button>
        <Button component={Link} to={paths.liveChat} variant="contained">
          Ir para as conversas
        </Button>
      </DialogActions>
    </Box>
  )
}
