import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../test/prosa-server.ts'
import { renderApp } from '../../test/render-app.tsx'

withProsaServer()

const exportId = '7f1c8a52-6c3e-4a4e-8b5d-2f0d9b6a1c44'
const toasts = () => within(screen.getByRole('region', { name: /Avisos/ }))
const section = async () =>
  within((await screen.findByRole('heading', { name: 'Seus dados em um arquivo' })).closest('section') ?? document.body)
const failure = async () => (await (await section()).findByRole('alert')).textContent
const button = () => screen.findByRole('button', { name: 'Exportar meus dados' })

let saved: { name: string; file: Blob }[] = []
let asked: unknown[] = []
beforeEach(() => {
  saved = []
  asked = []
  let made: Blob | undefined
  URL.createObjectURL = (file) => {
    made = file as Blob
    return 'blob:copy'
  }
  URL.revokeObjectURL = () => undefined
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (made) saved.push({ name: this.download, file: made })
  })
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.post('/api/exports', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ id: exportId }, { status: 201 })
    }),
  )
})

const openCopy = () => {
  let control: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      control = controller
    },
  })
  prosaServer.use(
    http.get(
      `/api/exports/${exportId}`,
      () =>
        new HttpResponse(body, {
          headers: {
            'content-type': 'application/zip',
            'content-disposition': 'attachment; filename="prosa-dados-2026-11-23.zip"',
          },
        }),
    ),
  )
  return {
    send: (bytes: number) => control?.enqueue(new Uint8Array(bytes)),
    end: () => control?.close(),
    cut: () => control?.error(new TypeError('terminated')),
  }
}

describe('a copy of one’s own data', () => {
  it('shows that it is under way, and is saved under its name once it is whole', async () => {
    const copy = openCopy()
    renderApp('/profile')
    await userEvent.click(await button())
    expect(await screen.findByText('Preparando a cópia...')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Exportando...' })).toHaveProperty('disabled', true)
    copy.send(3 * 1024 * 1024)
    expect(await screen.findByText('3,0 MB recebidos...')).toBeTruthy()
    expect(saved).toEqual([])
    copy.send(10)
    copy.end()
    expect(await toasts().findByText('Cópia pronta')).toBeTruthy()
    expect(saved.map(({ name, file }) => [name, file.size])).toEqual([
      ['prosa-dados-2026-11-23.zip', 3 * 1024 * 1024 + 10],
    ])
    expect(asked).toEqual([{}])
    expect(await button()).toHaveProperty('disabled', false)
  })

  it('is not saved where it was cut off, and the page shows that', async () => {
    const copy = openCopy()
    renderApp('/profile')
    await userEvent.click(await button())
    await screen.findByText('Preparando a cópia...')
    copy.send(1024)
    copy.cut()
    expect(await failure()).toContain('A cópia parou no meio')
    expect(saved).toEqual([])
    expect(await button()).toHaveProperty('disabled', false)
  })

  it('can be cancelled, which is no failure', async () => {
    const copy = openCopy()
    renderApp('/profile')
    await userEvent.click(await button())
    await screen.findByText('Preparando a cópia...')
    copy.send(1024)
    await userEvent.click(screen.getByRole('button', { name: 'Cancelar' }))
    expect(await button()).toHaveProperty('disabled', false)
    expect((await section()).queryByRole('alert')).toBeNull()
    expect(toasts().queryByText(/cópia/)).toBeNull()
    expect(saved).toEqual([])
  })

  it.each([
    ['asked for', () => http.post('/api/exports', () => refuse('export_running'))],
    ['fetched', () => http.get(`/api/exports/${exportId}`, () => refuse('export_running'))],
  ])('that is refused where it is %s shows why', async (_, refusal) => {
    prosaServer.use(refusal())
    renderApp('/profile')
    await userEvent.click(await button())
    expect(await failure()).toMatch(/^Uma cópia dos dados desta conta já/)
    expect(saved).toEqual([])
  })
})
