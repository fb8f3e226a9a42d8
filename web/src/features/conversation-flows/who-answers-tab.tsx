import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import { oneAnswerSentence } from '@prosa/contracts/flows/one-answer'
import type { MessageTried, OrderedFlow, WhoAnswers } from '@prosa/contracts/http/automation/flow-order'
import type { Flow } from '@prosa/contracts/http/flows'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import FlowIcon from '~icons/ic/round-schema'
import { FlowOrderList } from '../../components/flows/flow-order-list.tsx'
import { Field } from '../../components/forms/field.tsx'
import { FormSummary } from '../../components/forms/form-summary.tsx'
import { SelectField } from '../../components/forms/select-field.tsx'
import { TextAreaField } from '../../components/forms/text-area-field.tsx'
import { EmptyState } from '../../components/layout/empty-state.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { NotReadPanel } from '../../components/notices/not-read-panel.tsx'
import { OwnWhyButton } from '../../components/why/own-why.tsx'
import { connectionsQuery, nameAndNumber, numbersOf } from '../../lib/account/connections.ts'
import { flowOrderQuery, startSentence, useSetFlowOrder, verdictSentences } from '../../lib/account/flow-order.ts'
import { flowEditor } from '../../lib/account/flows.ts'
import { useForm } from '../../lib/forms/use-form.ts'
import { call } from '../../lib/http/call.ts'
import { useCommand } from '../../lib/http/use-command.ts'

const speaking = ({ speaker, isOutOfHours, isReplyOn, flows }: WhoAnswers, nameOf: (id: string) => string): string => {
  const answering = flows.find(({ verdict }) => verdict === 'answers')
  if (answering) return `Responde o fluxo “${nameOf(answering.flowId)}”.`
  if (speaker === 'reply') return 'Responde a resposta automática fora do horário.'
  if (speaker === 'flow')
    return 'Ninguém responde: um fluxo atende fora do horário neste número, e a resposta automática fica calada.'
  return isOutOfHours && !isReplyOn
    ? 'Ninguém responde: a resposta automática está desligada, e a conversa fica em Aguardando.'
    : 'Nenhum fluxo responde: a conversa fica em Aguardando.'
}

const useTrying = (onAnswered: (answers: WhoAnswers) => void) => {
  const { data: connections = [] } = useQuery(connectionsQuery)
  const numbers = numbersOf(connections)
  const form = useForm(useState({ text: '', connectionId: '', at: '', isNew: false }), {
    command: useCommand({
      run: (body: MessageTried) => call('POST /api/flow-order/who-answers', { body }),
    }),
    check: ({ text }) => ({ text: text.trim() === '' ? 'Escreva a mensagem.' : undefined }),
    toInput: ({ text, connectionId, at, isNew }) => ({
      text,
      connectionId: connectionId || (numbers[0]?.id ?? ''),
      at: at === '' ? null : new Date(at).toISOString(),
      isNew,
    }),
    failed: 'Não deu para ver quem responde agora. Tente de novo.',
    onDone: onAnswered,
  })
  return { form, numbers }
}

const TryingForm = ({ onAnswered }: { onAnswered: (answers: WhoAnswers) => void }) => {
  const { form, numbers } = useTrying(onAnswered)
  const { bind, set, values } = form
  if (numbers.length === 0)
    return <Typography>Conecte um número em Configurações → Conexões para ver quem responde nele.</Typography>
  return (
    <Box component="form" noValidate onSubmit={form.submit} sx={{ display: 'grid', gap: 4 }}>
      <TextAreaField label="O que o contato escreve" rows={2} maxLength={4096} {...bind('text')} />
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { sm: '1fr 1fr' } }}>
        <SelectField
          label="Em qual número"
          value={values.connectionId || (numbers[0]?.id ?? '')}
          onChange={(connectionId) => set({ connectionId })}
          options={numbers.map((each) => ({ value: each.id, label: nameAndNumber(each) }))}
        />
        <Field label="Quando" help="Vazio: agora." type="datetime-local" {...bind('at')} />
      </Box>
      <FormControlLabel
        control={<Checkbox checked={values.isNew} onChange={(_, isNew) => set({ isNew })} />}
        label="É a primeira mensagem deste contato"
      />
      <FormSummary sentence={form.summary} />
      <Button type="submit" variant="contained" disabled={form.isPending} sx={{ justifySelf: 'start' }}>
        {form.isPending ? 'Vendo...' : 'Ver quem responde'}
      </Button>
    </Box>
  )
}

