import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import type { Plan } from '@prosa/contracts/http/accounts/plans'
import type { PlanWhatIfPart } from '@prosa/contracts/http/what-if/plan'
import { useId, useState } from 'react'
import { CloseActions } from '../../../components/forms/close-actions.tsx'
import { Field } from '../../../components/forms/field.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { Notice } from '../../../components/notices/notice.tsx'
import { lastDays, PeriodFields } from '../../../components/what-if/period-fields.tsx'
import { WalkProgress } from '../../../components/what-if/walk-progress.tsx'
import { call } from '../../../lib/http/call.ts'
import { ApiProblem, refusalOr } from '../../../lib/http/http.ts'
import { forgetDeclined } from '../../../lib/http/reading-purpose.ts'
import { useWalk } from '../../../lib/http/use-walk.ts'
import { type ChangeDraft, changeOf, draftOf, fieldNames } from './plan-what-if-form.ts'
import { PlanWhatIfResult, together } from './plan-what-if-result.tsx'

type Bind = (field: keyof ChangeDraft) => {
  name: string
  value: string
  onChange: (value: string) => void
  error: string | undefined
  inputMode: 'numeric'
  autoComplete: 'off'
}

const twoColumns = {
  display: 'grid',
  gap: 3,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
  m: 0,
  p: 0,
  border: 0,
  minWidth: 0,
} as const

const Fields = ({ bind, hasPlan }: { bind: Bind; hasPlan: boolean }) => (
  <>
    {hasPlan && (
      <Box sx={twoColumns}>
        <Field {...bind('accessDays')} label="Dias de acesso" maxLength={6} />
        <Field {...bind('price')} label="Preço" placeholder="Ex: R$ 97,00" inputMode="decimal" maxLength={20} />
      </Box>
    )}
    <Field {...bind('trialDays')} label="Dias do período gratuito" placeholder="10" maxLength={6} />
    <Box component="fieldset" sx={twoColumns}>
      <Typography component="legend" variant="subtitle1" sx={{ p: 0, mb: 2 }}>
        Limites de quem tem acesso
      </Typography>
      <Field {...bind('proMessages')} label="Mensagens por mês" maxLength={12} />
      <Field {...bind('proConnections')} label="Conexões" maxLength={12} />
    </Box>
    <Box component="fieldset" sx={twoColumns}>
      <Typography component="legend" variant="subtitle1" sx={{ p: 0, mb: 2 }}>
        Limites depois do fim do acesso
      </Typography>
      <Field {...bind('freeMessages')} label="Mensagens grátis por mês" maxLength={12} />
      <Field {...bind('freeConnections')} label="Conexões grátis" maxLength={12} />
    </Box>
  </>
)

/** A plan or a rule of access with other values over the last days. */
export const PlanWhatIf = ({ plans, onClose }: { plans: readonly Plan[]; onClose: () => void }) => {
  const id = useId()
  const [planId, setPlanId] = useState(plans[0]?.id ?? '')
  const [draft, setDraft] = useState(() => draftOf(plans[0]))
  const [period, setPeriod] = useState(() => lastDays(30))
  const walk = useWalk<PlanWhatIfPart>()
  const { error } = walk
  const errorOf = (field: keyof ChangeDraft) =>
    error instanceof ApiProblem ? error.errors.find((each) => fieldNames[each.field] === field)?.message : undefined
  const bind: Bind = (field) => ({
    name: field,
    value: draft[field],
    onChange: (value) => setDraft((before) => ({ ...before, [field]: value })),
    error: errorOf(field),
    inputMode: 'numeric',
    autoComplete: 'off',
  })
  const choose = (chosen: string) => {
    setPlanId(chosen)
    const { accessDays, price } = draftOf(plans.find((plan) => plan.id === chosen))
    setDraft((before) => ({ ...before, accessDays, price }))
  }
  const begin = () => {
    forgetDeclined()
    const change = changeOf(planId || null, draft)
    walk.begin((after) => call('POST /api/admin/plan-what-if', { body: { ...change, ...period, after } }))
  }
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby={id}>
      <DialogTitle id={id}>E se o plano ou as regras fossem outros?</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'start' }}>
        <Typography sx={{ color: 'text.secondary', textWrap: 'pretty' }}>
          O que aconteceu nos dias escolhidos, 31 no máximo, com outros dias, limites ou preço. O que ficar vazio é como
          hoje; escreva “ilimitado” onde não haveria limite. Nada muda e nada é enviado.
        </Typography>
        <SelectField
          label="Plano"
          value={planId}
          onChange={choose}
          options={[
            ...plans.map((plan) => ({ value: plan.id, label: plan.planName })),
            { value: '', label: 'Nenhum: só as regras' },
          ]}
        />
        <Fields bind={bind} hasPlan={planId !== ''} />
        <PeriodFields period={period} onChange={setPeriod} error={error} />
        <Button variant="contained" disabled={walk.status === 'going'} onClick={begin} sx={{ justifySelf: 'start' }}>
          Ver o que mudaria
        </Button>
        <WalkProgress walk={walk} records="contas" />
        {error && <Notice kind="error">{refusalOr(error, 'As contas não puderam ser lidas. Tente de novo.')}</Notice>}
        {walk.parts.length > 0 && <PlanWhatIfResult found={together(walk.parts)} isOver={walk.status === 'over'} />}
      </DialogContent>
      <CloseActions onClose={onClose} />
    </Dialog>
  )
}
