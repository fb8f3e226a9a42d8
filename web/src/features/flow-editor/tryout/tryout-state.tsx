import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import type { FlowTestResult } from '@prosa/contracts/http/flow-runs'
import SkipIcon from '~icons/ic/round-fast-forward'
import { Notice } from '../../../components/notices/notice.tsx'
import { dayAndTime, plural } from '../../../lib/format/format.ts'
import { refusalOr } from '../../../lib/http/http.ts'
import { Fold } from './fold.tsx'

export const Problems = ({ problems }: { problems: readonly FlowProblem[] }) => (
  <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto', p: 3, bgcolor: 'sunken' }}>
    <Notice kind="warning">
      <Typography variant="subtitle2" component="p">
        {problems.length === 1
          ? 'Um erro impede o teste'
          : `${plural(problems.length, 'erro impede', 'erros impedem')} o teste`}
      </Typography>
      <Box component="ul" sx={{ m: 0, mt: 1, pl: 4 }}>
        {problems.map(({ kind, nodeId, sentence }) => (
          <li key={`${kind} ${nodeId} ${sentence}`}>{sentence}</li>
        ))}
      </Box>
      <Typography variant="caption" component="p" sx={{ mt: 2 }}>
        A conversa continua assim que o rascunho estiver certo.
      </Typography>
    </Notice>
  </Box>
)

export const TestFailed = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <Box sx={{ p: 3 }}>
    <Notice kind="error">
      {refusalOr(error, 'O teste não pôde ser feito. O que você escreveu está guardado aqui.')}
      <Box>
        <Button size="small" onClick={onRetry}>
          Tentar de novo
        </Button>
      </Box>
    </Notice>
  </Box>
)

const waitingStyle = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 2,
  px: 4,
  py: 1,
  borderTop: '1px solid',
  borderColor: 'divider',
} as const

type CurrentNode = NonNullable<FlowTestResult['standing']>

interface WaitingProps {
  current: CurrentNode
  onSkip: () => void
  onReply: (output: 'success' | 'failure') => void
}

export const Waiting = ({ current, onSkip, onReply }: WaitingProps) => {
  const until = dayAndTime(current.until, Date.now())
  if (current.waitsFor === 'reply')
    return (
      <Box sx={waitingStyle}>
        <Typography variant="caption" component="p" sx={{ flex: 1, minWidth: 0, color: 'text.secondary' }}>
          A requisição não é enviada. Como foi?
        </Typography>
        <Button size="small" onClick={() => onReply('success')}>
          Deu certo
        </Button>
        <Button size="small" onClick={() => onReply('failure')}>
          Deu errado
        </Button>
      </Box>
    )
  const isTime = current.waitsFor === 'time'
  return (
    <Box sx={waitingStyle}>
      <Typography variant="caption" component="p" sx={{ flex: 1, minWidth: 0, color: 'text.secondary' }}>
        {isTime ? `Espera até ${until}` : `Aguarda a resposta até ${until}`}
      </Typography>
      <Button size="small" startIcon={<SkipIcon />} onClick={onSkip}>
        {isTime ? 'Pular espera' : 'Não responder'}
      </Button>
    </Box>
  )
}

export const Variables = ({ variables }: { variables: Readonly<Record<string, string>> }) => {
  const known = Object.entries(variables)
  if (known.length === 0) return null
  return (
    <Fold title="Variáveis" summary={plural(known.length, 'conhecida', 'conhecidas')}>
      <Box
        component="dl"
        sx={{
          m: 0,
          pb: 3,
          display: 'grid',
          gridTemplateColumns: 'minmax(0, max-content) minmax(0, 1fr)',
          columnGap: 3,
          rowGap: 1,
          maxHeight: 'var(--popup-height)',
          overflowY: 'auto',
        }}
      >
        {known.map(([name, value]) => (
          <Box key={name} sx={{ display: 'contents' }}>
            <Typography component="dt" variant="caption" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
              {name}
            </Typography>
            <Typography component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
              {value === '' ? '—' : value}
            </Typography>
          </Box>
        ))}
      </Box>
    </Fold>
  )
}
