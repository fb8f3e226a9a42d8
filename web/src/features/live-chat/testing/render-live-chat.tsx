import { ThemeProvider } from '@mui/material/styles'
import { configure, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { MemoryRouter, useLocation } from 'react-router-dom'
import { Providers } from '../../../app/providers.tsx'
import { createQueryClient } from '../../../app/query-client.ts'
import { theme } from '../../../app/theme.ts'
import { type ProsaSocket, SocketProvider } from '../../../lib/socket.tsx'
import { LiveChatPage } from '../live-chat-page.tsx'

// A whole page in jsdom is slow on a busy machine: waiting longer costs nothing when it is not.
configure({ asyncUtilTimeout: 5_000 })

/** The far end of the socket: `push` reaches the page's handlers, `emitted` is what the page said. */
const socketEnd = () => {
  const handlers = new Map<string, Set<(payload: unknown) => void>>()
  const emitted: unknown[][] = []
  const socket = {
    active: true,
    on: (name: string, handler: (payload: unknown) => void) => {
      handlers.set(name, (handlers.get(name) ?? new Set()).add(handler))
      return socket
    },
    off: (name: string, handler: (payload: unknown) => void) => {
      handlers.get(name)?.delete(handler)
      return socket
    },
    emit: (name: string, contactId: string) => emitted.push([name, contactId]),
  }
  const push = (name: string, payload: unknown) => {
    for (const handler of handlers.get(name) ?? []) handler(payload)
  }
  return { socket: socket as unknown as ProsaSocket, push, emitted }
}

const Address = () => <output aria-label="Endereço">{useLocation().search}</output>

/** Live chat as the shell shows it, at this address, with a fresh memory apart from the browser's storage. */
export const renderLiveChat = (address = '/live-chat') => {
  const { socket, push, emitted } = socketEnd()
  const queries = createQueryClient()
  const view = render(
    <Provider>
      <Providers queries={queries}>
        <ThemeProvider theme={theme}>
          <MemoryRouter initialEntries={[address]}>
            <SocketProvider socket={socket}>
              <LiveChatPage />
              <Address />
            </SocketProvider>
          </MemoryRouter>
        </ThemeProvider>
      </Providers>
    </Provider>,
  )
  return { ...view, push, emitted, user: userEvent.setup() }
}