interface OrderProps {
  ordered: readonly OrderedFlow[]
  answers: WhoAnswers | null
  nameOf: (id: string) => string
}

const Order = ({ ordered, answers, nameOf }: OrderProps) => {
  const order = useSetFlowOrder()
  const verdicts = new Map(answers?.flows.map(({ flowId, verdict }) => [flowId, verdict]))
  return (
    <FlowOrderList
      label="Ordem dos fluxos"
      items={ordered.map(({ flowId, isOn, start }) => {
        const verdict = verdicts.get(flowId)
        return {
          id: flowId,
          name: nameOf(flowId),
          isMarked: verdict === 'answers',
          detail: (
            <>
              {isOn ? startSentence(start) : 'Desligado'}
              {verdict && (
                <Box component="span" sx={{ display: 'block', fontWeight: verdict === 'answers' ? 600 : undefined }}>
                  {verdictSentences[verdict]}
                </Box>
              )}
              <Box component={Link} to={flowEditor(flowId)} sx={{ color: 'primary.main' }}>
                Abrir no editor
              </Box>
            </>
          ),
        }
      })}
      onOrder={(ids) => order.mutate(ids)}
    />
  )
}

/** What a message would set off, by the rule of real ones, and the order that decides among flows with one trigger. */
export const WhoAnswersTab = ({ flows }: { flows: readonly Flow[] }) => {
  const ordered = useQuery(flowOrderQuery)
  const [answers, setAnswers] = useState<WhoAnswers | null>(null)
  const names = new Map(flows.map(({ id, name }) => [id, name]))
  const nameOf = (id: string) => names.get(id) ?? 'Fluxo'
  if (ordered.isError && ordered.data === undefined)
    return (
      <NotReadPanel
        title="A ordem dos fluxos não pôde ser lida"
        error={ordered.error}
        onRetry={() => void ordered.refetch()}
      />
    )
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)', maxWidth: 'var(--form-width)' }}>
      <Panel>
        <Box sx={{ display: 'grid', gap: 4, p: 4 }}>
          <Typography variant="h3">Quem responde?</Typography>
          <Typography sx={{ color: 'text.secondary', textWrap: 'pretty' }}>
            Escreva como um contato que aguarda, sem nenhum fluxo em andamento. Nada é enviado. {oneAnswerSentence}
          </Typography>
          <TryingForm onAnswered={setAnswers} />
          <Typography role="status" sx={{ fontWeight: 600 }}>
            {answers && speaking(answers, nameOf)}
          </Typography>
        </Box>
      </Panel>
      <Box>
        <Typography variant="h3">Ordem dos fluxos</Typography>
        <Typography sx={{ mt: 1, mb: 3, color: 'text.secondary', textWrap: 'pretty' }}>
          O gatilho mais específico vence: palavra-chave, primeira mensagem, fora do horário, fluxo padrão, qualquer
          mensagem. Entre fluxos com o mesmo gatilho, responde o que está mais acima. Arraste, ou use as setas.{' '}
          <OwnWhyButton of={{ kind: 'flows', field: 'order' }} what="Ordem dos fluxos" />
        </Typography>
        {ordered.data?.length === 0 ? (
          <EmptyState
            icon={<FlowIcon />}
            title="Nenhum fluxo publicado"
            sentence="Publique um fluxo para ele responder."
          />
        ) : (
          ordered.data && <Order ordered={ordered.data} answers={answers} nameOf={nameOf} />
        )}
      </Box>
    </Box>
  )
}
