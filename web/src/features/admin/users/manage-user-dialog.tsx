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
import { ChoiceGroup } from '../../../components/choice-group.tsx'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { ExportData } from '../../../components/export-data.tsx'
import { TextAreaField } from '../../../components/text-area-field.tsx'
import { useCurrentUser } from '../../../lib/current-user.ts'
import { plainDate } from '../../../lib/format.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { useExtendAccess, useRemoveAccess, useSetStatus } from './api.ts'
import { EraseUserDialog } from './erase-user-dialog.tsx'
import { type ExtensionDays, extendedEnd, extensionDays, usualExtension } from './extension.ts'
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

interface Props {
  user: ListedUser
  onClose: () => void
}

export const ManageUserDialog = ({ user, onClose }: Props) => {
  const titleId = useId()
  const name = `${user.firstName} ${user.lastName}`
  const isSelf = useCurrentUser()?.id === user.id
  const nowMs = serverNow() ?? Date.now()
  const [days, setDays] = useState<ExtensionDays>(usualExtension)
  const [status, setStatus] = useState<SubscriptionStatus>(user.subscriptionStatus)
  const [typed, setReason] = useState('')
  // Kept while the dialog fades out.
  const [asked, setAsked] = useState<Asked | null>(null)
  const [isAsking, setAsking] = useState(false)
  const [isErasing, setErasing] = useState(false)
  const [extend, setTo, remove] = [useExtendAccess(), useSetStatus(), useRemoveAccess()]
  const pending = extend.isPending || setTo.isPending || remove.isPending

  const about = { id: user.id, reason: typed.trim() || undefined }
  const settled = { onSuccess: onClose, onError: () => setAsking(false) }
  const end = extendedEnd(user.subscriptionEnd, days, nowMs)

  const ask = (next: Asked) => {
    setAsked(next)
    setAsking(true)
  }
  const askToExtend = () =>
    ask({
      title: 'Estender acesso?',
      sentence: `${name} fica com acesso até ${plainDate(end)}.`,
      confirm: 'Estender acesso',
      decide: () => extend.mutate({ ...about, subscriptionEnd: end }, settled),
    })
  const askToSet = () =>
    ask({
      title: 'Mudar o status?',
      sentence:
        status === 'expired'
          ? `${name} perde o acesso agora.`
          : `A assinatura de ${name} passa a ${statusNames[status].toLowerCase()}; o fim do acesso fica como está.`,
      confirm: 'Mudar status',
      destructive: status === 'expired',
      decide: () => setTo.mutate({ ...about, subscriptionStatus: status }, settled),
    })
  const askToRemove = () =>
    ask({
      title: 'Remover acesso?',
      sentence: `${name} perde o acesso agora. As conversas ficam guardadas, e um novo pagamento abre o acesso de novo.`,
      confirm: 'Remover acesso',
      destructive: true,
      decide: () => remove.mutate(about, settled),
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
          <Section title="Estender acesso">
            <ChoiceGroup
              label="Por quanto tempo"
              choices={extensionDays.map((each) => ({ value: each, label: `${each} dias` }))}
              value={days}
              onChange={setDays}
            />
            <Typography variant="caption" sx={{ color: 'text.secondary' }}>
              Novo fim: {plainDate(end)}
            </Typography>
            <Button variant="contained" disabled={pending} onClick={askToExtend}>
              Estender acesso
            </Button>
          </Section>
          <Divider />
          <Section title="Status da assinatura">
            <ChoiceGroup
              label="Status"
              choices={statuses.map((each) => ({ value: each, label: statusNames[each] }))}
              value={status}
              onChange={setStatus}
            />
            <Button
              variant="outlined"
              color="inherit"
              disabled={pending || status === user.subscriptionStatus || isSelf}
              onClick={askToSet}
            >
              Mudar status
            </Button>
          </Section>
          <Divider />
          <Section title="Dados do usuário">
            <Typography sx={{ color: 'text.secondary' }}>
              Um arquivo ZIP com tudo o que o Prosa guarda desta conta, conversas incluídas, para atender a um pedido do
              próprio usuário. A exportação fica no histórico.
            </Typography>
            <ExportData
              label="Exportar dados"
              target={{ kind: 'user', userId: user.id, reason: typed.trim() || undefined }}
            />
          </Section>
          <Divider />
          <Section title="Encerrar">
            {isSelf && (
              <Typography sx={{ color: 'text.secondary' }}>
                Esta é a sua conta: quem encerra ou exclui é outra pessoa que administra o Prosa.
              </Typography>
            )}
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
              <Button
                variant="outlined"
                color="error"
                disabled={pending || isSelf || user.subscriptionStatus === 'expired'}
                onClick={askToRemove}
              >
                Remover acesso
              </Button>
              <Button color="error" disabled={pending || isSelf} onClick={() => setErasing(true)}>
                Excluir usuário
              </Button>
            </Box>
          </Section>
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            Fechar
          </Button>
        </DialogActions>
      </Dialog>
      <ConfirmDialog
        open={isAsking}
        title={asked?.title ?? ''}
        sentence={asked?.sentence ?? ''}
        confirm={asked?.confirm ?? ''}
        destructive={asked?.destructive ?? false}
        pending={pending}
        onConfirm={() => isAsking && asked?.decide()}
        onCancel={() => setAsking(false)}
      />
      {isErasing && <EraseUserDialog user={user} reason={typed} onClose={() => setErasing(false)} onErased={onClose} />}
    </>
  )
}
