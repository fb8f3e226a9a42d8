import { useNavigate } from 'react-router-dom'
import { call } from '../lib/call.ts'
import { becomeUser } from '../lib/current-user.ts'
import { sentenceOf } from '../lib/http.ts'
import { paths } from '../lib/paths.ts'
import { forgetPersonalStorage } from '../lib/personal-storage.ts'
import { useCommand } from '../lib/use-command.ts'

const redirectMs = 1000

export const useLogout = () => {
  const navigate = useNavigate()
  return useCommand({
    run: () => call('POST /api/auth/logout'),
    apply: (queries) => {
      // Now, and again with the user: within that second the browser may close or store more.
      forgetPersonalStorage()
      // Outlives this component: the server closes the socket at once, which may unmount the signed-in screens.
      setTimeout(() => {
        navigate(paths.login)
        becomeUser(queries, null)
      }, redirectMs)
    },
    done: { title: 'Logout realizado', description: 'Você foi desconectado com sucesso.' },
    failed: (error) => ({ title: 'Erro no logout', description: sentenceOf(error, 'Erro ao fazer logout.') }),
  })
}
