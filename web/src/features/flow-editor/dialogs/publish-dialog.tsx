import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { type Meeting, meetingsOf, type Starter } from '@prosa/contracts/flows/flow-meetings'
import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import { oneAnswerSentence } from '@prosa/contracts/flows/one-answer'
import type { FlowDetail } from '@prosa/contracts/http/flows'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FlowOrderList } from '../../../components/flows/flow-order-list.tsx'
import { flowOrderQuery, startSentence, useSetFlowOrder } from '../../../lib/account/flow-order.ts'
import { plural } from '../../../lib/format/format.ts'
import { flowCheckQuery } from '../api.ts'
import { startWords } from '../flow-words.ts'
import { errorsIn } from '../state/use-problems.ts'
import { useFlowNames } from '../use-flow-names.ts'
import { ProblemList, type ProblemListProps } from './problems-dialog.tsx'

interface Props extends Omit<ProblemListProps, 'onCompanyNamed'> {
  flow: FlowDetail
  isPublishing: boolean
  onPublish: () => void
  onClose: () => void
}

const starterOf = (flowId: string, { nodes, settings }: FlowDocument): Starter => {
  const trigger = nodes.find(({ type }) => type === 'trigger')
  const start = trigger?.type === 'trigger' && trigger.data.enabled ? trigger.data.start : null
  return { flowId, start, connectionIds: settings.connectionIds }
}

/** What the browser finds, and what only the server does. */
const useAllProblems = (flowId: string, document: FlowDocument, own: readonly FlowProblem[]) => {
  const checked = useQuery(flowCheckQuery(flowId, document))
  return {
    problems: checked.data ?? own,
    isChecked: checked.data !== undefined || checked.isError,
    again: checked.refetch,
  }
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Box component="section" sx={{ mt: 4 }}>
    <Typography variant="h3" component="h3">
      {title}
    </Typography>
    {children}
  </Box>
)

const reasons = {
  'this trigger': 'Este fluxo responde: o gatilho dele é mais específico.',
  'other trigger': 'O outro responde: o gatilho dele é mais específico.',
  'this order': 'Este fluxo responde: vem antes na ordem.',
  'other order': 'O outro responde: vem antes na ordem.',
} as const

interface MeetingsProps {
  own: Starter
  name: string
  ordered: readonly Starter[]
}

const Meetings = ({ own, name, ordered }: MeetingsProps) => {
  const names = useFlowNames()
  const order = useSetFlowOrder()
  const met = meetingsOf(own, ordered)
  const nameOf = (id: string) => (id === own.flowId ? name : (names.flow(id) ?? 'Fluxo'))
  const reasonOf = ({ winner, by }: Meeting) => reasons[`${winner} ${by}`]
  const ids = ordered.map(({ flowId }) => flowId)
  const all = ids.includes(own.flowId) ? ids : [...ids, own.flowId]
  const byOrder = new Set([own.flowId, ...met.flatMap(({ by, flowId }) => (by === 'order' ? flowId : []))])
  const startOf = (id: string) => (id === own.flowId ? own : ordered.find(({ flowId }) => flowId === id))?.start ?? null
  const setOrder = (wanted: string[]) => {
    const left = [...wanted]
    order.mutate(all.map((id) => (byOrder.has(id) ? (left.shift() ?? id) : id)))
  }
  if (met.length === 0) return <Typography>Nenhum outro fluxo ligado começa com a mesma mensagem.</Typography>
  return (
    <>
      <Box component="ul" sx={{ m: 0, mt: 2, pl: 5 }}>
        {met.map((each) => (
          <Typography component="li" key={each.flowId} sx={{ overflowWrap: 'anywhere' }}>
            <strong>{nameOf(each.flowId)}</strong>: {reasonOf(each)}
          </Typography>
        ))}
      </Box>
      {byOrder.size > 1 && (
        <Box sx={{ mt: 3 }}>
          <FlowOrderList
            label="Ordem entre os fluxos com o mesmo gatilho"
            items={all
              .filter((id) => byOrder.has(id))
              .map((id) => ({
                id,
                name: nameOf(id),
                isMarked: id === own.flowId,
                detail: id === own.flowId ? 'Este fluxo' : startSentence(startOf(id)),
              }))}
            onOrder={setOrder}
          />
        </Box>
      )}
    </>
  )
}

/** What will happen, before it does. */
export const PublishDialog = ({ flow, isPublishing, onPublish, onClose, ...list }: Props) => {
  const { document } = list
  const names = useFlowNames()
  const ordered = useQuery(flowOrderQuery)
  const { problems, isChecked, again } = useAllProblems(flow.id, document, list.problems)
  const own = starterOf(flow.id, document)
  const errors = errorsIn(problems).length
  const lines = own.connectionIds.map((id) => names.connection(id) ?? 'uma conexão excluída')
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="flow-publish-title">
      <DialogTitle id="flow-publish-title">
        {errors > 0 ? 'Este fluxo tem erros' : `Publicar a versão ${(flow.version ?? 0) + 1}`}
      </DialogTitle>
      <DialogContent>
        <Section title="O que vai acontecer">
          <Typography sx={{ overflowWrap: 'anywhere' }}>
            {own.start
              ? `Começa quando ${startWords(own.start, names)}`
              : 'Nada começa este fluxo: o gatilho está desativado'}
            {lines.length === 0 ? ', em todos os números.' : `, em ${lines.join(', ')}.`}
          </Typography>
          <Typography sx={{ mt: 1, color: 'text.secondary', textWrap: 'pretty' }}>
            {flow.version !== null && 'Quem está no meio da versão anterior termina nela. '}
            {oneAnswerSentence}
          </Typography>
        </Section>
        <Section title="Com outros fluxos">
          {ordered.data ? (
            <Meetings own={own} name={flow.name} ordered={ordered.data} />
          ) : (
            <Typography>
              {ordered.isError ? 'Os outros fluxos não puderam ser lidos agora.' : 'Vendo os outros fluxos…'}
            </Typography>
          )}
        </Section>
        <Section title="Erros e avisos">
          <Typography role="status">
            {!isChecked
              ? 'Conferindo…'
              : errors > 0
                ? `Corrija ${plural(errors, 'erro', 'erros')} para publicar. Avisos não impedem a publicação.`
                : problems.length > 0
                  ? 'Avisos não impedem a publicação.'
                  : 'Nada a corrigir.'}
          </Typography>
          {problems.length > 0 && <ProblemList {...list} problems={problems} onCompanyNamed={() => void again()} />}
        </Section>
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          Cancelar
        </Button>
        <Button variant="contained" autoFocus disabled={errors > 0 || isPublishing} onClick={onPublish}>
          {isPublishing ? 'Publicando…' : 'Publicar agora'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
