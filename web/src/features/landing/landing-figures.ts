/** Totals of all tenants. */
export interface LandingCounts {
  messages: number
  businesses: number
  /** Percentage of sent messages that were delivered; null if none was sent. */
  deliveredPercent: number | null
}

interface LandingFigure {
  value: string
  label: string
}

/** Below these numbers a guarantee of the product is shown instead. */
const manyMessages = 10_000
const manyBusinesses = 500

const rounded = (count: number) =>
  count >= 1_000_000 ? `${Math.floor(count / 1_000_000)} mi+` : `${Math.floor(count / 1000)} mil+`

/** Specification, 2. */
export const landingFigures = (counts: LandingCounts | undefined): readonly LandingFigure[] => {
  const { messages = 0, businesses = 0, deliveredPercent = null } = counts ?? {}
  const isLarge = messages >= manyMessages
  return [
    isLarge
      ? { value: rounded(messages), label: 'mensagens atendidas' }
      : { value: '0', label: 'mensagens perdidas: cada uma é gravada antes de aparecer' },
    businesses >= manyBusinesses
      ? { value: `${Math.floor(businesses / 100) * 100}+`, label: 'empresas atendendo com o Prosa' }
      : { value: '1', label: 'fila só, com todos os números da empresa' },
    isLarge && deliveredPercent !== null
      ? { value: `${Math.floor(deliveredPercent)}%`, label: 'das mensagens enviadas chegaram ao celular' }
      : { value: '100%', label: 'dos envios com o estado à vista: saiu, chegou, foi lido' },
    { value: '24/7', label: 'recebendo mensagens, mesmo com o computador desligado' },
  ]
}
