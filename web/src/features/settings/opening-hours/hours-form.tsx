import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { OpeningHoursShown } from '@prosa/contracts/http/opening-hours'
import { timeZones } from '@prosa/contracts/values/time/time-zone'
import { type ReactNode, useId, useState } from 'react'
import WhatIfIcon from '~icons/ic/round-help-outline'
import { FormSummary } from '../../../components/forms/form-summary.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { useFollowedDraft } from '../../../lib/forms/use-followed-draft.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { type HoursDraft, useSetOpeningHours } from './api.ts'
import { HolidaysField } from './holidays-field.tsx'
import { HoursWhatIf } from './hours-what-if.tsx'
import { shownWeekdays, weekdays } from './hours-words.ts'
import { IntervalsField } from './intervals-field.tsx'

const zones = timeZones.map(({ zone, label }) => ({ value: zone, label }))

const officeDay = [
  { from: '08:00', to: '12:00' },
  { from: '13:00', to: '18:00' },
]
/** Suggested until the business saves its hours. */
const suggestedWeek = [[], officeDay, officeDay, officeDay, officeDay, officeDay, []]

const draftOf = ({ isSet, timeZone, week, holidays }: OpeningHoursShown): HoursDraft => ({
  timeZone,
  week: isSet ? week : suggestedWeek,
  holidays,
})

type Interval = HoursDraft['week'][number]

const Day = ({ day, children, onRepeat }: { day: number; children: ReactNode; onRepeat: (() => void) | undefined }) => {
  const name = useId()
  return (
    <Box
      role="group"
      aria-labelledby={name}
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '160px minmax(0, 1fr)' },
        py: 3,
        borderBottom: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Box sx={{ display: 'grid', gap: 1, alignContent: 'start', justifyItems: 'start' }}>
        <Typography id={name} variant="subtitle1" component="h3" sx={{ py: 2 }}>
          {weekdays[day]}
        </Typography>
        {onRepeat && (
          <Button size="small" onClick={onRepeat} sx={{ mx: -4, textAlign: 'left' }}>
            Repetir até sexta
          </Button>
        )}
      </Box>
      {children}
    </Box>
  )
}

export const HoursForm = ({ hours }: { hours: OpeningHoursShown }) => {
  const command = useSetOpeningHours()
  const [isAsking, setIsAsking] = useState(false)
  const form = useForm(useFollowedDraft(draftOf(hours)), {
    command,
    toInput: (draft) => draft,
    failed: 'Falha ao salvar os horários',
    onDone: (saved) => form.setValues(draftOf(saved)),
  })
  const draft = form.values
  const errorOf = (field: string) => form.problem?.errorOf(field)

  const change = (part: Partial<HoursDraft>) => {
    form.set(part)
    // An edit may move the field that an error refers to.
    if (command.error) command.reset()
  }
  const setDay = (day: number, intervals: Interval) => change({ week: draft.week.with(day, intervals) })
  const repeatMonday = () => {
    const [sunday = [], monday = []] = draft.week
    change({ week: [sunday, monday, monday, monday, monday, monday, draft.week[6] ?? []] })
  }
  return (
    <Panel>
      <Box component="form" noValidate onSubmit={form.submit} sx={{ display: 'grid', gap: 4, p: 4 }}>
        <SelectField
          label="Fuso horário"
          value={draft.timeZone}
          onChange={(timeZone) => change({ timeZone })}
          options={zones}
        />
        <Box>
          {shownWeekdays.map((day) => (
            <Day key={day} day={day} onRepeat={day === 1 ? repeatMonday : undefined}>
              <IntervalsField
                intervals={draft.week[day] ?? []}
                onChange={(intervals) => setDay(day, intervals)}
                path={`week.${day}`}
                errorOf={errorOf}
              />
            </Day>
          ))}
        </Box>
        <Typography sx={{ color: 'text.secondary' }}>
          Atende depois da meia-noite? Termine o dia às 00:00 e continue às 00:00 do dia seguinte.
        </Typography>
        <HolidaysField holidays={draft.holidays} onChange={(holidays) => change({ holidays })} errorOf={errorOf} />
        <FormSummary sentence={errorOf('week') ?? errorOf('holidays') ?? errorOf('timeZone') ?? form.summary} />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
          <Button type="submit" variant="contained" disabled={form.isPending}>
            {form.isPending ? 'Salvando...' : 'Salvar horários'}
          </Button>
          <Button variant="outlined" startIcon={<WhatIfIcon />} onClick={() => setIsAsking(true)}>
            E se?
          </Button>
        </Box>
      </Box>
      {isAsking && (
        <HoursWhatIf draft={draft} isReplyOn={hours.reply.isOn || !hours.isSet} onClose={() => setIsAsking(false)} />
      )}
    </Panel>
  )
}
