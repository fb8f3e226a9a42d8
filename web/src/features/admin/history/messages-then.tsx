import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import type { Message } from '@prosa/contracts/http/live-chat'
import { useState } from 'react'
import { NotReadPanel } from '../../../components/notices/not-read-panel.tsx'
import { wholeTime } from '../../../lib/format/whole-time.ts'
import { call } from '../../../lib/http/call.ts'
import { usePagedList } from '../../../lib/http/use-paged-list.ts'

const tickWords: Readonly<Record<NonNullable<Message['status']>, string>> = {
  queued: 'na fila',
  sent: 'enviada',
  delivered: 'entregue',
  read: 'lida',
  failed: 'falhou',
}

const List = ({ contactId, em }: { contactId: string; em: string }) => {
  const { rows, error, retry, hasMore, loadingMore, loadMore } = usePagedList<Message>({
    queryKey: ['admin', 'messages-then', contactId, em],
    load: (cursor, signal) =>
      call('GET /api/admin/contacts/:id/messages', { params: { id: contactId }, query: { em, cursor }, signal }),
  })
  if (rows === undefined && error)
    return <NotReadPanel title="As mensagens não puderam ser lidas" error={error} onRetry={retry} />
  if (rows === undefined) return <Typography role="status">Carregando...</Typography>
  if (rows.length === 0) return <Typography>Neste momento a conversa estava vazia.</Typography>
  return (
    <>
      <Box
        component="ol"
        aria-label="Mensagens como eram"
        sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 3 }}
      >
        {rows.map(({ id, content, sender, status, timestamp }) => (
          <li key={id}>
            <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
              {[wholeTime(timestamp), sender === 'user' ? 'da conta' : 'do contato', status && tickWords[status]]
                .filter(Boolean)
                .join(' · ')}
            </Typography>
            <Typography sx={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{content}</Typography>
          </li>
        ))}
      </Box>
      {hasMore && (
        <Button color="inherit" disabled={loadingMore} onClick={loadMore} sx={{ justifySelf: 'start' }}>
          {loadingMore ? 'Carregando...' : 'Mostrar o que veio antes'}
        </Button>
      )}
    </>
  )
}

/** What was written up to a moment, with the ticks of then; shown only when it is asked for. */
export const MessagesThen = (asked: { contactId: string; em: string }) => {
  const [isShown, setShown] = useState(false)
  return (
    <Box
      component="section"
      aria-label="Mensagens"
      sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <FormControlLabel
        control={<Switch checked={isShown} onChange={(_event, checked) => setShown(checked)} />}
        label="Mostrar o que foi escrito (a leitura fica registrada)"
        sx={{ minHeight: 'var(--target)' }}
      />
      {isShown && <List {...asked} />}
    </Box>
  )
}
