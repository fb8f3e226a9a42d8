import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { ChoiceGroup } from '../../../components/forms/choice-group.tsx'
import { Field } from '../../../components/forms/field.tsx'
import type { Period, Question } from '../question.ts'

const choices: readonly { value: Period; label: string }[] = [
  { value: 'all', label: 'Desde o início' },
  { value: 'days', label: 'Por dias' },
  { value: 'position', label: 'Por posição' },
]

interface Props {
  question: Question
  onChange: (part: Partial<Question>) => void
}

export const PeriodChoice = ({ question, onChange }: Props) => (
  <>
    <ChoiceGroup
      label="Quando"
      choices={question.table === '' ? choices : choices.filter(({ value }) => value !== 'position')}
      value={question.period}
      onChange={(period) => onChange({ period })}
    />
    {question.table !== '' && question.period === 'days' && (
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        Linhas que mudaram nestes dias.
      </Typography>
    )}
    {question.period === 'days' && (
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'repeat(auto-fit, minmax(132px, 1fr))' }}>
        <Field label="Do dia" type="date" value={question.from} onChange={(from) => onChange({ from })} />
        <Field label="Até o dia" type="date" value={question.to} onChange={(to) => onChange({ to })} />
      </Box>
    )}
    {question.period === 'position' && (
      <Field
        label="Depois da posição"
        help="O campo position do último evento que você leu: a leitura continua depois dele."
        value={question.after}
        onChange={(after) => onChange({ after })}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
      />
    )}
  </>
)
