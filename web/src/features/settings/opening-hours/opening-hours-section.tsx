import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { OwnHistoryButton } from '../../../components/history/own/use-own-history.tsx'
import { NotReadPanel } from '../../../components/notices/not-read-panel.tsx'
import { useIsThen, useQueryThen } from '../../../components/past/moment-shown.tsx'
import { OwnWhyRow } from '../../../components/why/own-why.tsx'
import { SettingsBlock } from '../settings-block.tsx'
import { openingHoursQuery, readHoursThen } from './api.ts'
import { HoursForm } from './hours-form.tsx'
import { openingSentence } from './hours-words.ts'
import { ReplyForm } from './reply-form.tsx'

export const OpeningHoursSection = () => {
  const isThen = useIsThen()
  const { data: hours, error, isPending, refetch } = useQueryThen(openingHoursQuery, readHoursThen)
  return (
    <SettingsBlock
      title="Horários"
      action={
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
          {hours && !isThen && (
            <Typography role="status" sx={{ color: 'text.secondary' }}>
              {openingSentence(hours, hours.readAt)}
            </Typography>
          )}
          <OwnHistoryButton target={{ title: 'Horários', filters: { kind: 'hours' } }} />
        </Box>
      }
    >
      {isPending ? (
        <Skeleton role="status" aria-label="Carregando..." variant="rounded" height={640} />
      ) : !hours ? (
        <NotReadPanel title="Os horários não puderam ser lidos" error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <HoursForm hours={hours} />
          <ReplyForm hours={hours} />
          {hours.isSet && (
            <OwnWhyRow
              kind="openingHours"
              names={{
                ...{ sunday: 'Domingo', monday: 'Segunda', tuesday: 'Terça', wednesday: 'Quarta' },
                ...{ thursday: 'Quinta', friday: 'Sexta', saturday: 'Sábado', holidays: 'Feriados' },
                ...{ timeZone: 'Fuso horário', reply: 'Resposta automática', replyText: 'Texto da resposta' },
              }}
            />
          )}
        </>
      )}
    </SettingsBlock>
  )
}
