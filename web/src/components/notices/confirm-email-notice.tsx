import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { User } from '@prosa/contracts/http/accounts/auth'
import type { Usage } from '@prosa/contracts/http/accounts/usage'
import { useQuery } from '@tanstack/react-query'
import MailIcon from '~icons/ic/round-mark-email-unread'
import { isConfirmationUrgent } from '../../lib/account/confirm-email.ts'
import { useCurrentUser } from '../../lib/account/current-user.ts'
import { useSendConfirmation } from '../../lib/account/send-confirmation.ts'
import { usageQuery } from '../../lib/account/usage.ts'
import { dateAndTime } from '../../lib/format/format.ts'
import { serverNow } from '../../lib/http/server-clock.ts'
import { panelStyle } from '../layout/panel.tsx'

/** What on a screen depends on the address; `account`: the screen is about it. */
type Dependent = 'sending' | 'purchases' | 'account'

interface Words {
  title: string
  why: string
}

const ofAccount: Words = {
  title: 'E-mail não confirmado',
  why: 'Compras feitas com ele, e o papel de quem administra, só valem depois de confirmado.',
}

/** Undefined where it does not matter; decision 0100. */
const wordsFor = (about: Dependent, user: User, usage: Usage, nowMs: number): Words | undefined => {
  // `ConfirmationNotice` asks on every screen.
  if (isConfirmationUrgent(usage, nowMs)) return undefined
  if (usage.confirmEmailBy !== null)
    return {
      title: `Confirme seu e-mail até ${dateAndTime(usage.confirmEmailBy, nowMs)}`,
      why: 'Depois disso, nada é enviado até você confirmar.',
    }
  // A plan bought inside Prosa needs no confirmed address.
  const hasPlan = user.subscriptionStatus === 'active' && user.isTrial === false
  return about === 'purchases' && !hasPlan
    ? {
        title: 'Comprou um plano fora do Prosa? Confirme seu e-mail',
        why: 'Uma compra feita com ele na Kiwify só vale aqui depois disso. Pelos botões desta página não é preciso.',
      }
    : undefined
}

export const ConfirmEmailNotice = ({ about }: { about: Dependent }) => {
  const user = useCurrentUser()
  const send = useSendConfirmation()
  const isAsked = user?.isEmailConfirmed === false
  // Analysts may not read the usage.
  const { data: usage } = useQuery({ ...usageQuery, enabled: isAsked && about !== 'account' })
  const words =
    about === 'account' ? ofAccount : usage && user && wordsFor(about, user, usage, serverNow() ?? Date.now())
  if (!isAsked || !words) return null
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
          {words.title}
        </Typography>
        <Typography sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {isSent
            ? `Abra o link que enviamos para ${user.email}. Se ele não chegar em alguns minutos, procure no spam.`
            : `${words.why} O link de confirmação vai para ${user.email}.`}
        </Typography>
      </Box>
      <Button variant="outlined" disabled={send.isPending} onClick={() => send.mutate()}>
        {send.isPending ? 'Enviando...' : isSent ? 'Enviar de novo' : 'Enviar link'}
      </Button>
    </Box>
  )
}
