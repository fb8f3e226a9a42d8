import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowRunDetail, FlowStepTaken } from '@prosa/contracts/http/flow-runs'
import ShowIcon from '~icons/ic/round-center-focus-strong'
import { KeyHint } from '../../../components/key-hint.tsx'
import { clockTime, dayAndTime } from '../../../lib/format/format.ts'
import { startedBySentence } from '../flow-words.ts'
import { type StepContext, stepSentence, withoutImplied } from '../step-sentence.ts'

type Step = FlowRunDetail['steps'][number]

interface Explained {
  causationId: string
  cause: string
  steps: Step[]
}

const causeOf = (step: FlowStepTaken | undefined, startedBy: string): string => {
  if (step?.kind === 'started') return startedBySentence(startedBy)
  if (step?.kind === 'answered') return 'O contato respondeu.'
  if (step?.kind === 'kept') return 'O contato escreveu enquanto o fluxo esperava.'
  if (step?.kind === 'replied') return 'A resposta da requisição chegou, ou o tempo dela acabou.'
  if (step?.kind === 'passed' && step.type === 'delay') return 'O tempo de espera passou.'
  if (step?.kind === 'passed' && step.output === 'timeout') return 'O tempo para responder passou.'
  if (step?.kind !== 'ended') return 'O fluxo continuou.'
  if (step.reason === 'silence') return 'O contato ficou em silêncio.'
  return step.reason === 'accepted' ? 'Alguém da equipe aceitou a conversa.' : 'Algo fora do fluxo o terminou.'
}

/** Groups steps by the event that caused them, in the order of the log. */
const explainedSteps = ({ steps, startedBy }: Pick<FlowRunDetail, 'steps' | 'startedBy'>): Explained[] => {
  const groups: Explained[] = []
  for (const step of steps) {
    const last = groups.at(-1)
    if (last?.causationId === step.causationId) last.steps.push(step)
    else groups.push({ causationId: step.causationId, cause: causeOf(step.step, startedBy), steps: [step] })
  }
  return groups
    .map((group) => ({ ...group, steps: withoutImplied(group.steps) }))
    .filter((group) => group.steps.length > 0)
}

interface Props {
  run: FlowRunDetail
  context: StepContext
  draft: FlowDocument
  onShowNode: (nodeId: string) => void
}

export const RunSteps = ({ run, context, draft, onShowNode }: Props) => {
  const drawn = new Set(draft.nodes.map(({ id }) => id))
  return (
    <Box component="ol" aria-label="Passos" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 4 }}>
      {explainedSteps(run).map(({ cause, steps }) => (
        <li key={steps[0]?.eventId}>
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mb: 1 }}>
            {steps[0] && <time dateTime={steps[0].at}>{dayAndTime(steps[0].at, context.now)}</time>} · {cause}
          </Typography>
          <Box
            component="ol"
            sx={{
              m: 0,
              pl: 3,
              listStyle: 'none',
              borderLeft: '2px solid',
              borderColor: 'divider',
              display: 'grid',
              gap: 1,
            }}
          >
            {steps.map(({ at, eventId, step }) => {
              const sentence = stepSentence(step, context)
              const isDrawn = 'nodeId' in step && drawn.has(step.nodeId)
              return (
                <Box component="li" key={eventId} sx={{ display: 'flex', alignItems: 'center', columnGap: 2 }}>
                  <Typography
                    variant="caption"
                    component="time"
                    dateTime={at}
                    sx={{ color: 'text.secondary', flex: 'none' }}
                  >
                    {clockTime(at)}
                  </Typography>
                  <Typography sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{sentence}</Typography>
                  {isDrawn && (
                    <KeyHint title="Mostrar no desenho">
                      <IconButton
                        size="small"
                        color="secondary"
                        aria-label={`Mostrar no desenho: ${sentence}`}
                        onClick={() => onShowNode(step.nodeId)}
                      >
                        <ShowIcon />
                      </IconButton>
                    </KeyHint>
                  )}
                </Box>
              )
            })}
          </Box>
        </li>
      ))}
    </Box>
  )
}
