import type { Page } from 'playwright-core'

/** The socket of a page, which can be cut alone. */
export interface Line {
  cut(): Promise<void>
  mend(): Promise<void>
}

const address = /\/socket\.io\//

/** To be called before the page opens: existing sockets cannot be cut. */
export const lineOf = async (page: Page): Promise<Line> => {
  let isCut = false
  const open = new Set<{ close(): Promise<void> }>()
  await page.routeWebSocket(address, async (socket) => {
    if (isCut) return socket.close()
    open.add(socket)
    socket.connectToServer()
  })
  return {
    async cut() {
      isCut = true
      await page.route(address, (route) => route.abort())
      await Promise.all([...open].map((socket) => socket.close()))
      open.clear()
    },
    async mend() {
      isCut = false
      await page.unroute(address)
    },
  }
}
