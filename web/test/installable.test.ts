import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'

const web = resolve(import.meta.dirname, '..')
const textOf = (path: string) => readFileSync(join(web, path), 'utf8')

interface Manifest {
  name: string
  start_url: string
  display: string
  icons: { src: string; sizes: string; purpose?: string }[]
}

/** A PNG's header contains its size. */
const sizeOf = (path: string) => {
  const bytes = readFileSync(join(web, 'public', path))
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`
}

describe('Prosa on a phone', () => {
  it('can be installed: the page names a manifest, and each of its icons is there and as large as it says', () => {
    expect(textOf('index.html')).toContain('<link rel="manifest" href="/manifest.webmanifest" />')
    const manifest: Manifest = JSON.parse(textOf('public/manifest.webmanifest'))
    expect(manifest).toMatchObject({ name: 'Prosa', start_url: '/live-chat', display: 'standalone' })
    expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']))
    expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true)
    for (const { src, sizes } of manifest.icons) expect(sizeOf(src)).toBe(sizes)
    const [, apple = ''] = /rel="apple-touch-icon" href="([^"]+)"/.exec(textOf('index.html')) ?? []
    expect(existsSync(join(web, 'public', apple))).toBe(true)
  })

  describe('the worker that shows notifications', () => {
    const start = (windows: { visibilityState: string; postMessage: unknown; focus: unknown }[]) => {
      const listeners = new Map<string, (event: unknown) => void>()
      const openWindow = vi.fn()
      const self = {
        addEventListener: (type: string, listener: (event: unknown) => void) => listeners.set(type, listener),
        clients: { matchAll: async () => windows, openWindow },
      }
      runInNewContext(textOf('public/notifications.js'), { self })
      const close = vi.fn()
      const press = async () => {
        const pending: Promise<unknown>[] = []
        const notification = { close, data: { path: '/live-chat?contato=1' } }
        listeners.get('notificationclick')?.({
          notification,
          waitUntil: (work: Promise<unknown>) => pending.push(work),
        })
        await Promise.all(pending)
      }
      return { listeners, openWindow, close, press }
    }
    const aWindow = (visibilityState: string) => ({ visibilityState, postMessage: vi.fn(), focus: vi.fn() })

    it('answers no request, so that it can keep nothing of anybody', () => {
      expect([...start([]).listeners.keys()]).toEqual(['notificationclick'])
    })

    it('leads to the conversation in the window that is in view, else in another, else in a new one', async () => {
      const [hidden, visible] = [aWindow('hidden'), aWindow('visible')]
      const both = start([hidden, visible])
      await both.press()
      expect(both.close).toHaveBeenCalled()
      expect(visible.postMessage).toHaveBeenCalledWith({ open: '/live-chat?contato=1' })
      expect(visible.focus).toHaveBeenCalled()
      expect(hidden.postMessage).not.toHaveBeenCalled()

      await start([hidden]).press()
      expect(hidden.postMessage).toHaveBeenCalledWith({ open: '/live-chat?contato=1' })

      const none = start([])
      await none.press()
      expect(none.openWindow).toHaveBeenCalledWith('/live-chat?contato=1')
    })
  })
})
