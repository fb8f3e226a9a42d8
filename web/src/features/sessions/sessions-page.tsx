import Button from '@mui/material/Button'
import { useState } from 'react'
import AddIcon from '~icons/ic/round-add'
import PhoneIcon from '~icons/ic/round-phonelink-ring'
import { Field } from '../../components/forms/field.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { CardGrid, CardGridSkeleton } from '../../components/layout/card-grid.tsx'
import { EmptyState } from '../../components/layout/empty-state.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { PageHeading } from '../../components/layout/page-heading.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { NotReadPanel } from '../../components/notices/not-read-panel.tsx'
import { useForm } from '../../lib/forms/use-form.ts'
import { useAddSession, useSessions } from './api.ts'
import { QrDialog } from './qr-dialog.tsx'
import { SessionCard } from './session-card.tsx'

const required = 'Nome da sessão é obrigatório'

const AddSessionDialog = ({ onClose, onAdded }: { onClose: () => void; onAdded: (token: string) => void }) => {
  const form = useForm(useState({ name: '' }), {
    command: useAddSession(),
    toInput: ({ name }) => name.trim(),
    check: ({ name }) => ({ name: name.trim() === '' ? required : undefined }),
    onDone: ({ token }) => onAdded(token),
  })
  return (
    <FormDialog title="Adicionar Sessão" form={form} submit="Adicionar" onClose={onClose}>
      <Field
        label="Nome da instância"
        placeholder="Ex: Loja do centro"
        help="Um nome para você reconhecer este número."
        maxLength={60}
        autoFocus
        autoComplete="off"
        {...form.bind('name')}
      />
    </FormDialog>
  )
}

export const SessionsPage = () => {
  const { data: sessions, error, isPending, refetch } = useSessions()
  const [adding, setAdding] = useState(false)
  const [shownToken, setShownToken] = useState<string | null>(null)
  const shown = sessions?.find(({ token }) => token === shownToken)

  const add = (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setAdding(true)}>
      Adicionar Sessão
    </Button>
  )
  return (
    <PageFrame>
      <PageHeading
        title="WhatsApp Sessions"
        sentence="Os números conectados ao Prosa, cada um com o token que o identifica na API."
        action={(isPending || (sessions && sessions.length > 0)) && add}
      />
      {isPending ? (
        <CardGridSkeleton cards={2} height="var(--session-height)" />
      ) : !sessions ? (
        <NotReadPanel title="As sessões não puderam ser lidas" error={error} onRetry={() => void refetch()} />
      ) : sessions.length === 0 ? (
        <Panel>
          <EmptyState
            icon={<PhoneIcon />}
            title="Nenhuma sessão ainda"
            sentence="Adicione uma sessão e leia o QR Code com o celular do seu negócio."
            action={add}
          />
        </Panel>
      ) : (
        <CardGrid>
          {sessions.map((session) => (
            <SessionCard key={session.token} session={session} onShowQr={() => setShownToken(session.token)} />
          ))}
        </CardGrid>
      )}
      {adding && (
        <AddSessionDialog
          onClose={() => setAdding(false)}
          onAdded={(token) => {
            setAdding(false)
            setShownToken(token)
          }}
        />
      )}
      {shown && <QrDialog session={shown} onClose={() => setShownToken(null)} />}
    </PageFrame>
  )
}
