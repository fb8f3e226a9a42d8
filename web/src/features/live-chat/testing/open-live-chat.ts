import type { User } from '@prosa/contracts/http/accounts/auth'
import { onTestFinished } from 'vitest'
import { chatServer } from './chat-server.ts'
import { renderLiveChat } from './render-live-chat.tsx'

type Scene = Parameters<typeof chatServer>[0]
type Found = ReturnType<typeof chatServer>['state']['found']
type Opening = Scene & { found?: Found; user?: User }

/** Ends with the test. `found`: search results; `user`: signed in. */
export const openLiveChat = ({ found = [], user, ...scene }: Opening, address?: string) => {
  const { server, state } = chatServer(scene)
  state.found = found
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  return { server, state, ...renderLiveChat(address, user) }
}
