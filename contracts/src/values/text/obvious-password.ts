export const obviousPassword = 'Esta senha é fácil demais de adivinhar. Escolha outra.'

const stepsOf = (text: string): Set<number> =>
  new Set([...text].slice(1).map((letter, index) => letter.charCodeAt(0) - text.charCodeAt(index)))

/** '111111', '654321', 'abcdef'; '0' also follows '9'. */
const isRun = (text: string): boolean => {
  const [step, ...others] = stepsOf(text.replace(/(?<=9)0$|^0(?=9)/, ':'))
  return others.length === 0 && step !== undefined && Math.abs(step) <= 1
}

/** '121212', 'abcabc'. */
const isRepetition = (text: string): boolean => /^(.{1,3})\1+$/.test(text)

/** The server also has a list of common words. */
export const isObviousPassword = (password: string): boolean => {
  const written = password.toLowerCase()
  return isRun(written) || isRepetition(written)
}
