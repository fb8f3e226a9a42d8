import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { FlowReplayDifference, FlowStepTaken } from '@prosa/contracts/http/flow-runs'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { OwnHistoryIconButton } from '../../../components/history/own/use-own-history.tsx'
import { dayAndTime, plural } from '../../../lib/format/format.ts'
import { paths } from '../../../lib/paths.ts'
import { type StepContext, stepSentence, withoutImplied } from '../step-sentence.ts'
import { runContact } from './run-list.tsx'

interface ComparedSteps {
  /** Number of equal sentences at the beginning. */
  same: number
  before: string[]
  after: string[]
}

const sentencesOf = (steps: readonly FlowStepTaken[], context: StepContext): string[] =>
  withoutImplied(steps.map((step) => ({ step }))).map(({ step }) => stepSentence(step, context))

const comparedSteps = (
  { before, after }: Pick<FlowReplayDifference, 'before' | 'after'>,
  context: StepContext,
): ComparedSteps => {
  const [was, would] = [sentencesOf(before, context), sentencesOf(after, context)]
  const parting = was.findIndex((sentence, index) => sentence !== would[index])
  const same = parting === -1 ? was.length : parting
  return { same, before: was.slice(same), after: would.slice(same) }
}

interface SideProps {
  title: 'Como foi' | 'Como seria'
  sentences: readonly string[]
  nothing: string
}

const Side = ({ title, sentences, nothing }: SideProps) => {
  const id = useId()
  const isNew = title === 'Como seria'
  return (
    <Box
      sx={{
        px: 3,
        py: 2,
        minWidth: 0,
        bgcolor: isNew ? 'primarySoft' : 'sunken',
        borderRadius: 'var(--radius-control)',
        overflowWrap: 'anywhere',
      }}
    >
      <Typography variant="subtitle2" component="h5" id={id}>
        {title}
      </Typography>
      {sentences.length === 0 ? (
        <Typography>{nothing}</Typography>
      ) : (
        <Box component="ol" aria-labelledby={id} sx={{ m: 0, pl: 5 }}>
          {sentences.map((sentence, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps of a fixed list have no other identity
            <li key={index}>{sentence}</li>
          ))}
        </Box>
      )}
    </Box>
  )
}

interface Props {
  difference: FlowReplayDifference
  context: StepContext
  onShow: (() => void) | undefined
}

const notBegun = ({ other }: FlowReplayDifference, { names }: StepContext): string => {
  if (other === null) return 'O fluxo não começou.'
  const name = names.flow(other)
  return name === undefined ? 'Outro fluxo respondeu.' : `O fluxo “${name}” respondeu.`
}

export const ReplayDifference = ({ difference, context, onShow }: Props) => {
  const { same, before, after } = comparedSteps(difference, context)
  const name = runContact(difference)
  const { runId, contactId } = difference
  // Where the flow did not begin, there is no run.
  const isRun = before.length + same > 0
  return (
    <Box component="li" sx={{ py: 4, '& + &': { borderTop: '1px solid', borderColor: 'divider' } }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', justifyContent: 'space-between', gap: 2 }}>
        <Typography variant="subtitle1" component="h4" sx={{ overflowWrap: 'anywhere' }}>
          {name}{' '}
          <Typography variant="caption" component="span" sx={{ color: 'text.secondary' }}>
            {dayAndTime(difference.startedAt, context.now)}
          </Typography>
        </Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
          <Link
            to={`${paths.liveChat}?${new URLSearchParams({ contato: contactId })}`}
            aria-label={`Abrir a conversa com ${name}`}
          >
            Abrir a conversa
          </Link>
          <OwnHistoryIconButton
            name={`${isRun ? 'execução' : 'conversa'} com ${name}`}
            target={{
              title: `${isRun ? 'Execução' : 'Conversa'} com ${name}`,
              ...(isRun ? { filters: { record: `run:${runId}` } } : { contactId }),
            }}
          />
          {onShow && (
            <Button size="small" aria-label={`Mostrar no desenho onde muda a conversa com ${name}`} onClick={onShow}>
              Mostrar no desenho
            </Button>
          )}
        </Box>
      </Box>
      {same > 0 && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mb: 1 }}>
          {plural(same, 'passo igual', 'passos iguais')}, e então:
        </Typography>
      )}
      <Box
        sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' } }}
      >
        <Side
          title="Como foi"
          sentences={before}
          nothing={same > 0 ? 'Nada mais aconteceu.' : notBegun(difference, context)}
        />
        <Side
          title="Como seria"
          sentences={after}
          nothing={same > 0 ? 'Nada mais aconteceria.' : 'O fluxo não começaria.'}
        />
      </Box>
    </Box>
  )
}
