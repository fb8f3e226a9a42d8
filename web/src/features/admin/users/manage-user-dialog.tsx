import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Divider from '@mui/material/Divider'
import Typography from '@mui/material/Typography'
import type { ListedUser } from '@prosa/contracts/http/administration/admin-lists'
import type { SubscriptionStatus } from '@prosa/contracts/values/kiwify'
import { type ReactNode, useId, useState } from 'react'
import { ExportData } from '../../../components/export-data.tsx'
import { ChoiceGroup } from '../../../components/forms/choice-group.tsx'
import { ConfirmDialog } from '../../../components/forms/confirm-dialog.tsx'
import { Field } from '../../../components/forms/field.tsx'
import { TextAreaField } from '../../../components/forms/text-area-field.tsx'
import { useCurrentUser } from '../../../lib/account/current-user.ts'
import { plainDate } from '../../../lib/format/format.ts'
import { serverNow } from '../../../lib/http/server-clock.ts'
import { AnalystSection } from './analyst-section.tsx'
import { useExtendAccess, useRemoveAccess, useSetStatus } from './api.ts'
import { EraseUserDialog } from './erase-user-dialog.tsx'
import { type ExtensionDays, endOfDay, extendedEnd, extensionDays, usualExtension } from './extension.ts'
import { statusNames, UserStatus } from './user-status.tsx'

const statuses: readonly SubscriptionStatus[] = ['active', 'expired', 'cancelled']

interface Asked {
  title: string
  sentence: string
  confirm: string
  destructive?: boolean
  decide: () => void
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Box component="section" aria-label={title} sx={{ display: 'grid', gap: 3, justifyItems: 'start' }}>
    <Typography variant="h3">{title}</Typography>
    {children}
  </Box>
)

type Decision = 'extend' | 'set' | 'remove'

/** `before`, `end`: ISO 8601. */
const questions = (
  name: string,
  { before, end, reason }: { before: string | null; end: string; reason: string | undefined },
  status: SubscriptionStatus,
  decide: Record<Decision, () => void>,
): Record<Decision, Asked> => ({
  extend: {
    title: 'Estender acesso?',
    sentence: `${name}: acesso até ${before === null ? 'nunca' : plainDate(before)} → até ${plainDate(end)}. ${
      reason === undefined ? 'Sem motivo.' : `Motivo: ${reason}`
    }`,
    confirm: 'Estender acesso',
    decide: decide.extend,
  },
  set: {
    title: 'Mudar o status?',
    sentence:
      status === 'expired'
        ? `${name} perde o acesso agora.`
        : `A assinatura de ${name} passa a ${statusNames[status].toLowerCase()}; o fim do acesso fica como está.`,
    confirm: 'Mudar status',
    destructive: status === 'expired',
    decide: decide.set,
  },
  remove: {
    title: 'Remover acesso?',
    sentence: `${name} perde o acesso agora. As conversas ficam guardadas, e um novo pagamento abre o acesso de novo.`,
    confirm: 'Remover acesso',
    destructive: true,
    decide: decide.remove,
  },
})

interface AccessProps {
  days: ExtensionDays
  /** 2027-01-12; empty: by days. */
  day: string
  /** ISO 8601; undefined where the day is over. */
  end: string | undefined
  pending: boolean
  onDays: (days: ExtensionDays) => void
  onDay: (day: string) => void
  onExtend: () => void
}

const AccessSection = ({ days, day, end, pending, onDays, onDay, onExtend }: AccessProps) => (
  <Section title="Estender acesso">
    <ChoiceGroup
      label="Por quanto tempo"
      choices={extensionDays.map((each) => ({ value: each, label: `${each} dias` }))}
      value={days}
      onChange={onDays}
    />
    <Field
      label="Ou até um dia"
      type="date"
      value={day}
      onChange={onDay}
      error={end === undefined ? 'Escolha um dia que ainda não passou.' : undefined}
    />
    {end !== undefined && (
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        Novo fim: {plainDate(end)}
      </Typography>
    )}
    <Button variant="contained" disabled={pending || end === undefined} onClick={onExtend}>
      Estender acesso
    </Button>
  </Section>
)

interface StatusProps {
  status: SubscriptionStatus
  disabled: boolean
  onStatus: (status: SubscriptionStatus) => void
  onSet: () => void
}

const StatusSection = ({ status, disabled, onStatus, onSet }: StatusProps) => (
  <Section title="Status da assinatura">
    <ChoiceGroup
      label="Status"
      choices={statuses.map((each) => ({ value: each, label: statusNames[each] }))}
      value={status}
      onChange={onStatus}
    />
    <Button variant="outlined" color="inherit" disabled={disabled} onClick={onSet}>
      Mudar status
    </Button>
  </Section>
)

const DataSection = ({ userId, reason }: { userId: string; reason: string | undefined }) => (
  <Section title="Dados do usuário">
    <Typography sx={{ color: 'text.secondary' }}>
      Um arquivo ZIP com tudo o que o Prosa guarda desta conta, conversas incluídas, para atender a um pedido do próprio
      usuário. A exportação fica no histórico.
    </Typography>
    <ExportData label="Exportar dados" target={{ kind: 'user', userId, reason }} />
  </Section>
)

