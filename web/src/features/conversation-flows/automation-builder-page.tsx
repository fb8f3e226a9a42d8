import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useEffect, useRef } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { EmptyState } from '../../components/layout/empty-state.tsx'
import { LoadingScreen } from '../../components/layout/loading-screen.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { flowEditor, flowsQuery } from '../../lib/account/flows.ts'
import { useScreenTitle } from '../../lib/browser/tab-title.ts'
import { call } from '../../lib/http/call.ts'
import { sentenceOf } from '../../lib/http/http.ts'
import { useCommand } from '../../lib/http/use-command.ts'
import { paths } from '../../lib/paths.ts'

const newName = 'Novo fluxo'

/** 'Novo fluxo', then 'Novo fluxo 2' and so on. */
export const freeName = (taken: readonly string[]): string => {
  const names = new Set(taken)
  let name = newName
  for (let number = 2; names.has(name); number++) name = `${newName} ${number}`
  return name
}

/** 'Nova Automação' creates a flow and opens its editor. */
export const AutomationBuilderPage = () => {
  useScreenTitle('Nova Automação')
  const navigate = useNavigate()
  const { mutate, error, isError } = useCommand({
    run: async (_: undefined, queries) => {
      const flows = await queries.fetchQuery(flowsQuery)
      return call('POST /api/flows', { body: { name: freeName(flows.map(({ name }) => name)) } })
    },
    // Replaced: going back would create another flow.
    apply: (_queries, { id }) => navigate(flowEditor(id), { replace: true }),
  })
  const isAsked = useRef(false)
  useEffect(() => {
    if (isAsked.current) return
    isAsked.current = true
    mutate(undefined)
  }, [mutate])
  if (!isError) return <LoadingScreen label="Criando seu fluxo..." />
  return (
    <PageFrame>
      <Box role="alert">
        <Panel>
          <EmptyState
            title="O fluxo não foi criado"
            sentence={sentenceOf(error, 'Tente de novo em instantes.')}
            action={
              <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: 2 }}>
                <Button variant="contained" onClick={() => mutate(undefined)}>
                  Tentar de novo
                </Button>
                <Button component={Link} to={paths.conversationFlows} color="inherit">
                  Ver Fluxos de Conversa
                </Button>
              </Box>
            }
          />
        </Panel>
      </Box>
    </PageFrame>
  )
}
