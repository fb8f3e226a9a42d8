import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ServiceStatus } from '@prosa/contracts/http/live-chat'
import type { RecordThen } from '@prosa/contracts/http/past/moments'
import { useQuery } from '@tanstack/react-query'
import { plural } from '../../../lib/format/format.ts'
import { sentenceOf } from '../../../lib/http/http.ts'
import { statusTabs } from '../list/status-tabs.tsx'
import { changesQuery, recordQuery } from './api.ts'

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

const cell = { px: 2, py: 1, textAlign: 'left', verticalAlign: 'top', overflowWrap: 'anywhere' } as const

interface Row {
  label: string
  before: string
  after: string
}

const SideBySide = ({ caption, rows }: { caption: string; rows: readonly Row[] }) => (
  <Box component="table" sx={{ width: '100%', borderCollapse: 'collapse', tableLayout: 'fixed' }}>
    <Box component="caption" sx={{ textAlign: 'left', fontWeight: 600, px: 2, py: 1 }}>
      {caption}
    </Box>
    <thead>
      <tr>
        {['', 'Então', 'Agora'].map((head) => (
          <Box component="th" scope="col" key={head} sx={{ ...cell, color: 'text.secondary', fontWeight: 500 }}>
            {head}
          </Box>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ label, before, after }) => (
        <Box component="tr" key={label} sx={{ borderTop: '1px solid', borderColor: 'divider' }}>
          <Box component="th" scope="row" sx={{ ...cell, fontWeight: 500, color: 'text.secondary' }}>
            {label}
          </Box>
          <Box component="td" sx={cell}>
            {before}
          </Box>
          <Box component="td" sx={{ ...cell, fontWeight: before === after ? 400 : 600 }}>
            {after}
          </Box>
        </Box>
      ))}
    </tbody>
  </Box>
)

const valuesTogether = (then: RecordThen, now: RecordThen): Row[] => {
  const labels = [...new Set([...then.values, ...now.values].map(({ label }) => label))]
  const valueIn = ({ values }: RecordThen, wanted: string) => values.find(({ label }) => label === wanted)?.value ?? '—'
  return labels.map((label) => ({ label, before: valueIn(then, label), after: valueIn(now, label) }))
}

/** `at`: the last moment that the server has. */
const ContactChanges = ({ em, contactId, latest }: { em: string; contactId: string; latest: string }) => {
  const then = useQuery(recordQuery(contactId, em)).data
  const now = useQuery(recordQuery(contactId, latest)).data
  return then && now ? <SideBySide caption="Este contato" rows={valuesTogether(then, now)} /> : null
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
