import { expect, it, vi } from 'vitest'
import { focusFirstRefused } from './focus-first-refused.ts'

const aForm = () => {
  const form = document.createElement('form')
  form.innerHTML = '<input name="from" /><input name="to" />'
  document.body.append(form)
  return form
}

it('puts the cursor into a field that is marked only some frames later', async () => {
  const form = aForm()
  focusFirstRefused(form)
  for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame)
  form.querySelector('[name="to"]')?.setAttribute('aria-invalid', 'true')
  await vi.waitFor(() => expect(document.activeElement).toBe(form.querySelector('[name="to"]')))
})
