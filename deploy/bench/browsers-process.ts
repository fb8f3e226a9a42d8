import { setTimeout as delay } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'

/**
 * Many browsers: sockets that note when a push reaches them. Arguments: name of the event, then for each group of sockets its address,
 * cookie and number. Answers each message with what was asked: `arrivals` of a name, in ms since the epoch by group; `missed` of names.
 */
interface Group {
  url: string
  cookie: string
  count: number
}

const [event = '', groups = '[]'] = process.argv.slice(2)
const openAtOnce = 50

const now = () => performance.timeOrigin + performance.now()

interface Browser {
  group: number
  socket: Socket
  arrivals: Map<string, number>
  /** The server could not say what was missed: a browser reads everything. */
  reloads: number
}

const open = ({ url, cookie }: Group, group: number): Browser => {
  const extraHeaders: Record<string, string> = cookie ? { cookie } : {}
  const socket = io(url, { forceNew: true, transports: ['websocket'], reconnectionDelay: 50, extraHeaders })
  const browser: Browser = { group, socket, arrivals: new Map(), reloads: 0 }
  let position: string | undefined
  socket.auth = (send) => send(position === undefined ? {} : { position })
  socket.on(event, (push: { contactId: string }) => {
    if (!browser.arrivals.has(push.contactId)) browser.arrivals.set(push.contactId, now())
  })
  socket.on('position', (reached: { position: string }) => {
    position = reached.position
  })
  socket.on('resumed', (resumed: { position: string; complete: boolean }) => {
    if (position !== undefined && !resumed.complete) browser.reloads++
    position = resumed.position
  })
  return browser
}

process.once('disconnect', () => process.exit(0))

const browsers: Browser[] = []
for (const [index, group] of (JSON.parse(groups) as Group[]).entries())
  for (let opened = 0; opened < group.count; opened += openAtOnce) {
    const some = Array.from({ length: Math.min(openAtOnce, group.count - opened) }, () => open(group, index))
    browsers.push(...some)
    while (!some.every(({ socket }) => socket.connected)) await delay(5)
  }
process.send?.('open')

const waitFor = async (isThere: () => boolean, ms: number) => {
  const end = now() + ms
  while (!isThere() && now() < end) await delay(10)
}

process.on('message', async ({ ask, names, ms }: { ask: 'arrivals' | 'missed'; names: string[]; ms: number }) => {
  const lacks = ({ arrivals, reloads }: Browser) =>
    reloads > 0 && ask === 'missed' ? [] : names.filter((name) => !arrivals.has(name))
  await waitFor(() => browsers.every((browser) => browser.socket.connected && lacks(browser).length === 0), ms)
  if (ask === 'arrivals')
    process.send?.(browsers.map(({ group, arrivals }) => ({ group, at: arrivals.get(names[0] ?? '') ?? null })))
  else
    process.send?.({
      missed: browsers.reduce((sum, browser) => sum + lacks(browser).length, 0),
      reloaded: browsers.filter(({ reloads }) => reloads > 0).length,
      connected: browsers.filter(({ socket }) => socket.connected).length,
    })
})
