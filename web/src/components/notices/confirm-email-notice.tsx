import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import MailIcon from '~icons/ic/round-mark-email-unread'
import { useCurrentUser } from '../../lib/account/current-user.ts'
import { useSendConfirmation } from '../../lib/account/send-confirmation.ts'
import { usageQuery } from '../../lib/account/usage.ts'
import { panelStyle } from '../layout/panel.tsx'

export const ConfirmEmailNotice = () => {
  const user = useCurrentUser()
  const send = useSendConfirmation()
  const isAsked = user !== undefined && user !== null && !user.isEmailConfirmed
  const { data: usage } = useQuery({ ...usageQuery, enabled: isAsked })
  // `ConfirmationNotice` already asks where sending depends on it.
  if (!isAsked || !usage || usage.confirmEmailBy !== null) return null
  // A plan bought inside Prosa needs no confirmed address.
  const hasPlan = user.subscriptionStatus === 'active' && user.isTrial === false
  const isSent = send.isSuccess && send.data.confirmationLink === undefined
  return (
    <Box
      role="note"
      sx={{ ...panelStyle, display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3, px: 4, py: 3 }}
    >
      <Box sx={{ display: 'flex', color: 'text.secondary' }}>
        <MailIcon aria-hidden="true" />
      </Box>
      <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
        <Typography variant="subtitle2" component="p">
          {hasPlan ? 'Confirme seu e-mail' : 'Confirme seu e-mail para ativar o plano'}
        </Typography>
        <Typography sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {isSent
            ? `Abra o link que enviamos para ${user.email}. Se ele não chegar em alguns minutos, procure no spam.`
            : `${hasPlan ? 'Outras compras feitas com ele só valem aqui depois disso. ' : ''}O link de confirmação vai para ${user.email}.`}
        </Typography>
      </Box>
      <Button variant="outlined" disabled={send.isPending} onClick={() => send.mutate()}>
        {send.isPending ? 'Enviando...' : isSent ? 'Enviar de novo' : 'Enviar link'}
      </Button>
    </Box>
  )
}
