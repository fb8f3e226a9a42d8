import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import FlowIcon from '~icons/ic/round-schema'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { NotReadPanel } from '../../../components/notices/not-read-panel.tsx'
import { OwnWhyButton } from '../../../components/why/own-why.tsx'
import { flowsQuery } from '../../../lib/account/flows.ts'
import { paths } from '../../../lib/paths.ts'
import { SettingsBlock } from '../settings-block.tsx'
import { defaultFlowQuery } from './api.ts'
import { DefaultFlowForm } from './default-flow-form.tsx'

const Content = () => {
  const flows = useQuery(flowsQuery)
  const chosen = useQuery(defaultFlowQuery)
  const failed = [flows, chosen].find(({ data, isError }) => data === undefined && isError)
  if (failed)
    return (
      <NotReadPanel
        title="O fluxo padrão não pôde ser lido"
        error={failed.error}
        onRetry={() => void failed.refetch()}
      />
    )
  if (!flows.data || !chosen.data)
    return <Skeleton role="status" aria-label="Carregando..." variant="rounded" sx={{ height: 'var(--card-height)' }} />
  const published = flows.data.filter(({ status }) => status !== 'draft')
  if (published.length === 0)
    return (
      <Panel>
        <EmptyState
          icon={<FlowIcon />}
          title="Nenhum fluxo publicado"
          sentence="Publique um fluxo de conversa para ele receber quem escreve pela primeira vez. Até lá, toda conversa nova espera em Aguardando."
          action={
            <Button component={Link} to={paths.conversationFlows} variant="contained">
              Abrir Fluxos de Conversa
            </Button>
          }
        />
      </Panel>
    )
  return (
    <>
      <DefaultFlowForm flows={published} chosenId={chosen.data.flowId} />
      {chosen.data.flowId !== null && (
        <Box>
          <OwnWhyButton of={{ kind: 'flows', field: 'default' }} what="Fluxo padrão" />
        </Box>
      )}
    </>
  )
}

export const DefaultFlowSection = () => (
  <SettingsBlock title="Fluxo padrão" action={null}>
    <Content />
  </SettingsBlock>
)
