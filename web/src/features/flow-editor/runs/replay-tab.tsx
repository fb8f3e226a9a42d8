import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { checkFlow } from '@prosa/contracts/flows/check-flow'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowReplay } from '@prosa/contracts/http/flow-runs'
import { useEffect, useRef, useState } from 'react'
import ReplayIcon from '~icons/ic/round-replay'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { Notice } from '../../../components/notices/notice.tsx'
import { count, plural, shortDay } from '../../../lib/format/format.ts'
import { refusalOr } from '../../../lib/http/http.ts'
import { useFlowNames } from '../use-flow-names.ts'
import { replayDays, useReplay } from './api.ts'
import { ReplayDifference } from './replay-difference.tsx'

interface Props {
  flowId: string
  draft: FlowDocument
  onShowNode: (nodeId: string) => void
}

const secondMs = 1000

const Progress = () => {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), secondMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <LinearProgress aria-label="Repassando as conversas" sx={{ borderRadius: 'var(--radius-control)' }} />
      <Typography sx={{ color: 'text.secondary' }}>
        <span role="status">Repassando as conversas dos últimos {replayDays} dias…</span>
        {seconds >= 5 && ` Já são ${plural(seconds, 'segundo', 'segundos')}; com muitas conversas leva mais.`}
      </Typography>
    </Box>
  )
}

/** '38 conversas desde 16 de nov.: 35 seguiriam igual e 3 seriam diferentes.' */
const summaryOf = ({ from, runs, same }: FlowReplay): string => {
  const since = `${plural(runs, 'conversa', 'conversas')} desde ${shortDay(Date.parse(from), Date.now())}`
  const other = runs - same
  if (other === 0) return `${since}: nenhuma seria diferente.`
  const unchanged = same === 1 ? '1 seguiria igual' : `${count(same)} seguiriam igual`
  const changed = other === 1 ? '1 seria diferente' : `${count(other)} seriam diferentes`
  return `${since}: ${unchanged} e ${changed}.`
}

const Result = ({ result, draft, onShowNode }: Pick<Props, 'draft' | 'onShowNode'> & { result: FlowReplay }) => {
  const names = useFlowNames()
  const summary = useRef<HTMLHeadingElement>(null)
  // The answer is below the button, so it takes the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer anew
  useEffect(() => summary.current?.focus(), [result])
  const drawn = new Set(draft.nodes.map(({ id }) => id))
  const context = { document: draft, names, now: Date.now() }
  if (result.runs === 0)
    return (
      <EmptyState
        title="Nenhuma conversa para repassar"
        sentence={`Este fluxo não respondeu a ninguém nos últimos ${replayDays} dias.`}
      />
    )
  return (
    <section aria-label="Resultado">
      <Typography variant="h3" ref={summary} tabIndex={-1} sx={{ outlineOffset: '2px' }}>
        {summaryOf(result)}
      </Typography>
      {result.isCut && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          Houve mais conversas: foram repassadas só as últimas {count(result.runs)}.
        </Typography>
      )}
      <Box component="ol" aria-label="Conversas diferentes" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {result.differences.map((difference) => {
          const { nodeId } = difference
          return (
            <ReplayDifference
              key={difference.runId}
              difference={difference}
              context={context}
              onShow={nodeId !== null && drawn.has(nodeId) ? () => onShowNode(nodeId) : undefined}
            />
          )
        })}
      </Box>
    </section>
  )
}

/** 'Reprise': the draft over last week's conversations. */
export const ReplayTab = ({ flowId, draft, onShowNode }: Props) => {
  const replay = useReplay(flowId)
  const problems = checkFlow(draft).filter(({ severity }) => severity === 'error')
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography sx={{ maxWidth: 'var(--reading-width)', textWrap: 'pretty' }}>
        O rascunho passa pelas conversas dos últimos {replayDays} dias, com as mesmas mensagens nas mesmas horas, e você
        vê onde teria decidido de outro jeito. Nada é enviado a ninguém.
      </Typography>
      {problems.length > 0 ? (
        <Notice kind="warning">
          Corrija antes {plural(problems.length, 'erro', 'erros')} do rascunho:{' '}
          {[...new Set(problems.map(({ sentence }) => sentence))].join(' ')}
        </Notice>
      ) : (
        <Button
          variant="contained"
          startIcon={<ReplayIcon />}
          disabled={replay.isPending}
          onClick={() => replay.mutate(draft)}
          sx={{ justifySelf: 'start' }}
        >
          {replay.data ? 'Repassar de novo' : 'Repassar a última semana'}
        </Button>
      )}
      {replay.isPending && <Progress />}
      {replay.error && (
        <Notice kind="error">
          {refusalOr(replay.error, 'As conversas não puderam ser repassadas. Tente de novo.')}
        </Notice>
      )}
      {replay.data && <Result result={replay.data} draft={draft} onShowNode={onShowNode} />}
    </Box>
  )
}
