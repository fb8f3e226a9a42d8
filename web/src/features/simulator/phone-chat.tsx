import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import type { SimulatedChat } from '@prosa/contracts/http/simulator'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import ArrowBackIcon from '~icons/ic/round-arrow-back'
import BlockIcon from '~icons/ic/round-block'
import { EmptyState } from '../../components/layout/empty-state.tsx'
import { NotRead } from '../../components/notices/not-read-panel.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { chatQuery, filePath, showActivity, useBlock, useChat } from './api.ts'
import { type Draft, PhoneComposer } from './phone-composer.tsx'
import { PhoneMessage } from './phone-message.tsx'

type Props = {
  phoneId: string
  /** A number, or the id of a group. */
  number: string
  title: string
  chat: SimulatedChat | undefined
  nameOf: (number: string) => string
  onBack: () => void
}

const subtitleOf = (chat: SimulatedChat | undefined, nameOf: Props['nameOf']) => {
  if (chat?.activity) return chat.activity === 'recording' ? 'gravando áudio...' : 'digitando...'
  if (chat?.blocked) return 'bloqueado'
  return chat?.isGroup ? chat.members.map(({ number }) => nameOf(number)).join(', ') : null
}

const Header = ({ phoneId, number, title, chat, nameOf, onBack }: Props) => {
  const block = useBlock(phoneId, number)
  const blocked = chat?.blocked ?? false
  const subtitle = subtitleOf(chat, nameOf)
  const action = blocked ? `Desbloquear ${title}` : `Bloquear ${title}`
  return (
    <Box
      sx={{ display: 'flex', alignItems: 'center', gap: 1, px: 1, borderBottom: '1px solid', borderColor: 'divider' }}
    >
      <IconButton aria-label="Voltar às conversas" autoFocus onClick={onBack}>
        <ArrowBackIcon />
      </IconButton>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="subtitle2" component="h3" noWrap>
          {title}
        </Typography>
        <Typography variant="caption" component="p" noWrap aria-live="polite" sx={{ color: 'text.secondary' }}>
          {subtitle}
        </Typography>
      </Box>
      {!chat?.isGroup && (
        <Tooltip title={action}>
          <IconButton
            aria-label={action}
            color={blocked ? 'error' : 'default'}
            disabled={block.isPending}
            onClick={() => block.mutate(!blocked)}
          >
            <BlockIcon />
          </IconButton>
        </Tooltip>
      )}
    </Box>
  )
}

const History = ({ phoneId, number, title, chat, nameOf, onDraft }: Props & { onDraft: (draft: Draft) => void }) => {
  const { data: messages, error, isPending, refetch } = useQuery(chatQuery(phoneId, number))
  const act = useChat(phoneId, number)
  const history = useRef<HTMLElement>(null)
  const lastId = messages?.at(-1)?.id

  // biome-ignore lint/correctness/useExhaustiveDependencies: the last message decides, not what the effect reads
  useEffect(() => {
    // Not scrollIntoView, which would scroll the page and its other phones.
    if (history.current) history.current.scrollTop = history.current.scrollHeight
  }, [lastId])

  return (
    <Box
      ref={history}
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
        p: 2,
        bgcolor: 'sunken',
      }}
    >
      {isPending && <Spinner />}
      {!isPending && !messages && (
        <NotRead title="A conversa não pôde ser lida" error={error} onRetry={() => void refetch()} />
      )}
      {messages?.length === 0 && <EmptyState title="Nenhuma mensagem ainda" />}
      {messages?.map((message) => (
        <PhoneMessage
          key={message.id}
          message={message}
          address={filePath(phoneId, number, message.id)}
          named={chat?.isGroup ?? false}
          quotedAuthor={message.quoted && nameOf(message.quoted.author)}
          actions={{
            reply: () => onDraft({ mode: 'reply', message }),
            edit: () => onDraft({ mode: 'edit', message }),
            remove: () => act.remove.mutate(message.id),
            react: (emoji) => act.react.mutate({ id: message.id, emoji }),
          }}
        />
      ))}
    </Box>
  )
}

/** Opening a chat marks it as read. */
export const PhoneChat = (props: Props) => {
  const { phoneId, number, title, chat } = props
  const [draft, setDraft] = useState<Draft>({ mode: 'new' })
  const act = useChat(phoneId, number)
  const { mutate: read } = act.read
  const unread = chat?.unread ?? 0
  const drop = () => setDraft({ mode: 'new' })

  useEffect(() => {
    if (unread > 0) read(undefined)
  }, [unread, read])

  const take = (text: string, giveBack: () => void) => {
    const taken =
      draft.mode === 'edit'
        ? act.edit.mutateAsync({ id: draft.message.id, text })
        : act.write.mutateAsync({ text, ...(draft.mode === 'reply' && { quotedId: draft.message.id }) })
    drop()
    taken.catch(() => {
      setDraft((now) => (now.mode === 'new' ? draft : now))
      giveBack()
    })
  }

  return (
    <>
      <Header {...props} />
      <History {...props} onDraft={setDraft} />
      <PhoneComposer
        title={title}
        draft={draft}
        onDrop={drop}
        onText={take}
        onFile={(file, kind) => act.sendFile.mutate({ file, kind })}
        onExample={(kind) => act.sendExample.mutate(kind)}
        onVoice={({ sound, as, seconds, waveform }) =>
          act.sendFile.mutate({ file: sound, kind: as, seconds, waveform })
        }
        onActivity={(activity) => showActivity(phoneId, number, activity)}
      />
    </>
  )
}
