import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { FlowDetail } from '@prosa/contracts/http/flows'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { sentenceOfPast } from '../../../components/past/api.ts'
import { RecordPast } from '../../../components/past/record-past.tsx'
import { useScreenTitle } from '../../../lib/browser/tab-title.ts'
import { useAddressFilter } from '../../../lib/forms/use-address-filter.ts'
import { call } from '../../../lib/http/call.ts'
import { ApiProblem } from '../../../lib/http/http.ts'
import { momentParameter, paths } from '../../../lib/paths.ts'
import { Canvas, type CanvasHandle } from '../canvas/canvas.tsx'
import type { ProblemsByNode } from '../state/use-problems.ts'
import { useNames } from '../use-editor.ts'
import { useIsNarrow } from '../use-is-narrow.ts'

const nothing = () => undefined
const noProblems: ProblemsByNode = new Map()
const noneFound: ReadonlySet<string> = new Set()
const noCount = () => null

const statusWords = { draft: 'rascunho', active: 'ligado', inactive: 'desligado' } as const

const Drawing = ({ flow: { name, status, version, document } }: { flow: FlowDetail }) => {
  const handle = useRef<CanvasHandle>(null)
  const named = useNames()
  const isNarrow = useIsNarrow()
  return (
    <>
      <Typography variant="h2" sx={{ overflowWrap: 'anywhere' }}>
        {name}
      </Typography>
      <Typography sx={{ color: 'text.secondary' }}>
        {version === null ? 'Rascunho, ainda sem versão publicada' : `Versão ${version}, ${statusWords[status]}`}
      </Typography>
      <Box sx={{ display: 'flex', height: 'max(22rem, 60vh)', minWidth: 0 }}>
        <Canvas
          {...{ document, named, handle }}
          // Fitted anew.
          key={String(isNarrow)}
          isReadOnly
          selected={[]}
          selectedLinks={[]}
          problems={noProblems}
          currentNodeId={null}
          found={noneFound}
          countOf={noCount}
          edit={nothing}
          onAddAt={nothing}
          onOpen={nothing}
        />
      </Box>
    </>
  )
}

/** A flow as it was: the drawing that ran then, or the draft before there was one. */
export const FlowThen = ({ id, em }: { id: string; em: string }) => {
  const [, goTo] = useAddressFilter(momentParameter)
  const { data: flow, error } = useQuery({
    queryKey: ['then', em, 'flow', id],
    queryFn: ({ signal }) => call('GET /api/flows/:id', { params: { id }, query: { em }, signal }),
    retry: false,
  })
  useScreenTitle(flow ? `${flow.name} como era` : 'Fluxo como era')
  return (
    <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto' }}>
      <RecordPast of={{ kind: 'flow', id }} em={em} present={`${paths.flowEditor}/${id}`} onMoment={goTo}>
        {error ? (
          <Typography role="alert">
            {error instanceof ApiProblem && error.type === 'flow_not_found'
              ? 'Neste momento não existia.'
              : sentenceOfPast(error, 'O fluxo não pôde ser lido. Tente de novo.')}
          </Typography>
        ) : flow ? (
          <Drawing key={em} flow={flow} />
        ) : (
          <Typography role="status">Carregando...</Typography>
        )}
      </RecordPast>
    </Box>
  )
}
