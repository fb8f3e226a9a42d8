import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useEffect, useRef, useState } from 'react'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { panelStyle } from '../../../components/layout/panel.tsx'
import { NotRead } from '../../../components/notices/not-read-panel.tsx'
import { pathOf, type Question } from '../question.ts'
import { firstRows, isAborted, type Row } from '../read-stream.ts'
import { useSessionCheck } from '../use-session-check.ts'
import { EventRows } from './event-rows.tsx'

const shownRows = 20

type State = { is: 'idle' } | { is: 'reading' } | { is: 'read'; rows: Row[] } | { is: 'failed'; error: unknown }

const usePreview = (question: Question) => {
  const [state, setState] = useState<State>({ is: 'idle' })
  const reading = useRef<AbortController>(undefined)
  const checkSession = useSessionCheck()
  useEffect(() => () => reading.current?.abort(), [])
  const cancel = () => {
    reading.current?.abort()
    setState({ is: 'idle' })
  }
  const read = async () => {
    reading.current?.abort()
    const controller = new AbortController()
    reading.current = controller
    const { signal } = controller
    setState({ is: 'reading' })
    try {
      const rows = await firstRows(pathOf(question, { format: 'ndjson' }), shownRows, signal)
      if (!signal.aborted) setState({ is: 'read', rows })
    } catch (error) {
      if (signal.aborted || isAborted(error)) return
      checkSession(error)
      setState({ is: 'failed', error })
    }
  }
  return { state, read: () => void read(), cancel }
}

/** The first rows of the question; asked by a press, as each reading is recorded. */
export const Preview = ({ question, fault }: { question: Question; fault: string | null }) => {
  const { state, read, cancel } = usePreview(question)
  const isReading = state.is === 'reading'
  return (
    <Box
      component="section"
      aria-label="Primeiras linhas"
      sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'center', justifyContent: 'space-between' }}>
        <Typography variant="h2">Primeiras linhas</Typography>
        <Button variant="outlined" color="inherit" disabled={fault !== null} onClick={isReading ? cancel : read}>
          {isReading ? 'Parar de procurar' : 'Ver as primeiras linhas'}
        </Button>
      </Box>
      <Box aria-live="polite" sx={panelStyle}>
        {state.is === 'idle' && (
          <EmptyState
            title={fault ?? 'Veja se é isto que você procura'}
            {...(fault === null && { sentence: `Mostra até ${shownRows} linhas, sem baixar o resto.` })}
          />
        )}
        {isReading && (
          <EmptyState title="Procurando..." sentence="Em muitos dados, o primeiro pode demorar a aparecer." />
        )}
        {state.is === 'failed' && (
          <NotRead title="As linhas não puderam ser lidas" error={state.error} onRetry={read} />
        )}
        {state.is === 'read' && state.rows.length === 0 && (
          <EmptyState title="Nada aconteceu que caiba nesta consulta" sentence="Escolha mais eventos, ou mais dias." />
        )}
        {state.is === 'read' && state.rows.length > 0 && (
          <EventRows rows={state.rows} isTable={question.table !== ''} />
        )}
      </Box>
    </Box>
  )
}
