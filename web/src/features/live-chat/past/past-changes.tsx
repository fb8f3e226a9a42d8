import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ServiceStatus } from '@prosa/contracts/http/live-chat'
import { useQuery } from '@tanstack/react-query'
import { recordThenQuery } from '../../../components/past/api.ts'
import { SideBySide, valuesTogether } from '../../../components/past/side-by-side.tsx'
import { plural } from '../../../lib/format/format.ts'
import { sentenceOf } from '../../../lib/http/http.ts'
import { statusTabs } from '../list/status-tabs.tsx'
import { changesQuery } from './api.ts'

const statusNames: Readonly<Record<ServiceStatus, string>> = {
  waiting: 'aguardando',
  attending: 'em atendimento',
  resolved: 'resolvida',
}
const queues = [
  ...statusTabs.map(({ status: queue, label }) => ({ queue, label })),
  { queue: 'asked', label: 'Pediram uma pessoa' },
  { queue: 'bot', label: 'Com o robô' },
] as const
const nameOf = (status: ServiceStatus | null) => (status === null ? 'fora da lista' : statusNames[status])

const thenAndNow = ['Então', 'Agora'] as const

/** `latest`: the last moment that the server has. */
const ContactChanges = ({ em, contactId, latest }: { em: string; contactId: string; latest: string }) => {
  const of = { kind: 'contact', id: contactId } as const
  const then = useQuery(recordThenQuery(of, em, false)).data
  const now = useQuery(recordThenQuery(of, latest, false)).data
  return then && now ? <SideBySide caption="Este contato" heads={thenAndNow} rows={valuesTogether(then, now)} /> : null
}

export const PastChanges = ({ em, contactId }: { em: string; contactId: string | null }) => {
  const { data, error } = useQuery(changesQuery(em))
  return (
    <Box
      component="section"
      aria-label="O que mudou desde então"
      aria-busy={data === undefined && error === null}
      sx={{
        px: 4,
        py: 3,
        bgcolor: 'surface',
        borderBottom: '1px solid',
        borderColor: 'divider',
        maxHeight: '45vh',
        overflowY: 'auto',
      }}
    >
      {error && (
        <Typography role="alert">{sentenceOf(error, 'Não foi possível ler o que mudou. Tente novamente.')}</Typography>
      )}
      {data && (
        <>
          <SideBySide
            caption="Conversas"
            heads={thenAndNow}
            rows={queues.map(({ queue, label }) => ({
              label,
              before: String(data.before[queue]),
              after: String(data.after[queue]),
            }))}
          />
          <Typography sx={{ px: 2, pt: 2, fontWeight: 600 }}>
            {data.total === 0
              ? 'Nenhuma conversa mudou de situação.'
              : plural(data.total, 'conversa mudou de situação', 'conversas mudaram de situação')}
          </Typography>
          <Box component="ul" sx={{ m: 0, pl: 5 }}>
            {data.contacts.map(({ id, name, before, after }) => (
              <li key={id}>{`${name ?? '[apagado]'}: ${nameOf(before)} → ${nameOf(after)}`}</li>
            ))}
          </Box>
          {data.latest && contactId !== null && <ContactChanges em={em} contactId={contactId} latest={data.latest} />}
        </>
      )}
    </Box>
  )
}
