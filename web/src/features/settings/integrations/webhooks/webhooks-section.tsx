import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { WebhookShown } from '@prosa/contracts/http/webhooks'
import { maximumWebhooks } from '@prosa/contracts/values/webhook'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import AddIcon from '~icons/ic/round-add'
import WebhookIcon from '~icons/ic/round-webhook'
import { CardGridSkeleton } from '../../../../components/layout/card-grid.tsx'
import { EmptyState } from '../../../../components/layout/empty-state.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { NotReadPanel } from '../../../../components/notices/not-read-panel.tsx'
import { SettingsBlock } from '../../settings-block.tsx'
import { webhooksQuery } from './api.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookPanel } from './webhook-panel.tsx'

type Shown = { webhook?: WebhookShown } | null

/** Where a subscriber's own programs get what happens. */
export const WebhooksSection = () => {
  const { data: webhooks, error, isPending, refetch } = useQuery(webhooksQuery)
  const [shown, setShown] = useState<Shown>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const add = (
    <Button
      variant="contained"
      startIcon={<AddIcon />}
      disabled={(webhooks?.length ?? 0) >= maximumWebhooks}
      onClick={() => setShown({})}
    >
      Novo webhook
    </Button>
  )
  return (
    <SettingsBlock title="Webhooks" action={webhooks && webhooks.length > 0 && add}>
      {isPending ? (
        <CardGridSkeleton cards={2} />
      ) : !webhooks ? (
        <NotReadPanel title="Os webhooks não puderam ser lidos" error={error} onRetry={() => void refetch()} />
      ) : webhooks.length === 0 ? (
        <Panel>
          <EmptyState
            icon={<WebhookIcon />}
            title="Nenhum webhook ainda"
            sentence="Um webhook avisa o seu sistema do que acontece aqui: cada evento que você escolher vai, assinado, ao endereço que você disser."
            action={add}
          />
        </Panel>
      ) : (
        webhooks.map((webhook) => (
          <WebhookPanel key={webhook.id} webhook={webhook} onEdit={() => setShown({ webhook })} onSecret={setSecret} />
        ))
      )}
      {webhooks && webhooks.length >= maximumWebhooks && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          Uma conta tem até {maximumWebhooks} webhooks.
        </Typography>
      )}
      {shown && (
        <WebhookDialog webhook={shown.webhook} onClose={() => setShown(null)} onSecret={(made) => setSecret(made)} />
      )}
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </SettingsBlock>
  )
}
