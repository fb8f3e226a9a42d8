/** Texts contain a number, so that they are recognized without state. */
export const questionOf = (number: number) => `carga ${number}`
export const answerOf = (number: number) => `resposta ${number}`
export const isAnswer = (text: string) => text.startsWith('resposta ')

export function numberIn(text: string): number | undefined {
  const found = /^(?:carga|resposta) (\d+)$/.exec(text)
  return found ? Number(found[1]) : undefined
}
