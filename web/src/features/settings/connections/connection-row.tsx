import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import type { Connection } from '@prosa/contracts/http/connections'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import MoreIcon from '~icons/ic/round-more-vert'
import { ConfirmDialog } from '../../../components/forms/confirm-dialog.tsx'
import { StatusDot } from '../../../components/status-dot.tsx'
import { phoneNumber } from '../../../lib/format/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useDisconnect, useRefreshConnection, useRemoveConnection } from './api.ts'
import { connectionSentence, isOpening, isRecovering, showsQrCode, statusTones } from './connection-words.ts'
import { SimulatorMark } from './simulator-link.tsx'

type Asked = 'disconnect' | 'remove' | null

/** On phones in a row of its own. */
const wayOn = { order: { xs: 1, md: 0 }, flexBasis: { xs: '100%', md: 'auto' }, pl: { xs: 5.5, md: 0 } } as const

export const ConnectionRow = ({ connection, onShowQr }: { connection: Connection; onShowQr: () => void }) => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [asked, setAsked] = useState<Asked>(null)
  const refresh = useRefreshConnection()
  const disconnect = useDisconnect()
  const remove = useRemoveConnection()
  const { id, name, status } = connection
  const linked = status === 'connected' || isOpening(connection) || isRecovering(connection)
  const done = () => setAsked(null)
  const renew = () => refresh.mutate(id, { onSuccess: onShowQr })
  const choose = (action: () => void) => () => {
    setAnchor(null)
    action()
  }

  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 3,
        rowGap: 2,
        py: 4,
        borderTop: '1px solid',
        borderColor: 'divider',
        '&:first-of-type': { borderTop: 0 },
      }}
    >
      <StatusDot tone={statusTones[status]} />
      <Box sx={{ flex: '1 1 0', minWidth: 0 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3 }}>
          <Typography variant="subtitle1" component="h3" sx={{ overflowWrap: 'anywhere' }}>
            {name}
          </Typography>
          {connection.phoneNumber && (
            <Typography sx={{ color: 'text.secondary', lineHeight: 'inherit' }}>
              {phoneNumber(connection.phoneNumber)}
            </Typography>
          )}
          {connection.network === 'simulator' && <SimulatorMark />}
        </Box>
        <Typography role="status" sx={{ color: isRecovering(connection) ? 'warn' : 'text.secondary' }}>
          {connectionSentence(connection, Date.parse(connection.serverTime))}
        </Typography>
      </Box>
      {status === 'connected' && (
        <Box sx={wayOn}>
          <Button component={Link} to={paths.liveChat} sx={{ mx: { xs: -2, md: 0 } }}>
            Abrir conversas
          </Button>
        </Box>
      )}
      {!linked && (
        <Box sx={wayOn}>
          {showsQrCode(connection) ? (
            <Button variant="outlined" onClick={onShowQr}>
              Ver QR Code
            </Button>
          ) : (
            <Button variant="outlined" disabled={refresh.isPending} onClick={renew}>
              Atualizar
            </Button>
          )}
        </Box>
      )}
      <IconButton
        aria-label={`Ações de ${name}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreIcon />
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {!linked && (
          <MenuItem disabled={refresh.isPending} onClick={choose(renew)}>
            Atualizar
          </MenuItem>
        )}
        {(status === 'connected' || status === 'qr_ready') && (
          <MenuItem onClick={choose(() => setAsked('disconnect'))}>Desconectar</MenuItem>
        )}
        <MenuItem onClick={choose(() => setAsked('remove'))} sx={{ color: 'danger' }}>
          Excluir
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={asked === 'disconnect'}
        title="Desconectar WhatsApp"
        sentence={`A conexão "${name}" deixa de receber e enviar mensagens até você ler um novo QR Code. As conversas continuam no Prosa, e as respostas por este número esperam por ele.`}
        confirm="Desconectar"
        destructive
        pending={disconnect.isPending}
        onConfirm={() => disconnect.mutate(id, { onSettled: done })}
        onCancel={done}
      />
      <ConfirmDialog
        open={asked === 'remove'}
        title="Excluir conexão"
        sentence={`Tem certeza que deseja excluir a conexão "${name}"? O número será desconectado. As conversas continuam no Prosa; com quem só escreveu para este número, você escolhe por qual responder.`}
        confirm="Excluir"
        destructive
        pending={remove.isPending}
        onConfirm={() => remove.mutate(id, { onSettled: done })}
        onCancel={done}
      />
    </Box>
  )
}
