import { unsetOpeningHours } from '@prosa/contracts/http/opening-hours'
import type { HoursWhatIfPart } from '@prosa/contracts/http/what-if/hours'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { anUser, prosaServer, refuse, withProsaServer } from '../../../../test/prosa-server.ts'
import { renderApp } from '../../../../test/render-app.tsx'

// Imported first: compiling must not count towards test timeouts.
import '../../../app/app-shell.tsx'
import '../settings-page.tsx'

withProsaServer()

const day = [{ from: '08:00', to: '18:00' }]
const office = { ...unsetOpeningHours, isSet: true, week: [[], day, day, day, day, day, []] }
const difference = (messageId: string, contactName: string | null) => ({
  ...{ contactId: 'ana', contactName, messageId, sentAt: '2026-11-24T20:30:00.000Z' },
  was: 'open' as const,
  would: 'answered' as const,
})
const part = (more: Partial<HoursWhatIfPart>): HoursWhatIfPart => ({
  ...{ done: 2, total: 2, next: null, isCut: false },
  ...{ messages: 10, answered: 1, wouldAnswer: 2, gained: 1, lost: 0, differences: [difference('one', 'Ana')] },
  ...more,
})

let asked: { after: string; isReplyOn: boolean; week: unknown }[] = []
let parts: HoursWhatIfPart[]

beforeEach(() => {
  asked = []
  parts = [part({ done: 1, next: 'ana' }), part({ differences: [difference('two', null)], lost: 1, wouldAnswer: 1 })]
  prosaServer.use(
    http.get('/api/auth/user', () => HttpResponse.json(anUser)),
    http.get('/api/opening-hours', () => HttpResponse.json(office)),
    http.post('/api/opening-hours/what-if', async ({ request }) => {
      asked.push((await request.json()) as (typeof asked)[number])
      return HttpResponse.json(parts[asked.length - 1])
    }),
  )
})

const open = async () => {
  renderApp('/settings?secao=horarios')
  await userEvent.click(await screen.findByRole('button', { name: 'E se?' }))
  return within(screen.getByRole('dialog', { name: 'E se os horários fossem estes?' }))
}
const begin = async () => {
  const dialog = await open()
  await userEvent.click(dialog.getByText('Ver o que mudaria'))
  return dialog
}

describe('E se?', () => {
  it('takes the hours of the form, unsaved, part after part, and lists what would differ', async () => {
    renderApp('/settings?secao=horarios')
    const monday = within(await screen.findByRole('group', { name: 'Segunda-feira' }))
    await userEvent.click(monday.getByLabelText('Tirar o 1º intervalo'))
    await userEvent.click(screen.getByRole('button', { name: 'E se?' }))
    const dialog = within(screen.getByRole('dialog'))
    await userEvent.click(dialog.getByLabelText('Com a resposta automática ligada'))
    await userEvent.click(dialog.getByText('Ver o que mudaria'))
    expect(
      await dialog.findByText(
        'De 20 mensagens: 2 receberiam a resposta automática e não receberam; 1 recebeu e não receberia. Respostas: 2 antes, 3 depois.',
      ),
    ).toBeTruthy()
    expect(asked).toMatchObject([
      { after: '', isReplyOn: true, week: [[], [], day, day, day, day, []] },
      { after: 'ana' },
    ])
    const rows = within(dialog.getByRole('list', { name: 'Diferenças' })).getAllByRole('listitem')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Ana .*Como foiSem resposta: dentro do horário\.Como seriaSeria respondida\.$/),
      expect.stringMatching(/^Contato sem nome /),
    ])
    expect(dialog.getByRole('link', { name: 'Ana' }).getAttribute('href')).toBe('/live-chat?contato=ana')
  })

  it('shows how far it is, and stops when asked, keeping what came', async () => {
    let answer: () => void = () => undefined
    prosaServer.use(
      http.post('/api/opening-hours/what-if', async ({ request }) => {
        const { after } = (await request.json()) as { after: string }
        if (after !== '') await new Promise<void>((resolve) => (answer = resolve))
        return HttpResponse.json(part({ done: 1, total: 4, next: 'ana' }))
      }),
    )
    const dialog = await begin()
    expect(await dialog.findByText('1 de 4 conversas')).toBeTruthy()
    expect(dialog.getByRole('progressbar', { name: 'Andamento' }).getAttribute('aria-valuenow')).toBe('25')
    await userEvent.click(dialog.getByText('Parar'))
    expect(dialog.getByText('Você parou em 1 de 4 conversas. O resultado abaixo é só delas.')).toBeTruthy()
    answer()
    await waitFor(() => expect(dialog.queryByRole('progressbar')).toBeNull())
    expect(within(dialog.getByRole('list', { name: 'Diferenças' })).getAllByRole('listitem')).toHaveLength(1)
  })

  it('waits where it asked too often, and goes on', async () => {
    let refusals = 0
    prosaServer.use(
      http.post('/api/opening-hours/what-if', () => {
        refusals += 1
        if (refusals > 1) return HttpResponse.json(part({ gained: 0, differences: [], wouldAnswer: 1 }))
        const body = { type: 'too_many_attempts', title: 'Muitas tentativas.', errors: [] }
        return HttpResponse.json(body, { status: 429, headers: { 'retry-after': '1' } })
      }),
    )
    const dialog = await begin()
    expect(
      await dialog.findByText(
        'De 10 mensagens, nenhuma teria outra resposta: 1 antes e depois.',
        {},
        { timeout: 4000 },
      ),
    ).toBeTruthy()
  })

  it('says what is wrong with the days, and with hours whose fields are behind it', async () => {
    prosaServer.use(
      http.post('/api/opening-hours/what-if', () =>
        refuse('invalid_request', [
          { field: 'to', message: 'O período pode ter no máximo 31 dias.' },
          { field: 'week.1.0.to', message: 'O fim precisa ser depois do início.' },
        ]),
      ),
    )
    const dialog = await begin()
    expect(await dialog.findByText('O período pode ter no máximo 31 dias.')).toBeTruthy()
    expect(dialog.getByRole('alert').textContent).toContain('No formulário: O fim precisa ser depois do início.')
  })

  it('states how many of many differences it lists', async () => {
    const differences = Array.from({ length: 200 }, (_, index) => difference(`m${index}`, `Pessoa ${index}`))
    parts = [part({ gained: 900, differences }), part({})]
    const dialog = await begin()
    expect(await dialog.findByText('A lista mostra 200 de 900 diferenças.')).toBeTruthy()
  })
})
