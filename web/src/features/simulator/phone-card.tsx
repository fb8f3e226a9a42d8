import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import type { SimulatedPhone } from '@prosa/contracts/http/simulator'
import { type Ref, useId, useRef, useState } from 'react'
import DeleteIcon from '~icons/ic/round-delete-outline'
import QrIcon from '~icons/ic/round-qr-code-scanner'
import WifiIcon from '~icons/ic/round-wifi'
import WifiOffIcon from '~icons/ic/round-wifi-off'
import { ConfirmDialog } from '../../components/forms/confirm-dialog.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { phoneNumber } from '../../lib/format/format.ts'
import { useRemovePhone, useSetOnline, useUnlink } from './api.ts'
import { PhoneChat } from './phone-chat.tsx'
import { PhoneChatList } from './phone-chat-list.tsx'
import { PhoneScan } from './phone-scan.tsx'

type View = { kind: 'chats'; cameFrom: string | null } | { kind: 'scan' } | { kind: 'chat'; number: string }
type Props = { phone: SimulatedPhone; others: readonly { number: string; name: string }[] }

const Devices = ({ phone }: { phone: SimulatedPhone }) => {
  const unlink = useUnlink(phone.id)
  return phone.linkedDevices.map(({ id, online }) => (
    <Box key={id} sx={{ display: 'flex', alignItems: 'center', gap: 2, px: 4, bgcolor: 'sunken' }}>
      <StatusDot tone={online ? 'good' : 'busy'} />
      <Typography sx={{ flex: 1 }}>Prosa {online ? 'conectado' : 'sem linha agora'}</Typography>
      <Button size="small" color="error" disabled={unlink.isPending} onClick={() => unlink.mutate(id)}>
        Desconectar
      </Button>
    </Box>
  ))
}

interface HeaderProps {
  phone: SimulatedPhone
  headingId: string
  scanRef: Ref<HTMLButtonElement>
  onScan: () => void
  onRemove: () => void
}

const Header = ({ phone, headingId, scanRef, onScan, onRemove }: HeaderProps) => {
  const setOnline = useSetOnline(phone.id)
  const lineAction = phone.online ? 'Tirar da internet' : 'Voltar à internet'
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        pl: 4,
        pr: 1,
        py: 2,
        borderBottom: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="subtitle1" component="h2" id={headingId} noWrap>
          {phone.name}
        </Typography>
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {phoneNumber(phone.number)}
          {!phone.online && ' · sem internet'}
        </Typography>
      </Box>
      <Tooltip title="Escanear QR">
        <IconButton ref={scanRef} aria-label={`Escanear QR com ${phone.name}`} onClick={onScan}>
          <QrIcon />
        </IconButton>
      </Tooltip>
      <Tooltip title={lineAction}>
        <IconButton
          aria-label={`${lineAction}: ${phone.name}`}
          disabled={setOnline.isPending}
          onClick={() => setOnline.mutate(!phone.online)}
        >
          {phone.online ? <WifiIcon /> : <WifiOffIcon />}
        </IconButton>
      </Tooltip>
      <Tooltip title="Remover telefone">
        <IconButton aria-label={`Remover telefone de ${phone.name}`} onClick={onRemove}>
          <DeleteIcon />
        </IconButton>
      </Tooltip>
    </Box>
  )
}

export const PhoneCard = ({ phone, others }: Props) => {
  const [view, setView] = useState<View>({ kind: 'chats', cameFrom: null })
  const [removing, setRemoving] = useState(false)
  const remove = useRemovePhone()
  const headingId = useId()
  const scanButton = useRef<HTMLButtonElement>(null)
  const leaveScan = () => {
    scanButton.current?.focus()
    setView({ kind: 'chats', cameFrom: null })
  }
  const nameOf = (number: string) => {
    if (number === phone.number) return 'Você'
    const group = phone.chats.find((chat) => chat.isGroup && chat.with.number === number)
    return group?.with.name ?? others.find((other) => other.number === number)?.name ?? phoneNumber(number)
  }

  return (
    <Box
      component="section"
      aria-labelledby={headingId}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        flex: 'none',
        width: 'min(var(--phone-width), 100%)',
        height: 'var(--phone-height)',
        overflow: 'hidden',
        bgcolor: 'surface',
        border: '6px solid',
        borderColor: 'border',
        borderRadius: 'var(--radius-device)',
      }}
    >
      <Header
        phone={phone}
        headingId={headingId}
        scanRef={scanButton}
        onScan={() => setView({ kind: 'scan' })}
        onRemove={() => setRemoving(true)}
      />
      <Devices phone={phone} />
      {view.kind === 'chats' && (
        <PhoneChatList
          phone={phone}
          others={others}
          cameFrom={view.cameFrom}
          onOpen={(number) => setView({ kind: 'chat', number })}
        />
      )}
      {view.kind === 'scan' && <PhoneScan phoneId={phone.id} onDone={leaveScan} />}
      {view.kind === 'chat' && (
        <PhoneChat
          key={view.number}
          phoneId={phone.id}
          number={view.number}
          title={nameOf(view.number)}
          chat={phone.chats.find((chat) => chat.with.number === view.number)}
          nameOf={nameOf}
          onBack={() => setView({ kind: 'chats', cameFrom: view.number })}
        />
      )}
      <ConfirmDialog
        open={removing}
        title="Remover telefone"
        sentence={`O telefone simulado de ${phone.name} e as conversas dele deixam de existir. O que já chegou ao Prosa fica.`}
        confirm="Remover"
        destructive
        pending={remove.isPending}
        onConfirm={() => remove.mutate(phone.id)}
        onCancel={() => setRemoving(false)}
      />
    </Box>
  )
}
