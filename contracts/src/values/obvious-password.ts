/** What guessers in Brazil try first and what no rule below finds; compared in lower case, whole. */
const triedFirst = new Set([
  '102030',
  '10203040',
  '121212',
  '123123',
  '1q2w3e',
  '1q2w3e4r',
  'abc123',
  'admin123',
  'brasil',
  'flamengo',
  'mudar123',
  'password',
  'password1',
  'qwerty',
  'qwerty123',
  'senha1',
  'senha12',
  'senha123',
  'teamo123',
])

const stepsOf = (text: string): Set<number> =>
  new Set([...text].slice(1).map((letter, index) => letter.charCodeAt(0) - text.charCodeAt(index)))

/** '111111', '123456', '654321', 'abcdef': every character follows from the one before. '0' stands beside '9' too. */
const isRun = (text: string): boolean => {
  const [step, ...others] = stepsOf(text.replace(/(?<=9)0$|^0(?=9)/, ':'))
  return others.length === 0 && step !== undefined && Math.abs(step) <= 1
}

/** True for a password that is among the first that anybody tries. */
export const isObviousPassword = (password: string): boolean => {
  const written = password.toLowerCase()
  return isRun(written) || triedFirst.has(written)
}
