import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { ApiProblem } from '../http/http.ts'
import { useForm } from './use-form.ts'

const refused = new ApiProblem(400, 'invalid', 'Confira os campos.', [
  { field: 'name', message: 'Já existe.' },
  { field: 'email', message: 'Não é um e-mail.' },
])

interface Sending {
  error: Error | null
  send: (values: object) => void
  isPending?: boolean
}

const Shown = ({ error, send, isPending = false }: Sending) => {
  const command = { mutate: send, error, isPending, reset: () => undefined }
  const form = useForm(useState({ name: '', email: 'ana' }), {
    command,
    toInput: (values) => values,
    check: ({ name }) => ({ name: name === '' ? 'Dê um nome.' : undefined }),
    failed: 'Não foi salvo.',
  })
  const { error: nameError, value, onChange } = form.bind('name')
  return (
    <form onSubmit={form.submit}>
      <input
        aria-label="Nome"
        aria-invalid={nameError ? true : undefined}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <p>{[nameError, form.errorOf('email'), form.summary, form.isChanged && 'mudou'].filter(Boolean).join(' ')}</p>
      <button type="submit">Salvar</button>
    </form>
  )
}

const words = () => screen.getByRole('paragraph').textContent
const write = (name: string) => fireEvent.change(screen.getByLabelText('Nome'), { target: { value: name } })
const press = () => fireEvent.click(screen.getByRole('button'))

it('checks from the first attempt on, puts the focus there, and sends nothing that is refused', async () => {
  const send = vi.fn()
  render(<Shown error={null} send={send} />)
  expect(words()).toBe('')
  press()
  expect(words()).toBe('Dê um nome.')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Nome')))
  write('Ana')
  expect(words()).toBe('mudou')
  expect(send).not.toHaveBeenCalled()
  press()
  expect(send.mock.calls[0]?.[0]).toEqual({ name: 'Ana', email: 'ana' })
})

it('shows what the server refuses at each field until that one is edited', () => {
  render(<Shown error={refused} send={() => undefined} />)
  expect(words()).toBe('Já existe. Não é um e-mail. Confira os campos.')
  write('Ana')
  expect(words()).toBe('Não é um e-mail. Confira os campos. mudou')
})

it('sends nothing while something is on its way, however often it is pressed', () => {
  const send = vi.fn()
  const { rerender } = render(<Shown error={null} send={send} />)
  write('Ana')
  press()
  rerender(<Shown error={null} send={send} isPending />)
  press()
  fireEvent.submit(screen.getByRole('button').closest('form') ?? document.body)
  expect(send).toHaveBeenCalledTimes(1)
})
