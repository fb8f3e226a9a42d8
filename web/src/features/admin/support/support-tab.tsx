import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import type { ListedSupportRequest } from '@prosa/contracts/http/accounts/support'
import { type SupportPriority, supportPriorityNames } from '@prosa/contracts/values/support'
import { useState } from 'react'
import DoneIcon from '~icons/ic/round-check-circle'
import InboxIcon from '~icons/ic/round-inbox'
import ViewIcon from '~icons/ic/round-visibility'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { type Column, DataTable } from '../../../components/tables/data-table.tsx'
import { TableToolbar } from '../../../components/tables/table-toolbar.tsx'
import { WhyButton } from '../../../components/why/why-button.tsx'
import type { StatusTone } from '../../../lib/format/status-tone.ts'
import { wholeTime } from '../../../lib/format/whole-time.ts'
import { useAddressFilter } from '../../../lib/forms/use-address-filter.ts'
import { call } from '../../../lib/http/call.ts'
import { usePagedList } from '../../../lib/http/use-paged-list.ts'
import { useAdminCommand } from '../use-admin-command.ts'
import { SupportRequestDialog } from './support-request-dialog.tsx'

const useSupportRequests = (onlyOpen: boolean) =>
  usePagedList<ListedSupportRequest>({
    queryKey: ['admin', 'support', onlyOpen],
    load: (cursor, signal) =>
      call('GET /api/admin/support-requests', { signal, query: { cursor, open: onlyOpen ? 'true' : undefined } }),
  })

const useAnswerSupportRequest = () =>
  useAdminCommand(
    (id: string) => call('POST /api/admin/support-requests/:id/answer', { params: { id } }),
    'Mensagem marcada como respondida.',
    'Falha ao marcar a mensagem como respondida.',
  )

const tones: Record<SupportPriority, StatusTone> = { low: 'info', medium: 'info', high: 'busy', urgent: 'bad' }

const columnsWith = (onOpen: (request: ListedSupportRequest) => void): Column<ListedSupportRequest>[] => [
  {
    title: 'Mensagem',
    cell: (request) => (
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Button
          color="inherit"
          size="small"
          onClick={() => onOpen(request)}
          sx={{ ml: -2, px: 2, textAlign: 'start', whiteSpace: 'normal' }}
        >
          {request.subject}
        </Button>
        <Typography
          variant="caption"
          component="p"
          sx={{
            color: 'text.secondary',
            display: '-webkit-box',
            WebkitLineClamp: 2,
            WebkitBoxOrient: 'vertical',
            overflow: 'hidden',
          }}
        >
          {request.message}
        </Typography>
      </Box>
    ),
  },
  {
    title: 'Prioridade',
    cell: ({ priority }) => <StatusBadge tone={tones[priority]} label={supportPriorityNames[priority]} />,
  },
  { title: 'Conta', secondary: true, cell: ({ account }) => account?.name ?? '–' },
  {
    title: 'Status',
    cell: ({ id, answeredAt }) => (
      <>
        {answeredAt ? `Respondida ${wholeTime(answeredAt)}` : 'Em aberto'}{' '}
        <WhyButton asAdmin of={{ kind: 'support', id, field: 'status' }} what="Status da mensagem" />
      </>
    ),
  },
  { title: 'Recebida', numeric: true, cell: ({ createdAt }) => wholeTime(createdAt) },
]

export const SupportTab = () => {
  const [openText, setOpenText] = useAddressFilter('em-aberto')
  const onlyOpen = openText !== ''
  const [shown, setShown] = useState<ListedSupportRequest | null>(null)
  const list = useSupportRequests(onlyOpen)
  const answer = useAnswerSupportRequest()
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <TableToolbar
        filters={
          <FormControlLabel
            control={<Switch checked={onlyOpen} onChange={(_, checked) => setOpenText(checked ? 'sim' : '')} />}
            label="Só as em aberto"
          />
        }
      />
      <DataTable
        label="Mensagens ao suporte"
        columns={columnsWith(setShown)}
        list={list}
        rowKey={({ id }) => id}
        rowName={({ subject }) => subject}
        actions={(request) => [
          { label: 'Ler', icon: <ViewIcon />, onPress: () => setShown(request) },
          {
            label: 'Marcar como respondida',
            icon: <DoneIcon />,
            disabled: request.answeredAt !== null || answer.isPending,
            onPress: () => answer.mutate(request.id),
          },
        ]}
        empty={
          onlyOpen ? (
            <EmptyState icon={<DoneIcon />} title="Nenhuma mensagem em aberto" />
          ) : (
            <EmptyState
              icon={<InboxIcon />}
              title="Nenhuma mensagem ainda"
              sentence="O que os assinantes escrevem na Central de Ajuda aparece aqui."
            />
          )
        }
      />
      {shown && (
        <SupportRequestDialog
          request={shown}
          isAnswering={answer.isPending}
          onAnswered={() => answer.mutate(shown.id, { onSuccess: () => setShown(null) })}
          onClose={() => setShown(null)}
        />
      )}
    </Box>
  )
}
