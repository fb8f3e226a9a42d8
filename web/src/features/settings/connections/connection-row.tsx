import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { Connection } from '@prosa/contracts/http/connections'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { ConfirmDialog } from '../../../components/forms/confirm-dialog.tsx'
import { useOwnHistoryDrawer } from '../../../components/history/own/use-own-history.tsx'
import { StatusDot } from '../../../components/status-dot.tsx'
import { type RowAction, RowMenu } from '../../../components/tables/row-menu.tsx'
import { WhyButton } from '../../../components/why/why-button.tsx'
import { phoneNumber } from '../../../lib/format/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useDisconnect, useRefreshConnection, useRemoveConnection } from './api.ts'
import { connectionSentence, isOpening, isRecovering, showsQrCode, statusTones } from './connection-words.ts'
import { SimulatorMark } from './simulator-link.tsx'

type Asked = 'disconnect' | 'remove' | null

/** On phones in a row of its own. */
const wayOn = { order: { xs: 1, md: 0 }, flexBasis: { xs: '100%', md: 'auto' }, pl: { xs: 5.5, md: 0 } } as const

const NameAndState = ({ connection }: { connection: Connection }) => (
  <Box sx={{ flex: '1 1 0', minWidth: 0 }}>
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3 }}>
      <Typography variant="subtitle1" component="h3" sx={{ overflowWrap: 'anywhere' }}>
        {connection.name}
      </Typography>
      {connection.phoneNumber && (
        <Typography sx={{ color: 'text.secondary', lineHeight: 'inherit' }}>
          {phoneNumber(connection.phoneNumber)}{' '}
          <WhyButton
            of={{ kind: 'connection', id: connection.id, field: 'number' }}
            what={`Número de ${connection.name}`}
          />
        </Typography>
      )}
      {connection.network === 'simulator' && <SimulatorMark />}
    </Box>
    <Typography role="status" sx={{ color: isRecovering(connection) ? 'warn' : 'text.secondary' }}>
      {connectionSentence(connection, Date.parse(connection.serverTime))}
    </Typography>
    <WhyButton
      of={{ kind: 'connection', id: connection.id, field: 'status' }}
      what={`Situação de ${connection.name}`}
    />
  </Box>
)

const WayOn = ({
  connection,
  pending,
  onShowQr,
  onRenew,
}: {
  connection: Connection
  pending: boolean
  onShowQr: () => void
  onRenew: () => void
}) => (
  <Box sx={wayOn}>
    {showsQrCode(connection) ? (
      <Button variant="outlined" onClick={onShowQr}>
        Ver QR Code
      </Button>
    ) : (
      <Button variant="outlined" disabled={pending} onClick={onRenew}>
        Atualizar
      </Button>
    )}
  </Box>
)

export const ConnectionRow = ({ connection, onShowQr }: { connection: Connection; onShowQr: () => void }) => {
  const [asked, setAsked] = useState<Asked>(null)
  const refresh = useRefreshConnection()
  const disconnect = useDisconnect()
  const remove = useRemoveConnection()
  const { id, name, status } = connection
  const linked = status === 'connected' || isOpening(connection) || isRecovering(connection)
  const done = () => setAsked(null)
  const { action, drawer } = useOwnHistoryDrawer()
  const renew = () => refresh.mutate(id, { onSuccess: onShowQr })
  const actions: RowAction[] = [
    ...(linked ? [] : [{ label: 'Atualizar', disabled: refresh.isPending, onPress: renew }]),
    ...(status === 'connected' || status === 'qr_ready'
      ? [{ label: 'Desconectar', onPress: () => setAsked('disconnect') }]
      : []),
    action({ title: `Conexão ${name}`, filters: { record: `connection:${id}` } }),
    { label: 'Excluir', destructive: true, onPress: () => setAsked('remove') },
  ]

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
      <NameAndState connection={connection} />
      {status === 'connected' && (
        <Box sx={wayOn}>
          <Button component={Link} to={paths.liveChat} sx={{ mx: { xs: -2, md: 0 } }}>
            Abrir conversas
          </Button>
        </Box>
      )}
      {!linked && <WayOn connection={connection} pending={refresh.isPending} onShowQr={onShowQr} onRenew={renew} />}
      <RowMenu name={name} actions={actions} />
      {drawer}
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
