/** What the people and attendants of a load run write: a number, so that nothing has to be remembered to recognise it. */
export const questionOf = (number: number) => `carga ${number}`
export const answerOf = (number: number) => `resposta ${number}`
export const isAnswer = (text: string) => text.startsWith('resposta ')

/** The number of a message of the driver; undefined for anything else. */
export function numberIn(text: string): number | undefined {
  const found = /^(?:carga|resposta) (\d+)$/.exec(text)
  return found ? Number(found[1]) : undefined
}