interface EndProps {
  isSelf: boolean
  isExpired: boolean
  pending: boolean
  onRemove: () => void
  onErase: () => void
}

const EndSection = ({ isSelf, isExpired, pending, onRemove, onErase }: EndProps) => (
  <Section title="Encerrar">
    {isSelf && (
      <Typography sx={{ color: 'text.secondary' }}>
        Esta é a sua conta: quem encerra ou exclui é outra pessoa que administra o Prosa.
      </Typography>
    )}
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      <Button variant="outlined" color="error" disabled={pending || isSelf || isExpired} onClick={onRemove}>
        Remover acesso
      </Button>
      <Button color="error" disabled={pending || isSelf} onClick={onErase}>
        Excluir usuário
      </Button>
    </Box>
  </Section>
)

const useQuestion = () => {
  // Kept while the dialog fades out.
  const [asked, setAsked] = useState<Asked | null>(null)
  const [isAsking, setAsking] = useState(false)
  return {
    asked,
    isAsking,
    ask: (next: Asked) => {
      setAsked(next)
      setAsking(true)
    },
    close: () => setAsking(false),
  }
}

const QuestionDialog = (props: ReturnType<typeof useQuestion> & { pending: boolean }) => {
  const { asked, isAsking, pending, close } = props
  return (
    <ConfirmDialog
      open={isAsking}
      title={asked?.title ?? ''}
      sentence={asked?.sentence ?? ''}
      confirm={asked?.confirm ?? ''}
      destructive={asked?.destructive ?? false}
      pending={pending}
      onConfirm={() => isAsking && asked?.decide()}
      onCancel={close}
    />
  )
}

const useExtension = (currentEnd: string | null, nowMs: number) => {
  const [days, setDays] = useState<ExtensionDays>(usualExtension)
  const [day, setDay] = useState('')
  return {
    days,
    day,
    end: day === '' ? extendedEnd(currentEnd, days, nowMs) : endOfDay(day, nowMs),
    onDays: (chosen: ExtensionDays) => {
      setDays(chosen)
      setDay('')
    },
    onDay: setDay,
  }
}

interface Props {
  user: ListedUser
  onClose: () => void
}

export const ManageUserDialog = ({ user, onClose }: Props) => {
  const titleId = useId()
  const name = `${user.firstName} ${user.lastName}`
  const isSelf = useCurrentUser()?.id === user.id
  const nowMs = serverNow() ?? Date.now()
  const extension = useExtension(user.subscriptionEnd, nowMs)
  const { end } = extension
  const [status, setStatus] = useState<SubscriptionStatus>(user.subscriptionStatus)
  const [typed, setReason] = useState('')
  const question = useQuestion()
  const [isErasing, setErasing] = useState(false)
  const [extend, setTo, remove] = [useExtendAccess(), useSetStatus(), useRemoveAccess()]
  const pending = extend.isPending || setTo.isPending || remove.isPending

  const about = { id: user.id, reason: typed.trim() || undefined }
  const settled = { onSuccess: onClose, onError: question.close }
  const asked = { before: user.subscriptionEnd, end: end ?? new Date(nowMs).toISOString(), reason: about.reason }
  const asks = questions(name, asked, status, {
    extend: () => end !== undefined && extend.mutate({ ...about, subscriptionEnd: end }, settled),
    set: () => setTo.mutate({ ...about, subscriptionStatus: status }, settled),
    remove: () => remove.mutate(about, settled),
  })

  return (
    <>
      <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby={titleId}>
        <DialogTitle id={titleId}>Gerenciar {name}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <Box sx={{ display: 'grid', gap: 1 }}>
            <Typography sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>{user.email}</Typography>
            <UserStatus user={user} nowMs={nowMs} />
            {user.subscriptionEnd && <Typography>Acesso até {plainDate(user.subscriptionEnd)}</Typography>}
          </Box>
          <TextAreaField
            label="Motivo (opcional)"
            help="Fica no histórico do usuário, com seu nome e a hora."
            rows={2}
            maxLength={500}
            value={typed}
            onChange={setReason}
          />
          <AccessSection {...extension} pending={pending} onExtend={() => question.ask(asks.extend)} />
          <Divider />
          <StatusSection
            status={status}
            disabled={pending || status === user.subscriptionStatus || isSelf}
            onStatus={setStatus}
            onSet={() => question.ask(asks.set)}
          />
          <Divider />
          <AnalystSection user={user} reason={about.reason} onDone={onClose} />
          <Divider />
          <DataSection userId={user.id} reason={about.reason} />
          <Divider />
          <EndSection
            isSelf={isSelf}
            pending={pending}
            isExpired={user.subscriptionStatus === 'expired'}
            onRemove={() => question.ask(asks.remove)}
            onErase={() => setErasing(true)}
          />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            Fechar
          </Button>
        </DialogActions>
      </Dialog>
      <QuestionDialog {...question} pending={pending} />
      {isErasing && <EraseUserDialog user={user} reason={typed} onClose={() => setErasing(false)} onErased={onClose} />}
    </>
  )
}
