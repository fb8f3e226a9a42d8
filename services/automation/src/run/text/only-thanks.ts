import { plainText } from '@prosa/contracts/values/text/plain-text'

const thanks = new Set(
  [
    'obrigado obrigada obg brigado brigada agradeco agradecido agradecida grato grata valeu vlw tks thanks thank',
    'ok okay okey blz beleza certo combinado perfeito otimo show top maravilha legal joia massa bom boa',
  ]
    .join(' ')
    .split(' '),
)
/** Around thanks: 'muito obrigada viu', 'ok, até amanhã'. */
const around = new Set(
  'muito muita mesmo viu e de por pela ajuda atencao tudo nada ate logo amanha mais tchau abraco abracos bjs beijo um uma dia tarde noite pra voce vc vcs voces tambem you so ta bem hein deus abencoe'.split(
    ' ',
  ),
)
const signs = /^[\p{Extended_Pictographic}\p{Emoji_Component}\s!.,]+$/u
const questioned = /[?❓]/u
const cheerful = /👍|🙏|❤|🥰|😊|😀|😃|😄|😁|😉|🤝|👏|💚|💙|😍|🙌|👌|🤩|😘/u

/** Short words of thanks or of consent and nothing else: no question, no wish. */
export const onlyThanks = (text: string): boolean => {
  if (questioned.test(text)) return false
  if (signs.test(text)) return cheerful.test(text)
  const words = plainText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  return (
    words.length <= 8 &&
    words.some((word) => thanks.has(word)) &&
    words.every((word) => thanks.has(word) || around.has(word))
  )
}
