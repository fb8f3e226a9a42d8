import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router-dom'
import { EmptyState } from '../../components/layout/empty-state.tsx'
import { lazyPart } from '../../components/layout/lazy-part.tsx'
import { LoadingScreen } from '../../components/layout/loading-screen.tsx'
import { useScreenTitle } from '../../lib/browser/tab-title.ts'
import { useAddressFilter } from '../../lib/forms/use-address-filter.ts'
import { ApiProblem, sentenceOf } from '../../lib/http/http.ts'
import { momentParameter, paths } from '../../lib/paths.ts'
import { flowQuery } from './api.ts'
import { Editor } from './editor.tsx'

const FlowThen = lazyPart(async () => (await import('./past/flow-then.tsx')).FlowThen, <LoadingScreen />)

const NotRead = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  const isGone = error instanceof ApiProblem && error.status === 404
  return (
    <Box role="alert" sx={{ display: 'grid', flex: 1, placeContent: 'center' }}>
      <EmptyState
        title={isGone ? 'Este fluxo não existe mais' : 'O fluxo não pôde ser lido'}
        sentence={isGone ? 'Ele foi excluído, ou o endereço não é desta conta.' : sentenceOf(error, 'Tente de novo.')}
        action={
          isGone ? (
            <Button component={Link} to={paths.conversationFlows} variant="contained">
              Ver os fluxos
            </Button>
          ) : (
            <Button variant="outlined" onClick={onRetry}>
              Tentar de novo
            </Button>
          )
        }
      />
    </Box>
  )
}

export const FlowEditorPage = () => {
  const { id = '' } = useParams()
  const [em] = useAddressFilter(momentParameter)
  return em === '' ? <FlowNow key={id} id={id} /> : <FlowThen id={id} em={em} />
}

const FlowNow = ({ id }: { id: string }) => {
  const flow = useQuery(flowQuery(id))
  useScreenTitle(flow.data?.name ?? 'Editor de Fluxo')
  if (flow.data) return <Editor key={id} flow={flow.data} />
  if (flow.isPending || flow.isFetching) return <LoadingScreen />
  return <NotRead error={flow.error} onRetry={() => void flow.refetch()} />
}
