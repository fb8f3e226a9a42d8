import { ThemeProvider } from '@mui/material/styles'
import type { User } from '@prosa/contracts/http/accounts/auth'
import { configure, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { MemoryRouter, useLocation } from 'react-router-dom'
import { socketEnd } from '../../../../test/socket-end.ts'
import { Providers } from '../../../app/providers.tsx'
import { createQueryClient } from '../../../app/query-client.ts'
import { theme } from '../../../app/theme.ts'
import { currentUserQuery } from '../../../lib/current-user.ts'
import { SocketProvider } from '../../../lib/socket.tsx'
import { LiveChatAlerts } from '../alerts/live-chat-alerts.tsx'
import { LiveChatPage } from '../live-chat-page.tsx'

// A whole page in jsdom is slow on a busy machine.
configure({ asyncUtilTimeout: 5_000 })

const Address = () => <output aria-label="Endereço">{useLocation().search}</output>

/** Fresh state, except the browser's storage. */
export const renderLiveChat = (address = '/live-chat', user: User | null = null) => {
  const { socket, push, emitted, refuse } = socketEnd()
  const queries = createQueryClient()
  queries.setQueryData(currentUserQuery.queryKey, user)
  const view = render(
    <Provider>
      <Providers queries={queries}>
        <ThemeProvider theme={theme}>
          <MemoryRouter initialEntries={[address]}>
            <SocketProvider socket={socket}>
              <LiveChatPage />
              <LiveChatAlerts />
              <Address />
            </SocketProvider>
          </MemoryRouter>
        </ThemeProvider>
      </Providers>
    </Provider>,
  )
  return { ...view, queries, push, emitted, refuse, user: userEvent.setup() }
}
