import { plainText } from '../text/plain-text.ts'

const yes = new Set(
  [
    'sim s ss sss yes y ok okay okey oki beleza blz claro certo certeza correto exato isso positivo quero aceito concordo',
    'confirmo confirmado confirma combinado fechado perfeito uhum aham bora topo tenho gostaria pode',
  ]
    .join(' ')
    .split(' '),
)
const yesPhrases = ['pode ser', 'com certeza', 'por favor', 'e isso', 'isso mesmo', 'tudo bem', 'ta bom', 'esta bom']
const no = new Set(
  'nao n nn no nop nope negativo nunca jamais nada nem dispenso recuso cancela cancelar errado incorreto'.split(' '),
)
const noPhrases = ['de jeito nenhum', 'de forma alguma', 'deixa pra la', 'deixa para la', 'nem pensar']
const yesSigns = /^(?:👍|👌|✅|✔|🙏|🆗|🙌)/u
const noSigns = /^(?:👎|❌|🚫|✖|🙅)/u

/** By the first word, unless a denial follows ('acho que não', 'quero não'). */
export const yesOrNo = (text: string): 'yes' | 'no' | undefined => {
  const trimmed = text.trim()
  if (yesSigns.test(trimmed)) return 'yes'
  if (noSigns.test(trimmed)) return 'no'
  const words = plainText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const plain = words.join(' ')
  const [first = ''] = words
  // Would be a guess in a long text.
  if (words.length > 12) return undefined
  if (no.has(first) || noPhrases.some((phrase) => plain.startsWith(phrase))) return 'no'
  if (words.some((word) => word === 'nao') || plain.includes('de jeito nenhum')) return 'no'
  if (yes.has(first) || yesPhrases.some((phrase) => plain.startsWith(phrase))) return 'yes'
  return words.some((word) => word === 'sim') ? 'yes' : undefined
}
