import Button from '@mui/material/Button'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router-dom'
import { NoticeBar } from '../components/notices/notice-bar.tsx'
import { isConfirmationUrgent } from '../lib/account/confirm-email.ts'
import { currentUserQuery, useCurrentUser } from '../lib/account/current-user.ts'
import { useSendConfirmation } from '../lib/account/send-confirmation.ts'
import { usageQuery } from '../lib/account/usage.ts'
import { dateAndTime } from '../lib/format/format.ts'
import { serverNow } from '../lib/http/server-clock.ts'
import { paths } from '../lib/paths.ts'

/** Fallback where pushes do not arrive. */
const pollingMs = 30_000

export const ConfirmationNotice = () => {
  const queries = useQueryClient()
  const user = useCurrentUser()
  const { data: usage } = useQuery({ ...usageQuery, refetchInterval: pollingMs })
  const send = useSendConfirmation()
  const isSettled = usage?.confirmEmailBy === null
  useEffect(() => {
    // It may have been confirmed on another device.
    if (isSettled) void queries.invalidateQueries({ queryKey: currentUserQuery.queryKey })
  }, [isSettled, queries])
  if (!user || !usage?.confirmEmailBy || !isConfirmationUrgent(usage, serverNow() ?? Date.now())) return null
  const what = usage.mustConfirmEmail
    ? 'Confirme seu e-mail para enviar mensagens.'
    : `Confirme seu e-mail até ${dateAndTime(usage.confirmEmailBy, Date.now())}: depois disso, nada é enviado até você confirmar.`
  const arriving = usage.mustConfirmEmail ? 'O que seus clientes escrevem continua chegando.' : ''
  const isSent = send.isSuccess && send.data.confirmationLink === undefined
  const sent = `Enviamos outro link para ${user.email}. Se ele não chegar em alguns minutos, procure no spam.`
  return (
    <NoticeBar
      // `more` is hidden on narrow screens.
      sentence={isSent ? `${what} ${sent}` : what}
      more={isSent ? arriving : `${arriving} O link foi para ${user.email}.`.trim()}
      moreActions={
        <Button component={Link} to={paths.profile} color="inherit" size="small">
          Trocar e-mail
        </Button>
      }
    >
      <Button color="warning" variant="outlined" size="small" disabled={send.isPending} onClick={() => send.mutate()}>
        {send.isPending ? 'Enviando...' : 'Reenviar link'}
      </Button>
    </NoticeBar>
  )
}
