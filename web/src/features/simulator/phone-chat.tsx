import ArrowBackIcon from '@mui/icons-material/ArrowBackRounded'
import SendIcon from '@mui/icons-material/SendRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { clockTime } from '../../lib/format.ts'
import { chatQuery, useRead, useWrite } from './api.ts'
import { MessageTick } from './message-tick.tsx'

type Props = { phoneId: string; number: string; title: string; unread: number; onBack: () => void }

/** One chat on a simulated phone. Having it open counts as reading it. */
export const PhoneChat = ({ phoneId, number, title, unread, onBack }: Props) => {
  const { data: messages = [] } = useQuery(chatQuery(phoneId, number))
  const [text, setText] = useState('')
  const write = useWrite(phoneId, number)
  const { mutate: read } = useRead(phoneId, number)
  const end = useRef<HTMLDivElement>(null)
  const lastId = messages.at(-1)?.id

  // biome-ignore lint/correctness/useExhaustiveDependencies: the last message decides, not what the effect reads
  useEffect(() => {
    void end.current?.scrollIntoView({ block: 'nearest' })
  }, [lastId])

  useEffect(() => {
    if (unread > 0) read(undefined)
  }, [unread, read])

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (text.trim() === '' || write.isPending) return
    write.mutate(text, { onSuccess: () => setText('') })
  }

  return (
    <>
      <Box
        sx={{ display: 'flex', alignItems: 'center', gap: 1, px: 1, borderBottom: '1px solid', borderColor: 'divider' }}
      >
        <IconButton aria-label="Voltar às conversas" onClick={onBack}>
          <ArrowBackIcon />
        </IconButton>
        <Typography variant="subtitle2" component="h3" noWrap>
          {title}
        </Typography>
      </Box>
      <Box
        component="section"
        aria-label={`Conversa com ${title}`}
        tabIndex={0}
        sx={{
          flex: 1,
          minHeight: 0,
          overflow: 'auto',
          display: 'flex',
          flexDirection: 'column',
          gap: 1,
          p: 3,
          bgcolor: 'sunken',
        }}
      >
        {messages.map(({ id, fromMe, text, at, status }) => (
          <Box
            key={id}
            sx={{
              alignSelf: fromMe ? 'flex-end' : 'flex-start',
              maxWidth: '82%',
              px: 3,
              py: 1.5,
              borderRadius: 'var(--radius-bubble)',
              bgcolor: fromMe ? 'own' : 'surface',
              color: fromMe ? 'ownText' : 'text.primary',
            }}
          >
            <Typography variant="message" component="p" sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {text}
            </Typography>
            <Box sx={{ display: 'flex', justifyContent: 'flex-end', alignItems: 'center', gap: 1 }}>
              <Typography variant="caption">{clockTime(at)}</Typography>
              {fromMe && <MessageTick status={status} />}
            </Box>
          </Box>
        ))}
        <div ref={end} />
      </Box>
      <Box
        component="form"
        onSubmit={submit}
        sx={{ display: 'flex', gap: 2, p: 2, borderTop: '1px solid', borderColor: 'divider' }}
      >
        <OutlinedInput
          fullWidth
          placeholder="Mensagem"
          inputProps={{ 'aria-label': `Mensagem para ${title}` }}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <IconButton type="submit" color="primary" aria-label="Enviar" disabled={text.trim() === ''}>
          <SendIcon />
        </IconButton>
      </Box>
    </>
  )
}
