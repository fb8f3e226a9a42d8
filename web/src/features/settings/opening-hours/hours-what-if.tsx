import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import Link from '@mui/material/Link'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import type { HoursDifference, HoursOutcome, HoursWhatIfPart } from '@prosa/contracts/http/what-if/hours'
import { useId, useState } from 'react'
import { Link as RouterLink } from 'react-router-dom'
import { CloseActions } from '../../../components/forms/close-actions.tsx'
import { Notice } from '../../../components/notices/notice.tsx'
import { lastDays, PeriodFields } from '../../../components/what-if/period-fields.tsx'
import { WalkProgress } from '../../../components/what-if/walk-progress.tsx'
import { count, dayAndTime, plural } from '../../../lib/format/format.ts'
import { call } from '../../../lib/http/call.ts'
import { ApiProblem, refusalOr } from '../../../lib/http/http.ts'
import { useWalk } from '../../../lib/http/use-walk.ts'
import { paths } from '../../../lib/paths.ts'
import type { HoursDraft } from './api.ts'

const maxShown = 500

/** 'Foi respondida.' and 'Seria respondida.'; the others are true of both. */
const words: Record<Exclude<HoursOutcome, 'answered'>, string> = {
  open: 'Sem resposta: dentro do horário.',
  off: 'Sem resposta: estava desligada.',
  already_answered: 'Sem outra resposta: já havia uma neste período fechado.',
  too_late: 'Sem resposta: a mensagem chegou com mais de dez minutos.',
  not_waiting: 'Sem resposta: alguém atendia.',
  flow_answers: 'Sem resposta: um fluxo respondia.',
  line_not_open: 'Sem resposta: o número estava desconectado.',
  not_sent: 'Sem resposta: o plano ou uma falha não deixou.',
}

const wasSentence = (outcome: HoursOutcome) => (outcome === 'answered' ? 'Foi respondida.' : words[outcome])
const wouldSentence = (outcome: HoursOutcome) => {
  if (outcome === 'answered') return 'Seria respondida.'
  return outcome === 'off' ? 'Sem resposta: desligada.' : words[outcome]
}

interface Found {
  messages: number
  answered: number
  wouldAnswer: number
  gained: number
  lost: number
  differences: HoursDifference[]
  isCut: boolean
}

const together = (parts: readonly HoursWhatIfPart[]): Found =>
  parts.reduce<Found>(
    (all, part) => ({
      messages: all.messages + part.messages,
      answered: all.answered + part.answered,
      wouldAnswer: all.wouldAnswer + part.wouldAnswer,
      gained: all.gained + part.gained,
      lost: all.lost + part.lost,
      differences: [...all.differences, ...part.differences],
      isCut: all.isCut || part.isCut,
    }),
    { messages: 0, answered: 0, wouldAnswer: 0, gained: 0, lost: 0, differences: [], isCut: false },
  )

const summaryOf = ({ messages, gained, lost, answered, wouldAnswer }: Found): string => {
  if (messages === 0) return 'Ninguém escreveu nesses dias.'
  const of = `De ${plural(messages, 'mensagem', 'mensagens')}`
  if (gained + lost === 0) return `${of}, nenhuma teria outra resposta: ${count(answered)} antes e depois.`
  const changes = [
    ...(gained > 0
      ? [
          gained === 1
            ? '1 receberia a resposta automática e não recebeu'
            : `${count(gained)} receberiam a resposta automática e não receberam`,
        ]
      : []),
    ...(lost > 0 ? [lost === 1 ? '1 recebeu e não receberia' : `${count(lost)} receberam e não receberiam`] : []),
  ]
  return `${of}: ${changes.join('; ')}. Respostas: ${count(answered)} antes, ${count(wouldAnswer)} depois.`
}

