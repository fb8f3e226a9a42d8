import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { checkFlow } from '@prosa/contracts/flows/check-flow'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowReplayDifference, FlowReplayPart } from '@prosa/contracts/http/flow-runs'
import { useEffect, useRef, useState } from 'react'
import ReplayIcon from '~icons/ic/round-replay'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { Notice } from '../../../components/notices/notice.tsx'
import { lastDays, PeriodFields } from '../../../components/what-if/period-fields.tsx'
import { WalkProgress } from '../../../components/what-if/walk-progress.tsx'
import { count, plural } from '../../../lib/format/format.ts'
import { refusalOr } from '../../../lib/http/http.ts'
import { useWalk } from '../../../lib/http/use-walk.ts'
import { useFlowNames } from '../use-flow-names.ts'
import { replayPart } from './api.ts'
import { ReplayDifference } from './replay-difference.tsx'

interface Props {
  flowId: string
  draft: FlowDocument
  onShowNode: (nodeId: string) => void
}

/** Of all parts. */
const maxShown = 500

interface Found extends Pick<FlowReplayPart, 'conversations' | 'runs' | 'same' | 'different' | 'begun' | 'isCut'> {
  differences: FlowReplayDifference[]
}

const none: Found = { conversations: 0, runs: 0, same: 0, different: 0, begun: 0, isCut: false, differences: [] }

const together = (parts: readonly FlowReplayPart[]): Found => {
  const found = parts.reduce<Found>(
    (all, part) => ({
      conversations: all.conversations + part.conversations,
      runs: all.runs + part.runs,
      same: all.same + part.same,
      different: all.different + part.different,
      begun: all.begun + part.begun,
      isCut: all.isCut || part.isCut,
      differences: all.differences.length < maxShown ? [...all.differences, ...part.differences] : all.differences,
    }),
    none,
  )
  const latestFirst = (one: FlowReplayDifference, other: FlowReplayDifference) =>
    one.startedAt < other.startedAt ? 1 : -1
  return { ...found, differences: found.differences.toSorted(latestFirst).slice(0, maxShown) }
}

const listed = (all: readonly string[]): string =>
  all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} e ${all.at(-1)}`

/** '38 conversas: em 35 o fluxo seguiria igual, em 2 seria diferente e em 1 começaria onde não começou.' */
const summaryOf = ({ conversations, runs, same, different, begun }: Found): string => {
  const of = plural(conversations, 'conversa', 'conversas')
  if (runs === 0) return `${of}: o fluxo não começou, nem começaria, em nenhuma.`
  if (different === 0) return `${of}: ${plural(runs, 'vez', 'vezes')} o fluxo seguiria igual, e nada seria diferente.`
  const outcomes = [
    ...(same > 0 ? [`${plural(same, 'vez', 'vezes')} o fluxo seguiria igual`] : []),
    ...(different > begun ? [`${plural(different - begun, 'vez', 'vezes')} seria diferente`] : []),
    ...(begun > 0 ? [`${plural(begun, 'vez', 'vezes')} começaria onde não começou`] : []),
  ]
  return `${of}: ${listed(outcomes)}.`
}

const Result = ({
  found,
  isOver,
  draft,
  onShowNode,
}: Pick<Props, 'draft' | 'onShowNode'> & { found: Found; isOver: boolean }) => {
  const names = useFlowNames()
  const summary = useRef<HTMLHeadingElement>(null)
  // The answer is below the button, so it takes the focus.
  useEffect(() => {
    if (isOver) summary.current?.focus()
  }, [isOver])
  const drawn = new Set(draft.nodes.map(({ id }) => id))
  const context = { document: draft, names, now: Date.now() }
  if (isOver && found.conversations === 0)
    return <EmptyState title="Nenhuma conversa para repassar" sentence="Ninguém escreveu nesses dias." />
  return (
    <section aria-label="Resultado">
      <Typography variant="h3" ref={summary} tabIndex={-1} sx={{ outlineOffset: '2px' }}>
        {summaryOf(found)}
      </Typography>
      {found.differences.length < found.different && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          A lista mostra {count(found.differences.length)} de {count(found.different)} diferenças.
        </Typography>
      )}
      {found.isCut && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          Houve conversas grandes demais, que não foram repassadas inteiras.
        </Typography>
      )}
      <Box component="ol" aria-label="Conversas diferentes" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {found.differences.map((difference) => {
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

/** 'Reprise': the draft over every conversation of some days. */
export const ReplayTab = ({ flowId, draft, onShowNode }: Props) => {
  const walk = useWalk<FlowReplayPart>()
  const [period, setPeriod] = useState(() => lastDays(7))
  const problems = checkFlow(draft).filter(({ severity }) => severity === 'error')
  const begin = () => walk.begin((after) => replayPart(flowId, { document: draft, ...period, after }))
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Typography sx={{ maxWidth: 'var(--reading-width)', textWrap: 'pretty' }}>
        O rascunho passa por todas as conversas dos dias escolhidos, 31 no máximo, com as mesmas mensagens nas mesmas
        horas, e você vê onde teria decidido de outro jeito ou começado. Nada é enviado a ninguém.
      </Typography>
      {problems.length > 0 ? (
        <Notice kind="warning">
          Corrija antes {plural(problems.length, 'erro', 'erros')} do rascunho:{' '}
          {[...new Set(problems.map(({ sentence }) => sentence))].join(' ')}
        </Notice>
      ) : (
        <>
          <PeriodFields period={period} onChange={setPeriod} error={walk.error} />
          <Button
            variant="contained"
            startIcon={<ReplayIcon />}
            disabled={walk.status === 'going'}
            onClick={begin}
            sx={{ justifySelf: 'start' }}
          >
            {walk.parts.length === 0 ? 'Repassar as conversas' : 'Repassar de novo'}
          </Button>
        </>
      )}
      <WalkProgress walk={walk} records="conversas" />
      {walk.error && (
        <Notice kind="error">{refusalOr(walk.error, 'As conversas não puderam ser repassadas. Tente de novo.')}</Notice>
      )}
      {walk.parts.length > 0 && (
        <Result found={together(walk.parts)} isOver={walk.status === 'over'} draft={draft} onShowNode={onShowNode} />
      )}
    </Box>
  )
}
