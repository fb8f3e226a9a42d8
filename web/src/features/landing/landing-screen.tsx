import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { isAccountErased } from '../../lib/account/account-erased.ts'
import { call } from '../../lib/http/call.ts'
import { LandingPage } from './landing-page.tsx'

const erased = 'Sua conta foi excluída, com tudo o que havia nela. Agradecemos por ter usado o Prosa.'

/** The landing page for navigation within the app; after an account is erased it shows a notice. */
export const LandingScreen = () => {
  const { state } = useLocation()
  useEffect(() => {
    document.title = 'Prosa: o atendimento do seu negócio no WhatsApp'
  }, [])
  const plans = useQuery({
    queryKey: ['public', 'kiwify-plans'],
    queryFn: ({ signal }) => call('GET /api/public/kiwify-plans', { signal }),
  })
  return <LandingPage plans={plans.data ?? []} notice={isAccountErased(state) ? erased : undefined} />
}