const Difference = ({ difference }: { difference: HoursDifference }) => {
  const { contactId, contactName, sentAt, was, would } = difference
  return (
    <Box component="li" sx={{ py: 3, '& + &': { borderTop: '1px solid', borderColor: 'divider' } }}>
      <Link
        component={RouterLink}
        to={`${paths.liveChat}?${new URLSearchParams({ contato: contactId })}`}
        // What was drafted is still to be saved here.
        target="_blank"
        sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}
      >
        {contactName ?? 'Contato sem nome'}
      </Link>{' '}
      <Typography variant="caption" component="span" sx={{ color: 'text.secondary' }}>
        {dayAndTime(sentAt, Date.now())}
      </Typography>
      <Box
        component="dl"
        sx={{
          ...{ m: 0, mt: 1, display: 'grid', columnGap: 3 },
          gridTemplateColumns: 'auto minmax(0, 1fr)',
          '& dt': { color: 'text.secondary' },
          '& dd': { m: 0 },
        }}
      >
        <dt>Como foi</dt>
        <dd>{wasSentence(was)}</dd>
        <dt>Como seria</dt>
        <dd>{wouldSentence(would)}</dd>
      </Box>
    </Box>
  )
}

const Result = ({ found, isOver }: { found: Found; isOver: boolean }) => {
  const shown = found.differences.slice(0, maxShown)
  const all = found.gained + found.lost
  return (
    <section aria-label="Resultado">
      <Typography variant="h3" role={isOver ? 'status' : undefined} sx={{ textWrap: 'pretty' }}>
        {summaryOf(found)}
      </Typography>
      {shown.length < all && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          A lista mostra {count(shown.length)} de {count(all)} diferenças.
        </Typography>
      )}
      {found.isCut && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          Uma conversa tem tantas mensagens que só as últimas foram olhadas.
        </Typography>
      )}
      <Box component="ol" aria-label="Diferenças" sx={{ m: 0, mt: 2, p: 0, listStyle: 'none' }}>
        {shown.map((difference) => (
          <Difference key={`${difference.contactId} ${difference.messageId}`} difference={difference} />
        ))}
      </Box>
    </section>
  )
}

const periodFields = ['from', 'to']

/** Their fields are behind this dialog. */
const wrongHours = (error: Error): string => {
  const wrong = error instanceof ApiProblem ? error.errors.filter(({ field }) => !periodFields.includes(field)) : []
  if (wrong.length === 0) return ''
  return `No formulário: ${[...new Set(wrong.map(({ message }) => message))].join(' ')}`
}

/** The hours of the form over the messages of some days. */
export const HoursWhatIf = ({
  draft,
  isReplyOn,
  onClose,
}: {
  draft: HoursDraft
  isReplyOn: boolean
  onClose: () => void
}) => {
  const id = useId()
  const [period, setPeriod] = useState(() => lastDays(7))
  const [isOn, setIsOn] = useState(isReplyOn)
  const walk = useWalk<HoursWhatIfPart>()
  const begin = () =>
    walk.begin((after) =>
      call('POST /api/opening-hours/what-if', { body: { ...draft, ...period, isReplyOn: isOn, after } }),
    )
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby={id}>
      <DialogTitle id={id}>E se os horários fossem estes?</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'start' }}>
        <Typography sx={{ color: 'text.secondary', textWrap: 'pretty' }}>
          Os horários do formulário, ainda sem salvar, passam pelas mensagens dos dias escolhidos, 31 no máximo. Nada é
          enviado a ninguém.
        </Typography>
        <PeriodFields period={period} onChange={setPeriod} error={walk.error} />
        <FormControlLabel
          control={<Switch checked={isOn} onChange={(_event, checked) => setIsOn(checked)} />}
          label="Com a resposta automática ligada"
          sx={{ minHeight: 'var(--target)' }}
        />
        <Button
          variant="contained"
          disabled={walk.status === 'going'}
          onClick={begin}
          sx={{ justifySelf: 'start' }}
          autoFocus
        >
          Ver o que mudaria
        </Button>
        <WalkProgress walk={walk} records="conversas" />
        {walk.error && (
          <Notice kind="error">
            {refusalOr(walk.error, 'As mensagens não puderam ser lidas. Tente de novo.')} {wrongHours(walk.error)}
          </Notice>
        )}
        {walk.parts.length > 0 && <Result found={together(walk.parts)} isOver={walk.status === 'over'} />}
      </DialogContent>
      <CloseActions onClose={onClose} />
    </Dialog>
  )
}
