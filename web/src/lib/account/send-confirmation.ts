import { useNavigate } from 'react-router-dom'
import { call } from '../http/call.ts'
import { sentenceOf } from '../http/http.ts'
import { useCommand } from '../http/use-command.ts'
import { currentUserQuery } from './current-user.ts'

/** Outside production the reply contains the link, which the browser opens. */
export const useSendConfirmation = () => {
  const navigate = useNavigate()
  return useCommand({
    run: () => call('POST /api/auth/send-confirmation'),
    apply: (queries, { confirmationLink }) => {
      // It may have been confirmed on another device.
      if (!confirmationLink) return void queries.invalidateQueries(currentUserQuery)
      const { pathname, search } = new URL(confirmationLink)
      return navigate(pathname + search)
    },
    done: ({ message, confirmationLink }) =>
      confirmationLink ? null : { title: 'Confirmação de e-mail', description: message },
    failed: (error) => sentenceOf(error, 'O link não foi enviado. Tente de novo.'),
  })
}
