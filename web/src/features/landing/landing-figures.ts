/** What was counted in the log over all accounts. */
export interface LandingCounts {
  messages: number
  businesses: number
  /** Of the messages that were sent, in percent, those that reached the phone; null while none was sent. */
  deliveredPercent: number | null
}

interface LandingFigure {
  value: string
  label: string
}

/** From here on a number convinces more than what the product guarantees. */
const manyMessages = 10_000
const manyBusinesses = 500

const rounded = (count: number) =>
  count >= 1_000_000 ? `${Math.floor(count / 1_000_000)} mi+` : `${Math.floor(count / 1000)} mil+`

/** The four figures in their places (specification, 2): counted, or, while they are small, what the product guarantees. */
export const landingFigures = (counts: LandingCounts | undefined): readonly LandingFigure[] => {
  const { messages = 0, businesses = 0, deliveredPercent = null } = counts ?? {}
  const isLarge = messages >= manyMessages
  return [
    isLarge
      ? { value: rounded(messages), label: 'mensagens atendidas' }
      : { value: '0', label: 'mensagens perdidas: cada uma é gravada antes de aparecer' },
    businesses >= manyBusinesses
      ? { value: `${Math.floor(businesses / 100) * 100}+`, label: 'empresas atendendo com o Prosa' }
      : { value: '1', label: 'fila para a empresa inteira, com todos os números' },
    isLarge && deliveredPercent !== null
      ? { value: `${Math.floor(deliveredPercent)}%`, label: 'das mensagens enviadas chegaram ao celular' }
      : { value: '100%', label: 'dos envios com o estado à vista: saiu, chegou, foi lido' },
    { value: '24/7', label: 'recebendo mensagens, mesmo com o computador desligado' },
  ]
}
