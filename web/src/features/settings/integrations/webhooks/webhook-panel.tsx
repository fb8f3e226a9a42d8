import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { WebhookShown } from '@prosa/contracts/http/webhooks'
import { type ReactNode, useId, useState } from 'react'
import { ConfirmDialog } from '../../../../components/forms/confirm-dialog.tsx'
import { panelStyle } from '../../../../components/layout/panel.tsx'
import { Notice } from '../../../../components/notices/notice.tsx'
import { StatusBadge } from '../../../../components/status-badge.tsx'
import { RowMenu } from '../../../../components/tables/row-menu.tsx'
import { OwnWhyButton } from '../../../../components/why/own-why.tsx'
import { usePauseWebhook, useRemoveWebhook, useResumeWebhook, useRotateSecret, useTestWebhook } from './api.ts'
import { CallList } from './call-list.tsx'
import { disabledWords, typesWords, webhookStatusWords } from './webhook-words.ts'

interface Props {
  webhook: WebhookShown
  onEdit: () => void
  onSecret: (secret: string) => void
}

type Question = 'remove' | 'rotate'

const Questions = ({
  webhook: { id, name },
  asked,
  onSecret,
  onClose,
}: Pick<Props, 'webhook' | 'onSecret'> & { asked: Question | null; onClose: () => void }) => {
  const remove = useRemoveWebhook(id)
  const rotate = useRotateSecret(id)
  return (
    <>
      <ConfirmDialog
        open={asked === 'remove'}
        title={`Excluir “${name}”`}
        sentence="Nada mais é enviado, e o registro das entregas some. O que esperava na fila se perde."
        confirm="Excluir"
        destructive
        pending={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSettled: onClose })}
        onCancel={onClose}
      />
      <ConfirmDialog
        open={asked === 'rotate'}
        title="Trocar o segredo"
        sentence="Por 24 horas as entregas saem com as duas assinaturas, a nova e a anterior. Depois só a nova vale."
        confirm="Trocar"
        pending={rotate.isPending}
        onConfirm={() => rotate.mutate(undefined, { onSuccess: ({ secret }) => onSecret(secret), onSettled: onClose })}
        onCancel={onClose}
      />
    </>
  )
}

const Heading = ({
  webhook,
  headingId,
  children,
}: Pick<Props, 'webhook'> & { headingId: string; children: ReactNode }) => (
  <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 2 }}>
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <Typography variant="subtitle1" component="h3" id={headingId} sx={{ overflowWrap: 'anywhere' }}>
        {webhook.name}
      </Typography>
      <Typography sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>{webhook.address}</Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {typesWords(webhook)}{' '}
        <OwnWhyButton of={{ kind: 'webhook', field: 'types', part: webhook.id }} what={`Eventos de ${webhook.name}`} />
      </Typography>
    </Box>
    <Box sx={{ minHeight: 'var(--target)', display: 'flex', alignItems: 'center' }}>
      <StatusBadge {...webhookStatusWords[webhook.status]} />
      <OwnWhyButton of={{ kind: 'webhook', field: 'status', part: webhook.id }} what={`Situação de ${webhook.name}`} />
    </Box>
    {children}
  </Box>
)

export const WebhookPanel = ({ webhook, onEdit, onSecret }: Props) => {
  const { id, name, status, disabledCause } = webhook
  const headingId = useId()
  const [asked, setAsked] = useState<Question | null>(null)
  const [showsCalls, setShowsCalls] = useState(false)
  const pause = usePauseWebhook(id)
  const resume = useResumeWebhook(id)
  const test = useTestWebhook(id)
  return (
    <Box
      component="article"
      aria-labelledby={headingId}
      sx={{ ...panelStyle, display: 'grid', gap: 3, p: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Heading webhook={webhook} headingId={headingId}>
        <RowMenu
          name={name}
          actions={[
            { label: 'Editar', onPress: onEdit },
            { label: 'Trocar segredo', onPress: () => setAsked('rotate') },
            { label: 'Excluir', destructive: true, onPress: () => setAsked('remove') },
          ]}
        />
      </Heading>
      {status === 'disabled' && (
        <Notice kind="error">
          {disabledCause && disabledWords[disabledCause]} Nada é enviado até você religar; o que falhou pode ser
          repetido depois.
        </Notice>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {status === 'active' ? (
          <Button variant="outlined" disabled={pause.isPending} onClick={() => pause.mutate()}>
            Pausar
          </Button>
        ) : (
          <Button variant="contained" disabled={resume.isPending} onClick={() => resume.mutate()}>
            Religar
          </Button>
        )}
        <Button
          variant="outlined"
          disabled={test.isPending}
          onClick={() => test.mutate(undefined, { onSuccess: () => setShowsCalls(true) })}
        >
          Enviar teste
        </Button>
        <Button aria-expanded={showsCalls} onClick={() => setShowsCalls(!showsCalls)}>
          {showsCalls ? 'Esconder entregas' : 'Ver entregas'}
        </Button>
      </Box>
      {showsCalls && <CallList webhook={webhook} />}
      <Questions webhook={webhook} asked={asked} onSecret={onSecret} onClose={() => setAsked(null)} />
    </Box>
  )
}
