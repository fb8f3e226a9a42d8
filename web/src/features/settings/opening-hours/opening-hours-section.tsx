import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Panel } from '../../../components/panel.tsx'
import { sentenceOf } from '../../../lib/http.ts'
import { SettingsBlock } from '../settings-block.tsx'
import { openingHoursQuery } from './api.ts'
import { HoursForm } from './hours-form.tsx'
import { openingSentence } from './hours-words.ts'
import { ReplyForm } from './reply-form.tsx'

/** Settings, section Horários: when the business attends, and what it answers when it does not. */
export const OpeningHoursSection = () => {
  const { data: hours, error, isPending, refetch } = useQuery(openingHoursQuery)
  return (
    <SettingsBlock
      title="Horários"
      action={
        hours && (
          <Typography role="status" sx={{ color: 'text.secondary' }}>
            {openingSentence(hours, hours.readAt)}
          </Typography>
        )
      }
    >
      {isPending ? (
        <Skeleton role="status" aria-label="Carregando..." variant="rounded" height={640} />
      ) : !hours ? (
        <Panel>
          <EmptyState
            title="Os horários não puderam ser lidos"
            sentence={sentenceOf(error, 'Tente de novo em instantes.')}
            action={
              <Button variant="outlined" onClick={() => void refetch()}>
                Tentar de novo
              </Button>
            }
          />
        </Panel>
      ) : (
        <>
          <HoursForm hours={hours} />
          <ReplyForm hours={hours} />
        </>
      )}
    </SettingsBlock>
  )
}
