import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowRunDetail } from '@prosa/contracts/http/flow-runs'
import { clockTime, dayAndTime } from '../../../lib/format.ts'
import { type StepContext, stepSentence } from '../step-sentence.ts'
import { explainedSteps } from './explained-steps.ts'

interface Props {
  run: FlowRunDetail
  context: StepContext
  draft: FlowDocument
  onShowNode: (nodeId: string) => void
}

/** What happened in a run: each step in a sentence, under what caused it. */
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
                <Box
                  component="li"
                  key={eventId}
                  sx={{ display: 'flex', alignItems: 'baseline', flexWrap: 'wrap', columnGap: 2 }}
                >
                  <Typography
                    variant="caption"
                    component="time"
                    dateTime={at}
                    sx={{ color: 'text.secondary', flex: 'none' }}
                  >
                    {clockTime(at)}
                  </Typography>
                  <Typography sx={{ flex: '1 1 12rem', minWidth: 0, overflowWrap: 'anywhere' }}>{sentence}</Typography>
                  {isDrawn && (
                    <Button
                      size="small"
                      aria-label={`Mostrar no desenho: ${sentence}`}
                      onClick={() => onShowNode(step.nodeId)}
                    >
                      Mostrar no desenho
                    </Button>
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
