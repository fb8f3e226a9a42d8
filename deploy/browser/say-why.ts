import type { Screen } from './stage.ts'

const question = 'Por que você precisa ver estes dados?'

/** Answers the question for a purpose; `look` runs while it is shown. */
export const sayWhy = async ({ dialog }: Screen, look?: () => Promise<void>): Promise<void> => {
  const asking = dialog(question)
  await asking.waitFor()
  await look?.()
  await asking.getByLabel('Motivo').selectOption({ label: 'Investigar uma falha' })
  await asking.getByRole('button', { name: 'Ver dados' }).click()
  await asking.waitFor({ state: 'detached' })
}
