import type { Screen } from './stage.ts'

const question = 'Por que você precisa ver estes dados?'

/** An administrator is asked why they need to see what they opened; `look` is at the question. */
export const sayWhy = async ({ dialog }: Screen, look?: () => Promise<void>): Promise<void> => {
  const asking = dialog(question)
  await asking.waitFor()
  await look?.()
  await asking.getByLabel('Motivo').selectOption({ label: 'Investigar uma falha' })
  await asking.getByRole('button', { name: 'Ver dados' }).click()
  await asking.waitFor({ state: 'detached' })
}
