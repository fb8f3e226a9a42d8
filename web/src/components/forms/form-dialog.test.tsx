import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { FormDialog } from './form-dialog.tsx'

const shown = (
  of: Partial<Parameters<typeof FormDialog>[0]> = {},
  form: { isPending?: boolean; isChanged?: boolean } = {},
) => {
  const submit = vi.fn((event: { preventDefault(): void }) => event.preventDefault())
  const onClose = vi.fn()
  const about = { submit, isPending: false, isChanged: false, ...form }
  render(
    <FormDialog title="Nova etiqueta" form={about} submit="Salvar" submitting="Salvando…" onClose={onClose} {...of}>
      <input aria-label="Nome" />
    </FormDialog>,
  )
  const backdrop = () => {
    const container = document.querySelector('.MuiDialog-container') ?? document.body
    fireEvent.mouseDown(container)
    fireEvent.click(container)
  }
  const pressEscape = () => fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  const enter = () => fireEvent.submit(screen.getByLabelText('Nome').closest('form') ?? document.body)
  return { submit, onClose, backdrop, pressEscape, enter }
}

it('closes by the backdrop while nothing was typed', () => {
  const untouched = shown()
  untouched.backdrop()
  expect(untouched.onClose).toHaveBeenCalledTimes(1)
})

it('keeps what was typed when the backdrop is clicked', () => {
  const { backdrop, pressEscape, onClose } = shown({}, { isChanged: true })
  backdrop()
  expect(onClose).not.toHaveBeenCalled()
  pressEscape()
  expect(onClose).toHaveBeenCalledTimes(1)
})

it('does not close where it must not: neither by Escape nor the backdrop nor its button', () => {
  const { backdrop, pressEscape, onClose } = shown({ canClose: false })
  backdrop()
  pressEscape()
  fireEvent.click(screen.getByRole('button', { name: 'Cancelar' }))
  expect(onClose).not.toHaveBeenCalled()
})

it('sends nothing by Enter that its button could not send', () => {
  const { enter, submit } = shown({ canSubmit: false })
  expect((screen.getByRole('button', { name: 'Salvar' }) as HTMLButtonElement).disabled).toBe(true)
  enter()
  expect(submit).not.toHaveBeenCalled()
})

it('shows that it is sending, and cannot be pressed again', () => {
  shown({}, { isPending: true })
  expect((screen.getByRole('button', { name: 'Salvando…' }) as HTMLButtonElement).disabled).toBe(true)
})
