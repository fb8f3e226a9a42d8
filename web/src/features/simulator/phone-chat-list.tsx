import Badge from '@mui/material/Badge'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import Typography from '@mui/material/Typography'
import type { SimulatedMessage, SimulatedPhone } from '@prosa/contracts/http/simulator'
import { type SubmitEvent, useState } from 'react'
import { Field } from '../../components/forms/field.tsx'
import { PersonAvatar } from '../../components/person-avatar.tsx'
import { ScreenReaderText } from '../../components/screen-reader-text.tsx'
import { phoneNumber, plural, relativeTime } from '../../lib/format/format.ts'
import { MessageTick } from './message-tick.tsx'
import { messageWords } from './message-words.ts'

type Row = { number: string; name: string | null }

const rowStyle = {
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'flex-start',
  gap: 3,
  width: '100%',
  minHeight: 'var(--row-height)',
  px: 3,
  textAlign: 'left',
  '&:hover': { bgcolor: 'sunken' },
} as const

type Props = {
  phone: SimulatedPhone
  others: readonly Row[]
  cameFrom: string | null
  onOpen: (number: string) => void
}

const activities = { composing: 'digitando...', recording: 'gravando áudio...' } as const

const lineOf = (message: SimulatedMessage, isGroup: boolean) => {
  const words = messageWords(message)
  const name = isGroup && !message.fromMe ? message.author.name?.split(' ')[0] : undefined
  return name ? `${name}: ${words}` : words
}

const digitsWithCountry = (typed: string) => {
  const digits = typed.replace(/\D/g, '')
  return digits.length <= 11 ? `55${digits}` : digits
}

export const PhoneChatList = ({ phone, others, cameFrom, onOpen }: Props) => {
  const [number, setNumber] = useState('')
  const known = new Set(phone.chats.map((chat) => chat.with.number))
  const strangers = others.filter((other) => !known.has(other.number))
  const isTyped = cameFrom !== null && ![...known, ...strangers.map((other) => other.number)].includes(cameFrom)
  const start = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (number.replace(/\D/g, '').length >= 10) onOpen(digitsWithCountry(number))
  }
  return (
    <Box sx={{ flex: 1, minHeight: 0, overflow: 'auto' }}>
      {phone.chats.map(({ with: other, isGroup, activity, unread, lastMessage }) => (
        <ButtonBase
          key={other.number}
          autoFocus={other.number === cameFrom}
          onClick={() => onOpen(other.number)}
          sx={rowStyle}
        >
          <PersonAvatar name={other.name} phone={isGroup ? null : other.number} />
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <Typography variant="subtitle2" component="span" noWrap sx={{ display: 'block' }}>
              {other.name ?? phoneNumber(other.number)}
            </Typography>
            <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, color: 'text.secondary' }}>
              {lastMessage?.fromMe && !activity && <MessageTick status={lastMessage.status} />}
              <Typography component="span" noWrap sx={activity ? { color: 'primary.main' } : undefined}>
                {activity ? activities[activity] : lastMessage && lineOf(lastMessage, isGroup)}
              </Typography>
            </Box>
          </Box>
          <Box sx={{ display: 'grid', justifyItems: 'end', gap: 3, pr: 2 }}>
            {lastMessage && (
              <Typography variant="caption" sx={{ color: 'text.secondary' }}>
                {relativeTime(lastMessage.at, Date.now())}
              </Typography>
            )}
            <Badge badgeContent={unread} color="primary" slotProps={{ badge: { 'aria-hidden': true } }} />
            {unread > 0 && <ScreenReaderText>{plural(unread, 'não lida', 'não lidas')}</ScreenReaderText>}
          </Box>
        </ButtonBase>
      ))}
      {strangers.map((other) => (
        <ButtonBase
          key={other.number}
          autoFocus={other.number === cameFrom}
          onClick={() => onOpen(other.number)}
          sx={rowStyle}
        >
          <PersonAvatar name={other.name} phone={other.number} />
          <Box sx={{ minWidth: 0 }}>
            <Typography variant="subtitle2" component="span" noWrap sx={{ display: 'block' }}>
              {other.name}
            </Typography>
            <Typography component="span" sx={{ color: 'text.secondary' }}>
              Escrever para {phoneNumber(other.number)}
            </Typography>
          </Box>
        </ButtonBase>
      ))}
      <Box component="form" onSubmit={start} sx={{ display: 'grid', gap: 2, p: 3 }}>
        <Field
          label="Escrever para outro número"
          inputMode="tel"
          placeholder="(11) 98765-4321"
          autoComplete="off"
          autoFocus={isTyped}
          value={number}
          onChange={setNumber}
        />
        <Button type="submit" variant="outlined" disabled={number.replace(/\D/g, '').length < 10}>
          Abrir conversa
        </Button>
      </Box>
    </Box>
  )
}
