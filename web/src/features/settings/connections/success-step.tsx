import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Typography from '@mui/material/Typography'
import type { Connection } from '@prosa/contracts/http/connections'
import { useEffect, useRef } from 'react'
import CheckIcon from '~icons/ic/round-check-circle'
import { phoneNumber } from '../../../lib/format.ts'

const closeAfterMs = 2000

type Props = { connection: Connection; disconnecting: boolean; onDisconnect: () => void; onClose: () => void }

/** Third step: it worked. Closes itself two seconds later. */
export const SuccessStep = ({ connection, disconnecting, onDisconnect, onClose }: Props) => {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    if (disconnecting) return
    const timer = setTimeout(() => close.current(), closeAfterMs)
    return () => clearTimeout(timer)
  }, [disconnecting])
  return (
    <>
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
        <Button variant="contained" onClick={onClose}>
          Fechar
        </Button>
      </DialogActions>
    </>
  )
}
